"""What a renderer would act on in a piece of Markdown."""

from collections.abc import Container

from services.safety.markdown.parser import parse


def acting(markdown: str, allowed: Container[str]) -> list[str]:
    """Images, links to unknown addresses, HTML and diagrams, as the parser finds them."""
    tokens = [inner for token in parse(markdown) for inner in (token, *(token.children or []))]
    links = [str(token.attrs["href"]) for token in tokens if token.type == "link_open"]
    return [
        *(token.content for token in tokens if token.type in ("image", "html_inline", "html_block")),
        *(link for link in links if link not in allowed),
        *(token.info for token in tokens if token.type == "fence" and "mermaid" in token.info.lower()),
    ]
