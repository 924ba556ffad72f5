"""Journal (WAL) of an SQLite file: whether it ends in the middle of a commit, as after a cut or a power failure."""

import struct
from pathlib import Path

_HEADER, _FRAME = struct.Struct(">8I"), struct.Struct(">6I")
_MAGIC = (0x377F0682, 0x377F0683)


def is_journal_cut(database: Path) -> bool:
    """Whether frames of a commit that is not whole stand last in the journal; for a start, before others write.

    SQLite leaves them out without a word, and so what was written in them (sqlite.org/fileformat.html#walformat). A
    journal that was cut between two commits cannot be told from a shorter one.
    """
    try:
        with Path(f"{database}-wal").open("rb") as journal:
            head = journal.read(_HEADER.size)
            if len(head) < _HEADER.size or (fields := _HEADER.unpack(head))[0] not in _MAGIC:
                return 0 < len(head) < _HEADER.size
            page_size, salts, is_whole = fields[2], fields[4:6], True
            while frame := journal.read(_FRAME.size):
                if len(frame) < _FRAME.size:
                    return True
                _, pages_after_commit, *rest = _FRAME.unpack(frame)
                if tuple(rest[:2]) != salts:
                    # An older journal lies behind the end of this one.
                    return not is_whole
                if len(journal.read(page_size)) < page_size:
                    return True
                is_whole = pages_after_commit > 0
            return not is_whole
    except OSError:
        return False
