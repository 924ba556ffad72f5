"""Settings that point a demo at the campus that runs beside it."""

import json
from collections.abc import Mapping

CLIENT_ID, CLIENT_SECRET = "homeroom", "homeroom-demo-secret"


def addresses(campus: str) -> dict[str, str]:
    """Where the campus's services are, and the clients that it knows; campus: "http://localhost:8501/sandbox"."""
    return {
        "HOMEROOM_INSTRUCTORS": "anne.okafor@campus.example",
        "OIDC_METADATA_URL": f"{campus}/oidc/.well-known/openid-configuration",
        "OIDC_CLIENT_ID": CLIENT_ID,
        "OIDC_CLIENT_SECRET": CLIENT_SECRET,
        "CANVAS_BASE_URL": f"{campus}/canvas",
        "CANVAS_CLIENT_ID": CLIENT_ID,
        "CANVAS_CLIENT_SECRET": CLIENT_SECRET,
        "GOOGLE_API_BASE_URL": f"{campus}/google",
        "GOOGLE_CLIENT_ID": CLIENT_ID,
        "GOOGLE_CLIENT_SECRET": CLIENT_SECRET,
        "NOTION_API_BASE_URL": f"{campus}/notion",
        "NOTION_CLIENT_ID": CLIENT_ID,
        "NOTION_CLIENT_SECRET": CLIENT_SECRET,
        "GITHUB_API_BASE_URL": f"{campus}/github",
        "GITHUB_TOKEN": "homeroom-demo-github-token",
        "SEARCH_PROVIDER": "searxng",
        "SEARCH_BASE_URL": f"{campus}/web",
        "FEEDS_URLS": f"{campus}/web/feeds/campus-news.xml {campus}/web/feeds/library.atom",
        "CAMPUS_LINKS": json.dumps(_links(f"{campus}/web")),
    }


def played(campus: str | None, environment: Mapping[str, str]) -> frozenset[str]:
    """The variables that lead to the campus because nobody set them; none without a campus."""
    leading = {name: value for name, value in addresses(campus).items() if campus in value} if campus else {}
    return frozenset(name for name, value in leading.items() if environment.get(name) == value)


def _links(web: str) -> list[dict[str, object]]:
    return [
        {
            "title": "Library hours",
            "url": f"{web}/library/hours",
            "note": "Opening times and group rooms",
            "topics": ["library", "rooms", "study"],
        },
        {
            "title": "How to cite",
            "url": f"{web}/library/citing",
            "note": "APA and MLA with examples",
            "topics": ["writing", "citation", "bibliography"],
        },
        {"title": "Study tips", "url": f"{web}/blog/study-tips", "topics": ["tutoring", "exams", "learning"]},
    ]
