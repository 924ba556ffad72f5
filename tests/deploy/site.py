"""Site of replicas on MongoDB behind a proxy, with a campus that outlives them."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pymongo import MongoClient

from bench.load.app_server import AppServer
from services.settings import new_vault_key
from tests.deploy.proxy import Proxy
from tests.mongo_server import MongoServer


@dataclass(frozen=True)
class Site:
    """What runs. campus: plays the outside world, so that no replica that dies takes it along."""

    proxy: Proxy
    uri: str
    campus: AppServer
    replicas: tuple[AppServer, ...]

    @property
    def url(self) -> str:
        return self.proxy.url

    def stored_status(self, conversation: str) -> str:
        """How the last answer of a chat ended."""
        return str(self._last_turn(conversation)["status"])

    def stored_text(self, conversation: str) -> str:
        """What another replica knows of an answer that runs: what came up to a second ago."""
        return str(self._last_turn(conversation).get("unsaved", ""))

    def stored_questions(self) -> dict[str, int]:
        """How many questions stand in each chat."""
        with MongoClient[dict[str, Any]](self.uri) as client:
            asked = client.get_default_database()["messages"].find({"role": "user"})
            return dict(Counter(str(message["conversation_id"]) for message in asked))

    def stored_notices(self) -> list[Any]:
        """What answers that did not end well say."""
        with MongoClient[dict[str, Any]](self.uri) as client:
            return [turn["notice"] for turn in client.get_default_database()["turns"].find({"notice": {"$ne": None}})]

    def _last_turn(self, conversation: str) -> dict[str, Any]:
        with MongoClient[dict[str, Any]](self.uri) as client:
            turns = client.get_default_database()["turns"].find({"conversation_id": conversation})
            return max(turns, key=lambda turn: str(turn["started_at"]))


@contextmanager
def running_site(folder: Path, proxy: type[Proxy], *, replicas: int = 2) -> Iterator[Site]:
    """All of it in processes of its own, from ready to killed."""
    names = [f"replica-{number}" for number in range(1, replicas + 1)]
    folders = {name: folder / name for name in ("mongo", "campus", "proxy", *names)}
    for path in folders.values():
        path.mkdir()
    mongo, front = MongoServer(folders["mongo"]), proxy(folders["proxy"])
    mongo.start()
    uri = f"{mongo.uri}/homeroom"
    secrets = {"HOMEROOM_COOKIE_SECRET": "c" * 40, "HOMEROOM_VAULT_KEYS": new_vault_key()}
    campus = AppServer(folders["campus"], {"HOMEROOM_PUBLIC_URL": front.url, "MONGODB_URI": ""})
    # As in life the model is not behind the proxy: what an old one drops of its words is no answer of ours.
    model = {"ANTHROPIC_API_KEY": "demo", "ANTHROPIC_BASE_URL": f"{campus.url}/sandbox/anthropic"}
    shared = {"HOMEROOM_PUBLIC_URL": front.url, "MONGODB_URI": uri, **secrets, **model}
    first, *others = [AppServer(folders[name], shared) for name in names]
    try:
        with ThreadPoolExecutor() as pool:
            # The first replica lays the database out.
            list(pool.map(AppServer.start, (campus, first)))
            list(pool.map(AppServer.start, others))
        front.start([server.port for server in (first, *others)], campus=campus.port)
        yield Site(front, uri, campus, (first, *others))
    finally:
        front.stop()
        for server in (campus, first, *others):
            if server.is_running:
                server.kill()
        mongo.kill()
