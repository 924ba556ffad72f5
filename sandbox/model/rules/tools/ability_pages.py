"""Special abilities around single pages of the web that go before all others: a summary is more than reading."""

from sandbox.model.rules.tools.ability_row import URL, Row

SUMMED_UP = (
    r"\b(?:summar\w*|sum(?:s|med)?\b.{0,40}\bup|gist\s+of|(?:key|main)\s+points|tl;?dr"
    r"|resum\w*|puntos\s+(?:clave|principales))\b"
)
ROWS = {
    "summarise_page": Row(
        r"research summar|summar\w* (?:web )?(?:page|url)|(?:page|url|web) summar",
        rf"(?:{SUMMED_UP}.*{URL}|{URL}.*{SUMMED_UP})",
        unless=r"(?:\b(?:add|put|create|remind|save|anade|crea|guarda)\b|\bgit\s?hub\b)",
        whole=True,
    ),
}
