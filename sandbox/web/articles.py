"""The texts of the outside web: one file each in `pages/`, dressed in one of the sites' `shells/`."""

from dataclasses import dataclass
from datetime import datetime
from functools import cache
from html import escape
from pathlib import Path
from string import Template

from sandbox.campus import Campus

HERE = Path(__file__).parent
ADDRESSES = {
    "news/library-hours": "news-library-hours",
    "news/registration": "news-registration",
    "news/career-fair": "news-career-fair",
    "library/hours": "library-hours",
    "library/citing": "library-citing",
    "blog/study-tips": "study-tips",
    "blog/playlists": "injected",
    "wiki/Bandung_Conference": "wiki-bandung",
    "wiki/Photosynthesis": "wiki-photosynthesis",
    "es/biblioteca": "es-biblioteca",
    "cafe/menu": "latin1-kafe",
}


@dataclass(frozen=True, kw_only=True)
class Article:
    """`body` is HTML; `days` counts from today; `shell` names the site's frame."""

    path: str
    title: str
    author: str
    days: int
    shell: str
    summary: str
    section: str
    lang: str
    body: str

    def url(self, campus: Campus) -> str:
        return f"{campus.origin}/web/{self.path}"

    def published(self, campus: Campus) -> datetime:
        return campus.local(self.days, 9, 15)

    def words(self, campus: Campus) -> str:
        """The body with the campus's own address in it."""
        return self.body.replace("{origin}", campus.origin)


@cache
def articles() -> dict[str, Article]:
    """Every article by its path."""
    return {path: _read(path, HERE / "pages" / f"{name}.html") for path, name in ADDRESSES.items()}


def html(article: Article, campus: Campus, *, charset: str = "utf-8") -> str:
    """The whole page as its site shows it."""
    published = article.published(campus)
    values = {
        "title": escape(article.title),
        "author": escape(article.author),
        "summary": escape(article.summary),
        "section": escape(article.section),
        "lang": article.lang,
        "charset": charset,
        "url": article.url(campus),
        "published": published.isoformat(),
        "day": f"{published:%B} {published.day}, {published.year}",
        "body": article.words(campus),
    }
    return _shell(article.shell).substitute(values)


@cache
def _shell(name: str) -> Template:
    return Template((HERE / "shells" / f"{name}.html").read_text(encoding="utf-8"))


def _read(path: str, file: Path) -> Article:
    head, _, body = file.read_text(encoding="utf-8").partition("\n\n")
    fields = {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in head.splitlines())}
    return Article(
        path=path,
        title=fields["title"],
        author=fields["author"],
        days=int(fields["days"]),
        shell=fields["shell"],
        summary=fields["summary"],
        section=fields.get("section", "Campus"),
        lang=fields.get("lang", "en"),
        body=body,
    )
