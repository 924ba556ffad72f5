"""The collections that the storage tests keep, and what they put there."""

from typing import Any

from services.storage.documents import Collection

COLLECTIONS = (
    Collection(name="books", owned=False, unique=(("shelf", "place"),), indexes=(("rank", "title"),)),
    Collection(name="notes", owned=False),
    Collection(name="tickets", owned=False, unique=(("seat",),), expires="expires_at"),
)
WORTH_KEEPING = {
    "id": "n1",
    "empty": {"list": [], "object": {}, "text": "", "nothing": None},
    "numbers": [0, -1, 2**53 + 1, 2**63 - 1, -(2**63), 2**80, 0.1, 1e300, -0.5, 3.0],
    "flags": [True, False],
    "texts": ["Grüße", "日本語", "🧑‍🎓", "a\nb\t\\\"'", "\u2028", "$where", "%41"],
    "odd keys": {"a.b": 1, "$set": {"$inc": 2}, "%2E": 3, "%int": {"%int": "5"}, "": 4, "naïve": 5},
    "deep": {"a": {"b": {"c": [{"d": [1, [2, [3]]]}]}}},
}


def book(id: str, place: int = 0, **fields: Any) -> dict[str, Any]:
    return {"id": id, "shelf": "A", "place": place, **fields}


def ids(found: list[dict[str, Any]]) -> list[str]:
    return sorted(document["id"] for document in found)
