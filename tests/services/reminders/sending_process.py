"""A replica that sends what is due until it is killed.

python -m tests.services.reminders.sending_process DATABASE SMTP_URL

It takes no lease: several of them run at once, and the ledger alone keeps each message to one.
"""

import sys
import time
from pathlib import Path

from services.runtime.clock import utc_now
from services.storage.sqlite import SqliteDocuments
from tests.services.reminders.desk import Desk

PAUSE_S = 0.05


def main(database: str, smtp_url: str) -> None:
    desk = Desk(SqliteDocuments(Path(database)), utc_now, smtp_url)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    while True:
        desk.service.run_due()
        time.sleep(PAUSE_S)


if __name__ == "__main__":
    main(*sys.argv[1:])
