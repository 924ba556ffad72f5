"""`make bench`: starts, streaming, store reads and memory, as one set of tables; name sections to run only those."""

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from bench import (
    conversations,
    discovery,
    idle_tabs,
    insights,
    live,
    page_growth,
    pages,
    plans,
    quizzes,
    resolution,
    starts,
    store_reads,
    today,
    tools,
    week,
    words,
)
from bench.files import attachments, documents, of_others
from bench.load.table import Rows, print_table
from bench.materials import class_load as material_class
from bench.materials import ingestion as material_ingestion
from bench.materials import questions as material_questions
from bench.materials import search as material_search
from bench.study import reviews as study_reviews
from bench.study import term as study_term


def main(arguments: Sequence[str]) -> None:
    options = _options(arguments)
    wanted = [name for name in SECTIONS if any(f"{name}_".startswith(f"{part}_") for part in options.sections)]
    unknown = set(options.sections) - set(SECTIONS)
    if unknown:
        sys.exit(f"There is no section {', '.join(sorted(unknown))}. There are: {', '.join(SECTIONS)}.")
    SECTIONS["discovery"] = (discovery.TITLE, discovery.HEAD, lambda _: discovery.measured(options.data))
    print(f"{os.cpu_count()} cores, {os.getloadavg()[0]:.1f} processes wanted one when this began.")
    for name in wanted or SECTIONS:
        title, head, measure = SECTIONS[name]
        with tempfile.TemporaryDirectory() as folder:
            print_table(title, head, measure(Path(folder)))


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Prints what was measured, in tables.")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"some of {', '.join(SECTIONS)}")
    parser.add_argument(
        "--data", type=Path, default=discovery.REPORTED, metavar="FILE", help="labelled messages for discovery"
    )
    return parser.parse_args(arguments)


SECTIONS: dict[str, tuple[str, Sequence[str], Callable[[Path], Rows]]] = {
    "starts": ("Start", starts.HEAD, starts.measure),
    "reads": ("Store", store_reads.HEAD, store_reads.measure),
    "resolution": ("Resolution, ten assistants", resolution.HEAD, lambda _: resolution.measure()),
    "tools": ("Tools: requests and time of twenty common questions", tools.HEAD, tools.measure),
    "insights": ("Insights: counting a request, and reading a term", insights.HEAD, insights.measure),
    "conversations": ("Conversations: long ones, and many", conversations.HEAD, conversations.measure),
    "discovery": (discovery.TITLE, discovery.HEAD, lambda _: discovery.measured()),
    "plans": (plans.TITLE, plans.HEAD, plans.measure),
    "words": (words.TITLE, words.HEAD, words.measure),
    "files": (attachments.TITLE, attachments.HEAD, attachments.measure),
    "documents": (documents.TITLE, documents.HEAD, documents.measure),
    "others": (of_others.TITLE, of_others.HEAD, of_others.measure),
    "hostile": (documents.HOSTILE_TITLE, documents.HOSTILE_HEAD, documents.measure_hostile),
    "materials": (material_questions.TITLE, material_questions.HEAD, material_questions.measure),
    "materials_ingestion": (material_ingestion.TITLE, material_ingestion.HEAD, material_ingestion.measure),
    "materials_class": (material_class.TITLE, material_class.HEAD, material_class.measure),
    "materials_speed": (material_search.TITLE, material_search.HEAD, material_search.measure),
    "study_reviews": (study_reviews.TITLE, study_reviews.HEAD, study_reviews.measure),
    "study_term": (study_term.TITLE, study_term.HEAD, study_term.measure),
    "study_quizzes": (quizzes.TITLE, quizzes.HEAD, quizzes.measure),
    "pages": (pages.TITLE, pages.HEAD, pages.measure),
    "growth": (page_growth.TITLE, page_growth.HEAD, page_growth.measure),
    "today": (today.TITLE, today.HEAD, today.measure),
    "week": (week.TITLE, week.HEAD, week.measure),
    "tabs": ("Idle chats", idle_tabs.HEAD, idle_tabs.measure),
    "live": (live.TITLE, live.HEAD, live.measure),
    "parts": (live.PARTS_TITLE.format(live.PARTS_SIZE), live.PARTS_HEAD, live.measure_parts),
    "demo": (
        "Live answers, the model inside the app's own process as in the demo",
        live.HEAD,
        lambda data_dir: live.measure(data_dir, crowds=(50,), rounds=1, only=("ours",), is_model_inside=True),
    ),
}

if __name__ == "__main__":
    main(sys.argv[1:])
