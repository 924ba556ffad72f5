"""`Provenance`: whose words the result of a tool is made of."""

from enum import StrEnum


class Provenance(StrEnum):
    """Origin of the words of a result; where nothing is declared it counts as `MIXED`, the careful side."""

    PRIVATE = "private"
    """The student's own accounts and plans."""
    OPERATOR = "operator"
    """Chosen by whoever runs Homeroom."""
    PUBLIC = "public"
    """Found by a search engine or in the campus's feeds, where anybody may post."""
    STRANGERS = "strangers"
    """Pages that anybody may have written for whoever reads them."""
    MIXED = "mixed"
    """The student's own, with words in it that somebody else may have written for whoever reads them."""
    SHARED = "shared"
    """The student's own accounts, where others can write too: invitations, announcements, pages that are shared."""
    MODEL = "model"
    """Made by another model from private things: of these only the sources count."""

    @property
    def is_private(self) -> bool:
        """Whether it must not be told to anybody by an address."""
        return self not in (Provenance.OPERATOR, Provenance.PUBLIC, Provenance.STRANGERS)

    @property
    def is_of_strangers(self) -> bool:
        """Whether somebody may have put an address there to learn from it that it is opened."""
        return self in (Provenance.STRANGERS, Provenance.MIXED)
