"""Program of the process that packs texts, started by `services.materials.ingestion.packer`."""

from services.files.reader_process import serve_process
from services.materials.ingestion.packer import serve_pack

if __name__ == "__main__":
    serve_process({"pack": serve_pack})
