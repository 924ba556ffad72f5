"""One worker behind the balancer: `python -m commands.serve.worker SOCKET`, with Streamlit's own server options."""

import sys

import uvicorn
from streamlit.web.server.starlette.starlette_server import _get_uvicorn_config_kwargs

KEEP_ALIVE_S = 20
"""Longer than the balancer keeps a connection idle, so that none ends under a request."""


def main(path: str) -> None:
    """Serve on a Unix socket, whose folder is nobody else's.

    Streamlit 1.67 refuses Unix sockets in `streamlit run`, so its options go to uvicorn from here. Only the balancer
    can speak on the socket, and it tells truly who comes and how.
    """
    options = _get_uvicorn_config_kwargs()
    uvicorn.run("app:app", uds=path, forwarded_allow_ips="*", timeout_keep_alive=KEEP_ALIVE_S, **options)


if __name__ == "__main__":
    main(sys.argv[1])
