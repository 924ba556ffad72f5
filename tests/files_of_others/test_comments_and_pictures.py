"""What reviewers wrote on slides and in texts, and what authors wrote about their pictures (Tika 3193 and 4087)."""

import pytest

from tests.document_samples import relations, shape, slides
from tests.files_of_others.doors import attached, material, require
from tests.files_of_others.test_new_kinds import odt
from tests.files_of_others.word_markup import docx, par, run

P = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
THREADS = 'xmlns:t="http://schemas.microsoft.com/office/powerpoint/2018/8/main"'
WP = 'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"'


def reviewed(comments: str, authors: str, kind: str) -> bytes:
    return slides(
        shape("Osmosis moves water"),
        parts={
            "ppt/slides/_rels/slide1.xml.rels": relations({"rId1": ("comments", "../comments/c1.xml")}).encode(),
            "ppt/comments/c1.xml": comments.encode(),
            "ppt/_rels/presentation.xml.rels": relations(
                {"rId1": ("slide", "slides/slide1.xml"), "rId9": (kind, "people.xml")}
            ).encode(),
            "ppt/people.xml": authors.encode(),
        },
    )


OLD = reviewed(
    f'<p:cmLst {P}><p:cm authorId="3"><p:pos x="1" y="2"/><p:text>Is this right?</p:text></p:cm></p:cmLst>',
    f'<p:cmAuthorLst {P}><p:cmAuthor id="3" name="Ana Ruiz"/></p:cmAuthorLst>',
    "commentAuthors",
)
THREAD = reviewed(
    f'<t:cmLst {THREADS} {A}><t:cm authorId="{{7}}"><t:replyLst><t:reply authorId="{{8}}"><t:txBody><a:bodyPr/>'
    "<a:p><a:r><a:t>Yes, see chapter 4.</a:t></a:r></a:p></t:txBody></t:reply></t:replyLst><t:txBody><a:bodyPr/>"
    "<a:p><a:r><a:t>Is this </a:t></a:r><a:r><a:t>right?</a:t></a:r></a:p></t:txBody></t:cm></t:cmLst>",
    f'<t:authorLst {THREADS}><t:author id="{{7}}" name="Ana Ruiz"/><t:author id="{{8}}" name="Ben"/></t:authorLst>',
    "authors",
)
NOBODY = reviewed(f'<p:cmLst {P}><p:cm authorId="9"><p:text>Why?</p:text></p:cm></p:cmLst>', "<x/>", "commentAuthors")


def picture(description: str) -> str:
    return (
        run("")
        + f'<w:r><w:drawing><wp:inline {WP}><wp:docPr id="1" descr="{description}"/></wp:inline></w:drawing></w:r>'
    )


def old_picture(description: str) -> str:
    return f'<w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml" alt="{description}"/></w:pict></w:r>'


WORDS = "A cell in salt water shrinks"
COMMENT = (
    '<office:annotation><dc:creator xmlns:dc="http://purl.org/dc/elements/1.1/">Ana</dc:creator>'
    "<text:p>Why is</text:p><text:p>this so?</text:p></office:annotation>"
)


@pytest.mark.parametrize(
    ("name", "content", "right", "wrong"),
    [
        pytest.param(
            "a.pptx",
            OLD,
            ("Osmosis moves water", "[Comment by Ana Ruiz: Is this right?]"),
            (),
            id="a comment on a slide",
        ),
        pytest.param(
            "a.pptx",
            THREAD,
            ("[Comment by Ana Ruiz: Is this right?]", "[Comment by Ben: Yes, see chapter 4.]"),
            (),
            id="a thread on a slide",
        ),
        pytest.param("a.pptx", NOBODY, ("[Comment: Why?]",), (), id="a comment of nobody"),
        pytest.param(
            "a.odt",
            odt(f"<text:p>Cells{COMMENT} shrink</text:p>"),
            ("Cells shrink", "[Comment by Ana: Why is this so?]"),
            (),
            id="a comment in ODT",
        ),
        pytest.param("a.docx", docx(par(picture(WORDS))), (f"[Picture: {WORDS}]",), ("not read",), id="Word"),
        pytest.param("a.docx", docx(par(old_picture(WORDS))), (f"[Picture: {WORDS}]",), (), id="Word 2007"),
        pytest.param("a.docx", docx(par(picture("C:\\pictures\\scan 1.png"))), (), ("scan",), id="a file's name"),
    ],
)
def test_comments_and_descriptions_are_read(
    name: str, content: bytes, right: tuple[str, ...], wrong: tuple[str, ...]
) -> None:
    require(material(content, name), right, wrong)
    require(attached(content, name), right, wrong)
