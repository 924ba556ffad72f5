"""Title words: which words of a clause single out one thing."""

from sandbox.model.rules.language import lexicon
from sandbox.model.rules.language.patterns import pattern
from sandbox.model.rules.language.text import Token, fold, word_set
from sandbox.model.rules.slots import titles
from sandbox.model.rules.understanding.intent import Intent
from sandbox.model.rules.understanding.mentions import names_a_page

KIND = 0.69
"""A word that speaks of a kind of thing at least so strongly ("assignment") does not tell one of them from another."""
NOT_IN_TITLES = word_set(
    """
    assignment assignments task tarea entrega note notes page pages notebook doc document apuntes pagina nota notas
    event meeting summarize read open due submit submitted turned turn hand handed explain points worth grade course
    class status submission feedback grader leave left last latest recent previous current whether meets write wrote
    written down say says put keep kept look see every each lecture work works working compare newest online much
    many long late supposed finish week today tomorrow ask asks asking want wants need exactly really again still
    yet already dice dicen decir
    average mean median highest lowest best score feedback comment comments escribi
    acuerdo recuerdo checar checas remember puse guarde ultimo ultima entregue entregado entrego entregar subi subido
    """
)
SAME_COURSE = pattern("(that|this|same|esa|ese|esta|este|la misma) (class|course|clase|curso|asignatura|materia|one)")


def telling_tokens(intent: Intent) -> list[Token]:
    """The words that single out one thing: not verbs, dates, courses, services or general names of kinds."""
    kept = []
    for token in _title_tokens(intent):
        weight = max(lexicon.objects().weights([token]).values(), default=0.0)
        if weight < KIND and not lexicon.orders().hits([token]):
            kept.append(token)
    return kept


def telling_stems(intent: Intent) -> list[str]:
    """Stems of the telling tokens."""
    return [token.stem for token in telling_tokens(intent)]


def reference_words(intent: Intent) -> str:
    """The words of the clause that a title may have in it."""
    quoted = [
        words for words, start, _ in intent.quoted if not intent.action.is_write or names_a_page(intent.text, start)
    ]
    if quoted:
        return quoted[0]
    details = _details(intent)
    kept = [
        intent.text[token.start : token.end]
        for token in _title_tokens(intent)
        if token not in details
        and token.word not in NOT_IN_TITLES
        and not any(hit.name in ("read", "search", "open") for hit in lexicon.orders().hits([token]))
        and not (intent.action.is_write and any(start <= token.start < end for _, start, end in intent.quoted))
    ]
    return " ".join(kept)


def refers_to_course(text: str) -> bool:
    """Whether "that class" stands for a course named before."""
    return bool(SAME_COURSE.search(fold(text)))


def _title_tokens(intent: Intent) -> list[Token]:
    stems = set(titles.target_stems(intent))
    course = range(intent.course[1], intent.course[2]) if intent.course else range(0)
    return [
        token
        for token in intent.tokens
        if token.stem in stems and token.start not in course and token.word not in intent.services
    ]


def _details(intent: Intent) -> set[Token]:
    hits = [hit for hit in lexicon.aspects().hits(intent.tokens) if hit.name == "detail" and hit.end - hit.start <= 2]
    return {intent.tokens[at] for hit in hits for at in range(hit.start, hit.end)}
