"""`make candidates`: tools that several students' messages needed and did not bring, as lines for the next training."""

import json
import sys

from services import settings as configuration
from services.discovery.retrieval_misses import RetrievalMisses
from services.runtime.clock import utc_now
from services.storage.engines import open_engine
from services.storage.store import Store


def main() -> None:
    """Write them to the terminal, the most frequent first: read them, mend the labels, then put them into `data/`."""
    store = Store(open_engine(configuration.from_process()))
    try:
        for candidate in RetrievalMisses(store, utc_now).candidates():
            sys.stdout.write(json.dumps(candidate, ensure_ascii=False) + "\n")
    finally:
        store.close()


if __name__ == "__main__":
    main()
