"""Storage engines: MongoDB or SQLite, as the settings ask for."""

from services.errors import StorageUnusable
from services.i18n import gettext
from services.settings import Settings
from services.storage.documents import Documents
from services.storage.sqlite import SqliteDocuments

DATABASE_FILE = "homeroom.sqlite"


def open_engine(settings: Settings) -> Documents:
    """Open MongoDB when `mongodb_uri` is set, else SQLite in the data directory.

    The directory is made with mode 0700 when its parent is there, else `StorageUnusable` says what to do. MongoDB is
    reached at the first call, so that Homeroom starts while it is down.
    """
    if settings.mongodb_uri:
        # Imported where it is wanted: the driver costs 0.2 s of every start, and most machines use SQLite.
        from services.storage.mongo import MongoDocuments

        return MongoDocuments(settings.mongodb_uri)
    try:
        settings.data_dir.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        remedy = f"Create the folder {settings.data_dir} for the user that runs Homeroom, or change HOMEROOM_DATA_DIR."
        raise StorageUnusable(gettext("The folder for Homeroom's data cannot be made."), remedy=remedy) from error
    return SqliteDocuments(settings.data_dir / DATABASE_FILE)
