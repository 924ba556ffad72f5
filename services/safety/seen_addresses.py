"""`SeenAddresses`: which addresses may be opened in a conversation: exactly those that the student or a result named.

A model that was talked into it would write what it knows into an address of its own making. It could also have a tool
say such an address for it, so what a result only repeats from the call's own arguments does not count.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from urllib.parse import unquote

from services.i18n import gettext, gettext_noop
from services.safety.fetch.errors import AddressRefused
from services.safety.fetch.target import parse_address
from services.safety.link_urls import linkable_urls
from services.safety.markdown.escape import EMAIL
from services.safety.provenance import ELSEWHERE, Provenance, ResultProvenance
from services.safety.text import plain

UNKNOWN = gettext_noop("Only addresses that the student wrote, or that an earlier result brought, can be opened.")
ASK = gettext_noop("Ask the student for the address, or find it with a tool first.")

_BARE = re.compile(r"(?<![\w@/:.-])((?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,24}(?::\d{2,5})?(?:/[^\s<>`\"\[\]|\\^{}]*)?)")
_LED_TO = re.compile(r"//([^\s/?#:]+)|(?<![\w.\u3002\uff0e\uff61-])([\w.\u3002\uff0e\uff61-]++)(?=[/?#:])")


class SeenAddresses:
    """Addresses of one conversation, compared to the letter.

    own_origin: the public address of Homeroom, whose own pages nobody opens by a tool.
    Once something private was told, what only a stranger's page named is not known any more: a page could list an
    address for each secret, and which of them is opened would tell it. For the same reason the student confirms what
    others wrote into their accounts and, once something private was read, what a search or a feed brought, where
    anybody may post. What the school wrote is confirmed once something private was told that is not of the very course:
    an instructor could list an address for each secret, too.
    """

    def __init__(self, *, own_origin: str | None = None) -> None:
        self._own_origin = own_origin
        self._forms: set[str] = set()
        self._forms_of_strangers: set[str] = set()
        self._forms_of_others: set[str] = set()
        self._forms_of_public: set[str] = set()
        self._courses_by_form: dict[str, set[str]] = {}
        self._courses_by_mail: dict[str, set[str]] = {}
        self._private_origins: set[str] = set()
        self._has_private = self._has_read_private = False
        self._mails: set[str] = set()
        self._mails_of_strangers: set[str] = set()
        self._mails_of_others: set[str] = set()
        self._mails_of_public: set[str] = set()
        self._student_texts: list[str] = []

    def __contains__(self, url: str) -> bool:
        form = _form(url)
        return (
            form in self._forms
            or (form in self._forms_of_public and not self._has_read_private)
            or (form in self._forms_of_strangers and not self._has_private)
            or self._is_of_the_only_course(self._courses_by_form.get(form or "", ()))
        )

    def needs_confirmation(self, url: str) -> bool:
        """Whether only a text that others can write, and may have written for this, named it: they look at it first."""
        asked_about = self._forms_of_others | self._forms_of_public | self._courses_by_form.keys()
        return url not in self and _form(url) in asked_about

    def knows_email(self, address: str) -> bool:
        """Whether the student wrote this e-mail address, or a result brought it; a stranger's as their links."""
        form = address.casefold()
        return (
            form in self._mails
            or (form in self._mails_of_public and not self._has_read_private)
            or (form in self._mails_of_strangers and not self._has_private)
            or self._is_of_the_only_course(self._courses_by_mail.get(form, ()))
        )

    def email_needs_confirmation(self, address: str) -> bool:
        asked_about = self._mails_of_others | self._mails_of_public | self._courses_by_mail.keys()
        return not self.knows_email(address) and address.casefold() in asked_about

    def _is_of_the_only_course(self, courses: Collection[str]) -> bool:
        """Whether all that is private in this conversation is of the course whose teacher wrote it."""
        return any(self._private_origins <= {course} for course in courses)

    def add_student_text(self, words: str) -> None:
        """Add what the student wrote; a host without a scheme counts too ("library.example.edu/hours")."""
        self._student_texts.append(" ".join(words.casefold().split()))
        bare = [match.rstrip(".,;:!?)'") for match in _BARE.findall(words)]
        self._forms |= self._forms_in([words], [f"{way}://{address}" for address in bare for way in ("https", "http")])
        self._mails |= _mails_in([words])

    def is_written_by_student(self, words: str) -> bool:
        """Whether the student wrote this, such as an e-mail address, as words of its own."""
        wanted = re.compile(rf"(?<![\w.@+-]){re.escape(' '.join(words.casefold().split()))}(?![\w@+-]|\.\w)")
        return any(wanted.search(said) for said in self._student_texts)

    def assume_private(self) -> None:
        """Take it that the model knows private things from elsewhere: a stranger's page then names no address."""
        self._has_private = True

    def add_failure(self, of: ResultProvenance) -> None:
        """Add a failed call: it names no address, but its sentence may tell of what was read."""
        if any(writer.is_private for writer in of.writers):
            self.add_tool_result("", provenance=Provenance.STUDENT)

    def add_result(
        self, output: str, urls: Iterable[str] = (), *, arguments: Iterable[str] = (), of: ResultProvenance
    ) -> None:
        """Add a tool's result, each address by who may have written it."""
        given = list(arguments)
        for writer, trusted in of.trusted.items():
            self.add_tool_result(" ".join(trusted), arguments=given, provenance=writer, origins=of.origins)
        is_of_model = Provenance.MODEL in of.writers
        said = "" if is_of_model else output
        self.add_tool_result(said, urls, arguments=given, provenance=of.worst, origins=of.origins)

    def add_tool_result(
        self,
        output: str,
        urls: Iterable[str] = (),
        *,
        arguments: Iterable[str] = (),
        provenance: Provenance = Provenance.PUBLIC,
        origins: Collection[str] = (ELSEWHERE,),
    ) -> None:
        """Add a tool's result with its sources, except addresses on hosts that the call itself named first."""
        self._private_origins |= set(origins) if provenance.is_private else set()
        self._has_private |= provenance.is_private
        self._has_read_private |= provenance.is_private
        given = list(arguments)
        named = frozenset(host for text in given for host in self._hosts_named_anew(text))
        forms = self._forms_in([output], urls, without=named)
        mails = _mails_in([output]) - _mails_in([*given, *map(unquote, given)])
        if provenance.is_of_others:
            self._forms_of_others |= forms
            self._mails_of_others |= mails
        elif provenance is Provenance.SCHOOL:
            # Of an address that stands in what is of several courses, nobody can say whose it is.
            course = next(iter(origins)) if len(origins) == 1 else ELSEWHERE
            for form in forms:
                self._courses_by_form.setdefault(form, set()).update({course} - {ELSEWHERE})
            for mail in mails:
                self._courses_by_mail.setdefault(mail, set()).update({course} - {ELSEWHERE})
        elif provenance is Provenance.PUBLIC:
            self._forms_of_public |= forms
            self._mails_of_public |= mails
        elif provenance.is_of_strangers:
            self._forms_of_strangers |= forms
            self._mails_of_strangers |= mails
        else:
            self._forms |= forms
            self._mails |= mails

    def _forms_in(
        self, texts: Sequence[str], urls: Iterable[str], *, without: Collection[str] = frozenset()
    ) -> set[str]:
        found = linkable_urls(texts, urls, own_origin=self._own_origin)
        return {form for url in found if _host(url) not in without and (form := _form(url))}

    def _hosts_named_anew(self, text: str) -> Iterator[str]:
        """Hosts with more behind them in words of the model's own, however they are spelled."""
        for said in {text, plain(text), unquote(text)}:
            rest = said
            for url in linkable_urls([said]):
                rest = rest.replace(url, " ") if url in self else rest
            for match in _LED_TO.finditer(rest):
                yield _host(f"http://{match[1] or match[2]}/")


class AddressUnsure(AddressRefused):
    """Only the student can say whether this may be opened: in a chat they are asked, elsewhere it is refused."""


def require_seen_address(url: str, known: SeenAddresses | None, *, is_shown: bool = False) -> None:
    """Raise `AddressRefused` unless the address is known, `AddressUnsure` where the student may say so.

    is_shown: they see it anyway before anything happens.
    """
    if known is not None and known.needs_confirmation(url):
        if is_shown:
            return
        raise AddressUnsure("The web", gettext(UNKNOWN), next_step=gettext(ASK))
    if known is None or url not in known:
        raise AddressRefused("The web", gettext(UNKNOWN), next_step=gettext(ASK))


def _mails_in(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(match[0].casefold().rstrip(".") for text in texts for match in EMAIL.finditer(plain(text)))


def _form(url: str) -> str | None:
    """The address as it would be sent; None for one that never is. Its fragment stays at home."""
    try:
        return parse_address(url).url
    except AddressRefused:
        return None


def _host(url: str) -> str:
    """The host as it would be connected to, however it is spelled; "" for what is never opened."""
    try:
        return parse_address(url).host
    except AddressRefused:
        return ""
