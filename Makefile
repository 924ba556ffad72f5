# What people and continuous integration call. Needs Python 3.11 or newer and make; everything else is fetched here.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.PHONY: help run demo test check format bench train candidates docs assets messages pictures album audit soak image clean install install-workers install-dev install-mongo install-anki install-browser install-node

PY := .venv/bin/python
# What pip installs is compiled afterwards, on all cores.
# Warnings are setuptools' own, of how it builds our components.
PIP := PYTHONWARNINGS=ignore $(PY) -m pip install --quiet --disable-pip-version-check --no-input --no-compile
COMPILE := $(PY) -m compileall -qq -j 0
# Python 3.11 brings one that needs twice the time to find out what fits.
NEW_PIP := pip==26.3
# Even where the machine says otherwise: the tests start some hundred processes, and each would compile all of Homeroom.
PYTEST := PYTHONDONTWRITEBYTECODE= $(PY) -m pytest

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' Makefile | awk -F'|' '{ printf "  make %-8s %s\n", $$1, $$2 }'

run: install install-workers ## Homeroom with its demo campus at http://localhost:8501
	@if [ -z "$${HOMEROOM_DEMO+set}" ] && ! grep -qs '^ *\(export  *\)\{0,1\}HOMEROOM_DEMO *=' .env; then export HOMEROOM_DEMO=1; fi; \
	exec $(PY) manage.py serve

demo: install ## a class of made-up students to show Homeroom with; ARGS=--room lets the room join, nothing is kept
	@exec $(PY) manage.py demo $(ARGS)

test: .venv-made ## every test; fetches Chromium, Node packages and a MongoDB-wire server
	@$(MAKE) --no-print-directory -j4 install-mongo install-browser install-node .tests-compiled
	@$(PYTEST) -m "not soak" -n auto --dist loadfile --no-loadscope-reorder --reruns 1 -rR $(ARGS)

check: install-dev ## format, lint, types, then the tests
	@$(PY) -m ruff format --check .
	@$(PY) -m ruff check .
	@$(PY) -m mypy services api commands training
	@$(MAKE) --no-print-directory test

format: install-dev ## put the code into shape
	@$(PY) -m ruff format .
	@$(PY) -m ruff check --fix .

bench: install-dev ## speed and memory, printed as one set of tables
	@OPENBLAS_NUM_THREADS=1 $(PY) -m bench $(ARGS)

train: ## what finds the contexts of messages, from training/data (a few minutes)
	@cmp -s requirements-train.txt .venv-train/installed.txt || { \
		$(MAKE) --no-print-directory .venv-made && $(PY) -m venv --clear .venv-train && \
		.venv-train/bin/python -m pip install --quiet --disable-pip-version-check --no-input -r requirements-train.txt && \
		cp requirements-train.txt .venv-train/installed.txt; \
	}
	@OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 .venv-train/bin/python -m training

candidates: install ## messages whose tools were found late, without their words, as lines for the next training
	@$(PY) -m training.candidates

docs: install ## write docs/tools.md and docs/settings.md anew, from the tools themselves and .env.example
	@$(PY) -m commands.tool_docs
	@$(PY) -m commands.settings_docs

assets: install-dev ## join Streamlit's modules and FullCalendar, and cut the fonts anew, after a change of a version or of an icon (needs Node)
	@$(PY) -m commands.page_assets

messages: install ## bring the catalogues in services/i18n/locales up to date with the texts that the code marks
	@mkdir -p .cache
	@$(PY) -m babel.messages.frontend -q extract -F babel.cfg -k gettext_noop --add-location=file --sort-by-file --no-wrap -o .cache/homeroom.pot .
	@$(PY) -m babel.messages.frontend -q update -i .cache/homeroom.pot -d services/i18n/locales -D homeroom \
		--no-fuzzy-matching --ignore-obsolete --ignore-pot-creation-date --no-wrap

pictures: install-dev install-browser ## take the README's pictures anew
	@$(PY) -m tests.pictures

album: install-dev install-browser ## a picture of every page and state, and of Today and the week on six days, in each size, theme and language
	@$(PY) -m tests.album

audit: install-dev ## whether what is installed has a known weakness, and whether pypi.org could say
	@cmp -s requirements-audit.txt .venv-audit/installed.txt || { \
		$(PY) -m venv --clear .venv-audit && \
		.venv-audit/bin/python -m pip install --quiet --disable-pip-version-check --no-input -r requirements-audit.txt && \
		cp requirements-audit.txt .venv-audit/installed.txt; \
	}
	@$(PY) -m tests.audit

