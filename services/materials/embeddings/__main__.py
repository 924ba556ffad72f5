"""Program of the process that makes vectors, started by `services.materials.embeddings.own_vectors`."""

from services.files.reader_process import serve_process
from services.materials.embeddings.own_vectors import serve_embed

if __name__ == "__main__":
    serve_process({"embed": serve_embed})
