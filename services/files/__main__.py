"""Program of a reader process: reads the files of its input under the memory limit that its argument names, in bytes.

macOS refuses a limit of the address space (`ValueError`): there files are read without
it, within their time all the same.
"""

import resource
import sys
from contextlib import suppress

from services.files.jobs import JOBS
from services.files.reader_process import serve

if __name__ == "__main__":
    limit = int(sys.argv[1])
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    serve(sys.stdin.buffer, sys.stdout.buffer, JOBS)
