"""Program of a reader process: reads the files of its input under the memory limit of its argument, in bytes."""

from services.files.jobs import JOBS
from services.files.reader_process import serve_process

if __name__ == "__main__":
    serve_process(JOBS)
