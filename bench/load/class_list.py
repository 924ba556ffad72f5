"""A class of students that are signed in: their records in the store, and the cookies that Streamlit would seal."""

import json
import time
from contextlib import closing
from pathlib import Path

from itsdangerous import URLSafeTimedSerializer

from services import settings as configuration
from services.identity.students import Students
from services.runtime.clock import utc_now
from services.storage.engines import open_engine
from services.storage.store import Store

COOKIE = "_streamlit_user"
COOKIE_SECRET = "only-for-benchmarks-0123456789abcdef0123456789abcdef"
SETTINGS = {"HOMEROOM_COOKIE_SECRET": COOKIE_SECRET}
"""Of an app that takes these cookies."""


def enrol(data_dir: Path, url: str, size: int) -> list[dict[str, str]]:
    """Cookies of `size` students of the app at `url`; without its sign-in pages, which would take a minute for 200."""
    settings = configuration.read({"HOMEROOM_DEMO": "1", "HOMEROOM_DATA_DIR": str(data_dir), **SETTINGS})
    issuer, issued_at = f"{url}/sandbox/oidc", int(time.time())
    cookies = []
    with closing(Store(open_engine(settings))) as store:
        students = Students(store, utc_now, secret=COOKIE_SECRET)
        for n in range(size):
            claims = {"iss": issuer, "sub": f"student-{n}", "iat": issued_at, "name": f"Student {n}"}
            claims |= {"email": f"student.{n}@campus.example", "email_verified": True, "zoneinfo": "Europe/Madrid"}
            students.sign_in(
                issuer=issuer,
                subject=str(claims["sub"]),
                name=str(claims["name"]),
                email=str(claims["email"]),
                is_email_verified=True,
                timezone=str(claims["zoneinfo"]),
                locale="en",
                session=issued_at,
            )
            cookies.append({COOKIE: _sealed({**claims, "origin": url, "is_logged_in": True, "provider": "default"})})
    return cookies


def _sealed(claims: dict[str, object]) -> str:
    """As Streamlit 1.67 seals them (`starlette_app_utils.create_signed_value`)."""
    return str(URLSafeTimedSerializer(COOKIE_SECRET, salt=COOKIE).dumps(json.dumps(claims)))
