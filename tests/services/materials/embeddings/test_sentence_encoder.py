"""The small model of meaning: the numbers that ONNX Runtime makes of the same file, and what is no such file."""

from pathlib import Path

import numpy as np
import pytest

from services.materials.embeddings import sentence_encoder
from services.materials.embeddings.onnx_tensors import read_tensors
from services.materials.embeddings.sentence_encoder import SentenceEncoder
from services.materials.embeddings.word_pieces import WordPieces

REFERENCE = [-0.0173, -0.0587, -0.0243, 0.0196, 0.0153, -0.0592, 0.0452, -0.0252]
"""Of `OSMOSIS`, by ONNX Runtime 1.32."""
PIECES = [101, 1094, 10861, 9686, 2474, 9808, 15530, 2483, 1029, 14477, 20961, 3468, 1050, 999, 1013, 1050, 1034, 1050]
"""Of the tokenizer that comes with the model, but for the mark of the end."""
OSMOSIS = "Osmosis is the movement of water through a membrane."


@pytest.fixture(scope="module")
def encoder() -> SentenceEncoder:
    return SentenceEncoder()


def test_a_text_has_the_vector_that_onnx_runtime_makes(encoder: SentenceEncoder) -> None:
    vector = encoder.encode([OSMOSIS])[0]

    assert vector[:8] == pytest.approx(REFERENCE, abs=2e-4)
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


def test_what_means_the_same_in_other_words_is_nearer_than_what_shares_a_word(encoder: SentenceEncoder) -> None:
    asked = "Why does a cell swell when you put it in pure water?"

    question, same, other = encoder.encode([asked, OSMOSIS, "The prisoner looked at the cell wall."])

    assert question @ same > question @ other + 0.1


def test_a_text_without_an_end_is_read_as_far_as_the_model_goes(encoder: SentenceEncoder) -> None:
    long = f"{OSMOSIS} " * 40

    assert encoder.encode([long])[0] == pytest.approx(encoder.encode([long * 5])[0], abs=1e-5)


def test_texts_that_are_read_together_have_the_same_vectors(encoder: SentenceEncoder) -> None:
    texts = [OSMOSIS, "Rome", f"{OSMOSIS} " * 20]

    together = encoder.encode(texts)

    assert together == pytest.approx(np.concatenate([encoder.encode([text]) for text in texts]), abs=1e-5)


@pytest.mark.parametrize("text", ["", " ", "\x00", "?", "日本語", "a" * 5000])
def test_any_text_has_a_vector(encoder: SentenceEncoder, text: str) -> None:
    assert np.isfinite(encoder.encode([text])).all()


def test_words_are_cut_as_the_model_was_trained() -> None:
    assert WordPieces().numbers("¿Qué es la ósmosis? unaffable n!/n^n", 64) == [*PIECES, 102]


def test_pieces_end_with_their_mark_where_the_text_is_cut() -> None:
    pieces = WordPieces()

    assert pieces.numbers("one two three four", 4) == [*pieces.numbers("one two", 9)[:3], *pieces.numbers("", 2)[1:]]


def test_another_file_is_no_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    other = tmp_path / "model.onnx"
    other.write_bytes(b"\x00" * 64)
    monkeypatch.setattr(sentence_encoder, "model_path", lambda: other)

    with pytest.raises(ValueError, match="not the one"):
        SentenceEncoder()


@pytest.mark.parametrize("content", [b"\xff" * 40, b"\x3a\xff\x01a", b"PK\x03\x04 a zip file"])
def test_what_is_no_onnx_is_told(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(content)

    with pytest.raises(ValueError, match="no ONNX"):
        read_tensors(path)
