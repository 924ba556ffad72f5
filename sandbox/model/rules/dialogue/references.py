"""Reference resolution: which existing thing a clause means, by "it", by words of its title, by its time."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sandbox.model.rules.language import lexicon
from sandbox.model.rules.language.text import fold, stem, stems, word_set
from sandbox.model.rules.slots import titles
from sandbox.model.rules.slots.title_words import reference_words
from sandbox.model.rules.tools.profile import Profile
from sandbox.model.rules.tools.schema import Action, Param, Role
from sandbox.model.rules.understanding.intent import Intent
from sandbox.model.rules.understanding.memory import Entity

GENERIC = frozenset(
    stem(word)
    for word in word_set(
        """
        meeting event session class appointment page note notes doc document block study calendar task thing reunion
        cita clase evento sesion pagina apuntes nota notas bloque my assignment slot entry item time
        """
    )
)
MOST_SEARCH_WORDS = 4
ORDINALS = {
    "first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3, "fifth": 4,
    "primero": 0, "primera": 0, "primer": 0, "segundo": 1, "segunda": 1, "tercero": 2, "tercera": 2,
    "cuarto": 3, "cuarta": 3,
}  # fmt: skip
ORDINAL = re.compile(
    rf"\b(?P<word>{'|'.join(ORDINALS)}|last|ultim[oa])\b(?:\s+(?:one|slot|gap|option|result|of|hueco|opcion|"
    rf"resultado)\b|\s*$|[.!?,])"
)


@dataclass(frozen=True, kw_only=True)
class Resolution:
    """The thing that fits best; `others` when several fit equally well."""

    entity: Entity | None = None
    others: Sequence[Entity] = ()


def by_ordinal(intent: Intent, listed: Sequence[Entity]) -> Entity | None:
    """The thing meant by "the second one"."""
    found = ORDINAL.search(fold(intent.text))
    if found is None or not listed:
        return None
    at = ORDINALS.get(found["word"], len(listed) - 1)
    return listed[at] if at < len(listed) else None


def by_words(intent: Intent, candidates: Sequence[Entity], *, extra: str = "", only: str = "") -> Resolution:
    """The candidate whose title and time fit the clause.
    extra: more words that may name it. only: the words that do, instead of all of the clause."""
    wanted = [*(stems(only) if only else titles.target_stems(intent)), *stems(extra)]
    ranked = sorted(((_likeness(entity, wanted, intent), entity) for entity in candidates), key=lambda pair: -pair[0])
    good = [(points, entity) for points, entity in ranked if points >= 1.5]
    if not good:
        return Resolution()
    best = good[0][0]
    equal = [entity for points, entity in good if points >= best - 0.01]
    if not intent.action.is_write:
        # To read "Bandung, 1955" by mistake costs nothing; of "Source 6: Bandung" it is the one that begins so.
        equal = [entity for entity in equal if stems(entity.title)[:1] and stems(entity.title)[0] in wanted] or equal
    if len(equal) > 1 and len({entity.title for entity in equal}) > 1:
        return Resolution(others=tuple(equal))
    return Resolution(entity=equal[0])


def lookup_tool(param: Param, profile: Profile, tools: Mapping[str, Profile]) -> Profile | None:
    """The tool that lists or searches the things that a parameter wants an id of."""
    readers = [tool for tool in tools.values() if not tool.action.is_write and not tool.required_ids]
    readers = [tool for tool in readers if not tool.ability or tool.name in param.description]
    named = [
        tool
        for tool in readers
        if re.search(rf"\b{re.escape(tool.name)}\b", f"{param.description} {profile.description}")
    ]
    by_param = [tool for tool in named if tool.name in param.description]
    if by_param:
        return by_param[0]
    wanted = lexicon.objects().weights(lexicon.mended(param.entity.replace("_", " "))) or profile.objects
    ranked = sorted(readers, key=lambda tool: -_serves(tool, wanted, is_named=tool in named))
    best = ranked[0] if ranked else None
    return best if best is not None and _serves(best, wanted, is_named=False) > 0.3 else None


def needs_lookup(param: Param, tools: Mapping[str, Profile], profile: Profile) -> bool:
    """Whether an id must be looked up first, or words will do."""
    if param.role is Role.ID:
        return True
    tool = lookup_tool(param, profile, tools)
    if tool is None or profile.ability:
        return tool is not None and tool.action is Action.READ and tool.name in param.description
    return tool.action is Action.SEARCH or tool.name in param.description


def id_for(param: Param, entity: Entity) -> str | None:
    """The id of a thing under the name that the parameter wants."""
    return entity.ids.get(f"{param.entity}_id") or entity.ids.get("id") or next(iter(entity.ids.values()), None)


def is_place(param: Param) -> bool:
    """Whether a parameter says where something new goes, not which thing is meant."""
    return param.entity in ("parent", "database", "folder", "container", "section")


def words_for(param: Param, intent: Intent, *, with_course: bool = True) -> str:
    """Search words for an entity that is not known yet."""
    if is_place(param):
        return under(intent.text) or (intent.course[0] if intent.course else "")
    left = [word for word in reference_words(intent).split() if stem(fold(word)) not in GENERIC][:MOST_SEARCH_WORDS]
    if intent.course is not None and with_course:
        left.insert(0, intent.course[0])
    return " ".join(dict.fromkeys(left))


def under(text: str) -> str:
    """The page or notebook that something is to be put under or into, if the text names one."""
    folded = fold(text.partition(":")[0])
    found = re.search(
        r"\b(?:under|inside|within|below|dentro de|bajo|debajo de|in|into|en)\s+(?:my\s+|the\s+|our\s+|mi\s+|la\s+|"
        r"el\s+)?(?P<name>[^,:;?!]{0,80}?)"
        r"\b(?:page|pages|notebook|database|section|folder|workspace|notes|pagina|cuaderno|seccion|apuntes)\b",
        folded,
    ) or re.search(
        r"\b(?:under|inside|within|below|dentro de|bajo|debajo de)\s+(?:my\s+|the\s+|mi\s+|la\s+|el\s+|"
        r"pagina\s+)*(?P<name>[^,:;?!]+)",
        folded,
    )
    if found is None:
        return ""
    name = text[found.start("name") : found.end("name")].strip()
    return "" if fold(name) in ("notion", "my", "the", "a", "") else name


def _likeness(entity: Entity, wanted: Sequence[str], intent: Intent) -> float:
    title, line = set(stems(entity.title)), set(stems(entity.line))
    points = 0.0
    for word in set(wanted):
        weight = 0.4 if word in GENERIC else 1.0
        if word in title or any(_begins_alike(word, other) for other in title):
            points += 2 * weight
        elif word in line:
            points += 0.7 * weight
    # Of two titles that have all the words the one with fewer others is meant.
    return points + _timeliness(entity, intent)


def _begins_alike(word: str, other: str) -> bool:
    shorter = min(len(word), len(other))
    return shorter >= 3 and word[:shorter] == other[:shorter] and (shorter >= 4 or len(word) == shorter)


def _timeliness(entity: Entity, intent: Intent) -> float:
    when = intent.located
    if entity.start is None or when.start is None:
        return 0.0
    is_one_day = when.end is None or when.end.date() == when.start.date()
    same_day = when.has_day and is_one_day and entity.start.date() == when.start.date()
    same_hour = when.has_time and entity.start.time() == when.start.time()
    return 1.6 * same_day + 1.6 * same_hour


def _serves(tool: Profile, wanted: Mapping[str, float], *, is_named: bool) -> float:
    fit = sum(weight * tool.objects.get(name, 0.0) for name, weight in wanted.items())
    stray = sum(weight for name, weight in tool.objects.items() if name not in wanted and weight > 0.8)
    return fit - 0.4 * stray + (0.5 if is_named else 0) + (0.1 if tool.action is Action.SEARCH else 0)
