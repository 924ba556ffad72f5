"""Program of the real Anki, run in `.venv-anki`: imports a package twice, tells its cards as JSON, and exports anew.

Anki is under the AGPL: it is the other side in tests only, and shares no process with Homeroom.
"""

import json
import sys
import tempfile
from pathlib import Path

from anki.collection import (  # type: ignore[import-not-found]
    Collection,
    ExportAnkiPackageOptions,
    ImportAnkiPackageOptions,
    ImportAnkiPackageRequest,
)


def main(source: str, target: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        collection = Collection(str(Path(folder) / "collection.anki2"))
        options = ImportAnkiPackageOptions(with_scheduling=True)
        request = ImportAnkiPackageRequest(package_path=source, options=options)
        new = [len(collection.import_anki_package(request).log.new) for _ in range(2)]
        cards = [collection.get_card(id) for id in collection.find_cards("")]
        told = {
            card.note().guid: [
                collection.decks.name(card.did),
                card.type,
                card.queue,
                card.ivl,
                [entry.button_chosen for entry in reversed(collection.card_stats_data(card.id).revlog)],
            ]
            for card in cards
        }
        out = ExportAnkiPackageOptions(with_scheduling=True, with_media=True)
        collection.export_anki_package(out_path=target, options=out, limit=None)
        collection.close()
    sys.stdout.write(json.dumps({"new": new, "cards": told}))


if __name__ == "__main__":
    main(*sys.argv[1:])
