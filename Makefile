# The README's two commands are `make run` and `make test`.
PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8000
VENV := .venv
BIN := $(VENV)/bin
UV := $(BIN)/uv pip sync --python $(BIN)/python --quiet --require-hashes --compile-bytecode

ALONE := .venv-core

.PHONY: run test demo walk check bench setup dev messages format lock help

help:  ## what can be made
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || { echo "Python 3.11 or newer is needed (set PYTHON=…)."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; $(PYTHON) is older (set PYTHON=…)."; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.uv: | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==0.13.8
	@touch $@

# The installed set is whichever was asked for last; dev holds all of core.
$(VENV)/.core: requirements/core.txt | $(VENV)/.uv
	@test -e $(VENV)/.dev || $(UV) requirements/core.txt
	@touch $@

$(VENV)/.dev: requirements/dev.txt | $(VENV)/.uv
	$(UV) requirements/dev.txt
	@touch $@

# Core, and what runs a test.
$(VENV)/.walk: requirements/walk.txt | $(VENV)/.uv
	$(UV) requirements/walk.txt
	@touch $@

$(VENV)/.messages: $(wildcard locale/*/LC_MESSAGES/*.po) | $(VENV)/.core
	@for po in $(wildcard locale/*/LC_MESSAGES/*.po); do \
	  $(BIN)/pybabel --quiet compile --input-file $$po --output-file $${po%.po}.mo || exit 1; done
	@touch $@

setup: $(VENV)/.core $(VENV)/.messages
dev: $(VENV)/.dev $(VENV)/.messages

run: setup  ## install, load the sample programme, start web and worker
	@HOST=$(HOST) PORT=$(PORT) $(BIN)/python -m config.dev_server

demo: setup  ## run the sample programme through the whole process, headless
	@$(BIN)/python -m config.dev_server --demo

# The demo first: once the tools of the tests are there, it no longer has core alone.
walk:  ## the demo and the walk tests in an environment that has only what the product installs
	@$(MAKE) --no-print-directory demo VENV=$(ALONE)
	@$(MAKE) --no-print-directory $(ALONE)/.walk VENV=$(ALONE)
	@! $(ALONE)/bin/python -c 'import scipy' 2>/dev/null || { echo "scipy can be imported: this is not core alone"; exit 1; }
	DEBUG=1 $(ALONE)/bin/python -m pytest tests/walk tests/results/method_comparison/test_page.py

# Rewriting the tests' assertions takes seven seconds of each process: pytest keeps them between runs,
# unless this variable is set.
test: dev  ## run the whole suite (ARGS="…" are given to pytest)
	DEBUG=1 PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n 2 --dist loadscope --no-loadscope-reorder $(ARGS)

check: dev  ## formatters, linter, types, migrations, architecture
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/djangofmt --check templates
	$(BIN)/lint-imports --no-cache
	DEBUG=1 $(BIN)/python manage.py makemigrations --check --dry-run
	DEBUG=1 $(BIN)/python manage.py check
	DEBUG=1 $(BIN)/mypy --no-error-summary config curation rubrics review judge
	DEBUG=1 $(BIN)/python manage.py process_diagram --check
	DEBUG=1 $(BIN)/python manage.py reference --check

bench: dev  ## benchmarks; JSON in var/bench/
	DEBUG=1 $(BIN)/python -m benchmarks
	DEBUG=1 $(BIN)/python -m benchmarks.alignment
	$(BIN)/python -m benchmarks.judging

format: dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/djangofmt templates

messages: dev  ## collect the texts to translate (needs GNU gettext)
	DEBUG=1 $(BIN)/python manage.py makemessages --locale zh_Hans --no-obsolete --no-wrap --add-location file --ignore '.venv*/*' --ignore 'var/*' --ignore 'tests/*'

lock: $(VENV)/.uv  ## pin requirements/*.in with hashes, without any host name
	for set in core walk dev; do \
	  $(BIN)/uv pip compile --quiet --generate-hashes --no-header --no-annotate requirements/$$set.in -o requirements/$$set.txt || exit 1; done
