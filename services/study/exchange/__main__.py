"""Program of the process that reads files with cards, started by `services.study.exchange.card_exchange`."""

from services.files.reader_process import serve_process
from services.study.exchange.anki_package import serve_package
from services.study.exchange.card_table import serve_table

if __name__ == "__main__":
    serve_process({"package": serve_package, "table": serve_table})
