"""Program of a reader process: reads the files of its input under the memory limit that its argument names, in bytes."""

from services.files.jobs import JOBS
from services.files.reader_process import serve_process

if __name__ == "__main__":
    serve_process(JOBS)
