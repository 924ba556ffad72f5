"""Environment of a process that serves."""

from collections.abc import Mapping

from services.settings import Settings


def server_environment(settings: Settings, environment: Mapping[str, str]) -> dict[str, str]:
    # numpy would start a thread for every core, each of which waits by turning round: on a busy machine the vector of
    # a question took sixty times as long. What serves has threads of its own (`make bench` measures so, too).
    return {
        "OPENBLAS_NUM_THREADS": "1",
        **environment,
        "STREAMLIT_SERVER_COOKIE_SECRET": settings.cookie_secret,
    }
