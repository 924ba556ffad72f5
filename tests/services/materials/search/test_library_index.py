"""The cache of indexes: one version a student, and bounded memory."""

from services.materials.search.library_index import IndexCache, LibraryIndex
from tests.services.materials.search.samples import library


def never() -> LibraryIndex:
    raise AssertionError("It was known.")


def test_an_index_is_made_once_for_each_version_and_student() -> None:
    cache = IndexCache()
    first = cache.get("maya", "1", library)

    assert cache.get("maya", "1", never) is first
    assert cache.get("maya", "2", library) is not first
    assert cache.get("diego", "2", library) is not cache.get("maya", "2", never)


def test_a_dropped_index_is_made_anew() -> None:
    cache = IndexCache()
    first = cache.get("maya", "1", library)
    cache.drop("maya")

    assert cache.get("maya", "1", library) is not first


def test_the_indexes_of_whoever_searched_last_stay_within_the_memory() -> None:
    size = library().nbytes
    cache = IndexCache(most_bytes=2 * size + size // 2)
    kept = [cache.get(student, "1", library) for student in ("maya", "diego", "ada")]

    assert cache.get("ada", "1", never) is kept[2]
    assert cache.get("diego", "1", never) is kept[1]
    assert cache.get("maya", "1", library) is not kept[0]


def test_an_index_larger_than_the_cache_is_used_and_not_kept() -> None:
    cache = IndexCache(most_bytes=10)
    first = cache.get("maya", "1", library)

    assert first.size
    assert cache.get("maya", "1", library) is not first
