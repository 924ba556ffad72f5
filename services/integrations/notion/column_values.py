"""Column values of a database entry as a call gives them: read together, so that one error tells all that is wrong."""

from collections.abc import Mapping
from zoneinfo import ZoneInfo

from services.errors import BadArguments
from services.i18n import gettext
from services.integrations.kit.argument_errors import ArgumentErrorCollector
from services.integrations.notion.payloads import Json, NotionPage
from services.integrations.notion.schema import find_column, schema_of, title_property
from services.integrations.notion.values import parse_value
from services.safety.text import one_line

_LONGEST_SHOWN = 60


class ColumnValueReader:
    """Reader of column values for one call; `raise_found` ends it. field: the argument that holds them."""

    def __init__(self, database: NotionPage, *, zone: ZoneInfo, field: str) -> None:
        self._database, self._zone, self._field = database, zone, field
        self._errors = ArgumentErrorCollector()

    def read(self, given: Mapping[str, str], *, entry: str = "") -> Json:
        """Parse values by the database's own columns, in the API's form. entry:
        whose they are, where there are several.

        What cannot be parsed is left out and told by `raise_found`.
        """
        values: Json = {}
        for name, text in given.items():
            try:
                self._read(values, name, text, is_named=bool(entry))
            except BadArguments as problem:
                self._errors.add(value_error(problem, field=self._field, name=name, text=text, entry=entry))
        return values

    def raise_found(self) -> None:
        """Raise `BadArguments` with every entry, column and value that is wrong, if any is."""
        self._errors.raise_found()

    def _read(self, values: Json, name: str, text: str, *, is_named: bool) -> None:
        own = find_column(self._database, name, field=self._field)
        is_title = own == title_property(self._database.json)
        if own in values or (is_title and is_named):
            raise BadArguments(gettext("A column is named twice."), field=self._field)
        if is_title and not text.strip():
            raise BadArguments(gettext("An entry needs a name."), field=self._field)
        values[own] = parse_value(schema_of(self._database)[own], text, zone=self._zone, field=self._field)


def value_error(problem: BadArguments, *, field: str, name: str, text: str, entry: str = "") -> BadArguments:
    """The same error with the column and the value that it is about, and the entry where there are several."""
    whose = f"“{one_line(entry, _LONGEST_SHOWN)}”, " if entry else ""
    place = f"{whose}{one_line(name, _LONGEST_SHOWN)} “{one_line(text, _LONGEST_SHOWN)}”"
    sentence, said = (str(told).removeprefix(f"{field}: ") for told in (problem, problem.said))
    return BadArguments(
        f"{field}: {place}: {sentence}", field=field, next_step=problem.next_step, said=": ".join((place, said))
    )
