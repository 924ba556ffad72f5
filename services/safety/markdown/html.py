"""HTML of sanitised Markdown, for a page that inserts it as it is (`services.safety.markdown.sanitiser` comes before).

Only the elements named here are written, with no attribute but those named here; everything else is escaped text.
"""

from collections.abc import Callable, Mapping, Sequence
from html import escape

from markdown_it.common.utils import unescapeAll
from markdown_it.token import Token

from services.safety.link_urls import canonical_url
from services.safety.markdown.parser import parse

_ALIGNMENTS = {"text-align:left": "left", "text-align:center": "center", "text-align:right": "right"}
_PLAIN = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "li", "blockquote", "table", "thead", "tbody", "tr"})
_PLAIN_INLINE = frozenset({"em", "strong", "s"})
_TASKS = {"[ ] ": "<input type=checkbox disabled>", "[x] ": "<input type=checkbox disabled checked>"}


def to_html(markdown: str) -> list[str]:
    """HTML of each top-level block of `sanitise`'s Markdown.

    Links open in a new tab without an opener, and only with an address of http, https or mailto.
    """
    blocks: list[list[str]] = []
    tokens = parse(markdown)
    for token, before in zip(tokens, [None, *tokens], strict=False):
        if token.level == 0 and token.nesting >= 0:
            blocks.append([])
        if blocks:
            blocks[-1].append(_block(token, before))
    return [html for parts in blocks if (html := "".join(parts))]


def _block(token: Token, before: Token | None) -> str:
    tag = token.tag
    match token.type:
        case "inline":
            return _inline(token.children or [], is_task=_begins_item(before))
        case "fence" | "code_block":
            return _code(token)
        case "math_block":
            return f"<p>{_formula(token.content, is_display=True)}</p>"
        case "hr":
            return "<hr>"
        case "ordered_list_open":
            return f'<ol start="{int(token.attrs.get("start", 1))}">'
        case "ordered_list_close":
            return "</ol>"
        case "th_open" | "td_open":
            return f"<{tag}{_aligned(token)}>"
        case "th_close" | "td_close":
            return f"</{tag}>"
        case "footnote_reference_open":
            return f"<section><sup>{escape(str(token.meta.get('label', '')))}</sup>"
        case "footnote_reference_close":
            return "</section>"
    if tag not in _PLAIN or token.hidden:
        return ""
    return f"<{tag}>" if token.nesting == 1 else f"</{tag}>"


def _begins_item(before: Token | None) -> bool:
    return before is not None and before.type == "paragraph_open"


def _code(token: Token) -> str:
    language = unescapeAll(token.info).split()
    marked = f' class="language-{escape(language[0])}"' if language else ""
    return f"<pre><code{marked}>{escape(token.content)}</code></pre>"


def _aligned(token: Token) -> str:
    side = _ALIGNMENTS.get(str(token.attrs.get("style", "")))
    return f' align="{side}"' if side else ""


def _formula(tex: str, *, is_display: bool) -> str:
    return f'<span class="formula" data-display="{str(is_display).lower()}">{escape(tex.strip())}</span>'


def _inline(tokens: Sequence[Token], *, is_task: bool) -> str:
    return "".join(_run(token, is_task=is_task and at == 0) for at, token in enumerate(tokens))


def inline_html(tokens: Sequence[Token]) -> str:
    """HTML of the words of one block."""
    return _inline(tokens, is_task=False)


def _run(token: Token, *, is_task: bool) -> str:
    if token.type == "text":
        task = _TASKS.get(token.content[:4].lower()) if is_task else None
        return f"{task} {escape(token.content[4:])}" if task else escape(token.content)
    if (write := _INLINE.get(token.type)) is not None:
        return write(token)
    if token.tag in _PLAIN_INLINE:
        return f"<{token.tag}>" if token.nesting == 1 else f"</{token.tag}>"
    return escape(token.content)


def _link(token: Token) -> str:
    address = str(token.attrs.get("href", ""))
    if address.startswith("mailto:") or canonical_url(address):
        return f'<a href="{escape(address)}" target="_blank" rel="noopener noreferrer nofollow">'
    return "<a>"


_INLINE: Mapping[str, Callable[[Token], str]] = {
    "softbreak": lambda token: "\n",
    "hardbreak": lambda token: "<br>",
    "code_inline": lambda token: f"<code>{escape(token.content)}</code>",
    "math_inline": lambda token: _formula(token.content, is_display=False),
    "link_open": _link,
    "link_close": lambda token: "</a>",
    "footnote_ref": lambda token: f"<sup>{escape(str(token.meta.get('label', '')))}</sup>",
}