soak: install-dev install-mongo install-anki install-browser install-node ## the slow, random crash tests, laws with many more examples, and every browser flow on MongoDB
	@$(PYTEST) -m soak -n auto --dist loadfile $(ARGS)
	@HYPOTHESIS_EXAMPLES=500 $(PYTEST) -m "hypothesis and not soak" -n auto --dist loadfile
	@LATER_FIELDS=1 $(PYTEST) -m "not soak and not exact_documents" -n auto --dist loadfile tests/services tests/api tests/pages
	@FLOWS_STORE=mongo $(PYTEST) -m "not soak" --reruns 1 -rR tests/flows

image: install-dev ## build the image on a bare Debian and try it (Debian, as root; some minutes)
	@$(PY) -m tests.deploy.image

clean: ## forget installed packages and caches; the data directory stays
	@rm -rf .venv .venv-mongo .venv-anki .venv-train .venv-audit .cache .pytest_cache .mypy_cache .ruff_cache .hypothesis test-results
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Nothing is installed again while the requirements are the ones that are installed: a second run starts at once.
# Once there is an environment, these may run side by side.

install:
	@sum=$$(cat requirements.txt | cksum); \
	if [ "$$(cat .venv/.installed 2>/dev/null)" != "$$sum" ] || ! [ -x $(PY) ]; then \
		$(MAKE) --no-print-directory .venv-made && \
		echo "Installing what Homeroom runs on (a minute or two, once)…" && \
		$(PIP) -r requirements.txt && $(MAKE) --no-print-directory .compiled && echo "$$sum" > .venv/.installed; \
	fi

# The balancer comes only to those who set HOMEROOM_WORKERS above 1 and have none of their own.
install-workers: install
	@workers="$${HOMEROOM_WORKERS-$$(sed -n 's/^ *\(export  *\)\{0,1\}HOMEROOM_WORKERS *= *//p' .env 2> /dev/null | tail -1)}"; \
	case "$$workers" in ''|1) exit 0;; esac; \
	command -v haproxy > /dev/null || cmp -s requirements-workers.txt .venv/.installed-workers || { \
		$(PIP) -r requirements-workers.txt && cp requirements-workers.txt .venv/.installed-workers; \
	}

install-dev:
	@sum=$$(cat requirements.txt requirements-dev.txt requirements-workers.txt | cksum); \
	if [ "$$(cat .venv/.installed-dev 2>/dev/null)" != "$$sum" ] || ! [ -x $(PY) ]; then \
		$(MAKE) --no-print-directory .venv-made && \
		echo "Installing what the tests need (a minute or two, once)…" && \
		$(PIP) -r requirements-dev.txt && $(MAKE) --no-print-directory .compiled && echo "$$sum" > .venv/.installed-dev && \
		cksum < requirements.txt > .venv/.installed; \
	fi

install-mongo: .venv-made
	@cmp -s requirements-mongo.txt .venv-mongo/installed.txt || $(PY) -m tests.mongo_environment

install-anki: install-dev
	@cmp -s requirements-anki.txt .venv-anki/installed.txt || { \
		$(PY) -m venv --clear .venv-anki && \
		.venv-anki/bin/python -m pip install --quiet --disable-pip-version-check --no-input -r requirements-anki.txt && \
		cp requirements-anki.txt .venv-anki/installed.txt; \
	}

install-browser: install-dev
	@$(PY) -m tests.chromium

install-node: install-dev
	@$(PY) -m tests.node

# Four workers and some hundred processes begin with the same modules: compiled once, not by each. What a library has
# that no Python reads (tests, templates) does not matter.
.PHONY: .compiled
.compiled:
	@$(COMPILE) -x '/tests?/' .venv/lib || :
	@$(COMPILE) app.py manage.py api bench commands components pages sandbox services training ui || :

.PHONY: .tests-compiled
.tests-compiled: install-dev
	@PYTHONDONTWRITEBYTECODE= $(PY) -m tests.compiled

.PHONY: .venv-made
.venv-made:
	@if [ -x $(PY) ] && $(PY) -c 'import pip' 2>/dev/null; then exit 0; fi; \
	for python in $(PYTHON) python3.11 python3.12 python3.13 python3 python; do \
		if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then found=$$python; break; fi; \
	done; \
	if [ -z "$$found" ]; then \
		echo "Homeroom needs Python 3.11 or newer, and none was found. Install it, or say where it is: make run PYTHON=/path/to/python3.11" >&2; exit 1; \
	fi; \
	if ! "$$found" -m venv --clear .venv > /dev/null 2>&1 && [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; then \
		echo "Installing Debian's python3-venv…" && apt-get -qq update > /dev/null && \
		apt-get -qq -y install python3-venv "$$(basename "$$found")-venv" > /dev/null 2>&1; \
	fi; \
	[ -x $(PY) ] && $(PY) -c 'import pip' 2>/dev/null || "$$found" -m venv --clear .venv || { \
		echo "$$found cannot make environments. On Debian and Ubuntu: apt-get install python3-venv, then try again." >&2; \
		rm -rf .venv; exit 1; \
	}; \
	$(PIP) $(NEW_PIP) || :
