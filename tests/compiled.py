"""Compiles the tests as pytest does, on all cores, before its workers start: each of them would compile them all."""

import os
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

from _pytest.assertion import AssertionState, rewrite
from _pytest.config import Config, get_config

ROOT = Path(__file__).resolve().parent.parent


def compile_test(file: Path) -> None:
    """Write the code that pytest looks for beside a test file, unless it is there and of this text."""
    compiled = rewrite.get_cache_dir(file) / f"{file.stem}{rewrite.PYC_TAIL}"
    if rewrite._read_pyc(file, compiled) is None:
        source, code = rewrite._rewrite_test(file, _config())
        compiled.parent.mkdir(exist_ok=True)
        rewrite._write_pyc(AssertionState(_config(), "rewrite"), code, source, compiled)


@cache
def _config() -> Config:
    config = get_config()
    config.parse(["--rootdir", str(ROOT), "-p", "no:xdist", "-p", "no:cacheprovider"])
    return config


def main() -> None:
    tests = sorted({*(ROOT / "tests").rglob("test_*.py"), *(ROOT / "tests").rglob("conftest.py")})
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(compile_test, tests, chunksize=16))


if __name__ == "__main__":
    main()
