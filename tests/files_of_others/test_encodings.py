"""Texts of others in the encodings of their countries: read as what they are, or refused with what to do.

The siblings follow public reports: chardet 132 and uchardet 16 (Windows-1251), charlock_holmes 19, miniProxy 60 and grab
176 (what a page declares).
"""

import pytest

from services.files.upload import FileRefused
from tests.files_of_others import case
from tests.files_of_others.doors import attached, material, require, web_page

CHINESE = "渗透作用是水分子通过半透膜的扩散。请在周五之前交作业。"
JAPANESE = "浸透とは、水が半透膜を通って移動することです。金曜日までに提出してください。"
KOREAN = "삼투는 물이 반투막을 통해 이동하는 현상입니다. 금요일까지 제출하세요."
RUSSIAN = "Осмос — это движение воды через мембрану. Сдайте работу до пятницы."
POLISH = "Zażółć gęślą jaźń. Oddaj pracę do piątku, proszę."
FRENCH = "Le café est fermé. Rendez le devoir avant vendredi, s’il vous plaît — merci."


@pytest.mark.parametrize(
    ("text", "content"),
    [
        pytest.param(case("B33-gbk").decode("gb18030"), case("B33-gbk"), id="B33"),
        pytest.param(CHINESE, CHINESE.encode("gb18030"), id="GBK"),
        pytest.param(
            "滲透作用是水分子通過半透膜的擴散。", "滲透作用是水分子通過半透膜的擴散。".encode("big5"), id="Big5"
        ),
        pytest.param(JAPANESE, JAPANESE.encode("shift_jis"), id="Shift-JIS"),
        pytest.param(JAPANESE, JAPANESE.encode("euc_jp"), id="EUC-JP"),
        pytest.param(KOREAN, KOREAN.encode("euc_kr"), id="EUC-KR"),
        pytest.param(RUSSIAN, RUSSIAN.encode("cp1251"), id="Windows-1251"),
        pytest.param(RUSSIAN.replace("—", "-"), RUSSIAN.replace("—", "-").encode("koi8_r"), id="KOI8-R"),
        pytest.param(POLISH, POLISH.encode("cp1250"), id="Windows-1250"),
        pytest.param(FRENCH, FRENCH.encode("cp1252"), id="Windows-1252"),
        pytest.param("café", "café".encode("cp1252"), id="one word"),
        pytest.param("El niño comió una piña", "El niño comió una piña".encode("latin-1"), id="Latin-1"),
        pytest.param("Grüße", "Grüße ".encode() * 200 + "ü".encode()[:1], id="UTF-8 that was cut"),
    ],
)
def test_a_text_is_read_in_the_encoding_of_its_country(text: str, content: bytes) -> None:
    words = " ".join(text.split())

    require(material(content, "notes.txt"), (words,))
    require(attached(content, "notes.txt"), (words,))


@pytest.mark.parametrize(
    ("text", "content"),
    [
        pytest.param("Осмос — это движение воды через мембрану.", case("B34.html"), id="B34"),
        pytest.param(
            "Осмос",
            b'<html><head><meta http-equiv="Content-Type" content="text/html; charset=koi8-r"><body><p>'
            + "Осмос в клетке растения".encode("koi8_r"),
            id="http-equiv",
        ),
        pytest.param(
            JAPANESE,
            b"<html><head><meta charset=Shift_JIS></head><body><p>" + JAPANESE.encode("shift_jis"),
            id="without quotes",
        ),
        pytest.param(
            "Ödev",
            b'<?xml version="1.0" encoding="iso-8859-9"?><html><body><p>'
            + "Ödevi cuma gününe kadar".encode("iso-8859-9"),
            id="XML",
        ),
    ],
)
def test_what_a_page_declares_counts_for_a_file_too(text: str, content: bytes) -> None:
    require(material(content, "page.html"), (text,))
    require(attached(content, "page.html"), (text,))
    require(web_page(content.replace(b"<p>", b"<p>" + b"x " * 20)), (text,))


def test_a_declaration_that_is_wrong_is_not_believed() -> None:
    require(material(b'<meta charset="big5"><p>' + RUSSIAN.encode(), "page.html"), (RUSSIAN,))


@pytest.mark.parametrize("content", [bytes(range(128, 256)) * 30, b"\x81\x8d\x8f" * 400, b"text\0\x01\x02" * 50])
def test_what_is_no_text_for_certain_is_refused_with_what_to_do(content: bytes) -> None:
    with pytest.raises(FileRefused) as refused:
        material(content, "notes.txt")

    assert "UTF-8" in refused.value.next_step
