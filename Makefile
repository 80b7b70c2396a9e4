# Everything a newcomer and a developer types. Python 3.11 or newer and make are enough to start.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export AWORLD_HOME ?= $(CURDIR)/.aworld

.PHONY: help setup demo test test-long check bench docs screenshots wheel clean

help:
	@echo "make setup      everything that the product needs, in this folder"
	@echo "make demo       set up what is missing, start, open the browser"
	@echo "make test       every quick test: Python, front end, browser"
	@echo "make test-long  what takes longer: other Pythons, the wheel, long runs"
	@echo "make check      types, style, import rules, generated files, migrations"
	@echo "make bench      measure; writes benchmarks/results/latest.json"
	@echo "make docs       the pages that are made from the code"
	@echo "make screenshots  pictures of every page, into docs/screenshots"
	@echo "make wheel      dist/*.whl with the built front end"

setup:
	@$(PYTHON) scripts/bootstrap.py setup

demo:
	@$(PYTHON) scripts/bootstrap.py demo
	@exec $(BIN)/aworld up --demo --open $(ARGS)

test:
	@$(PYTHON) scripts/bootstrap.py test
	@exec $(BIN)/python scripts/run_tests.py quick $(ARGS)

test-long:
	@$(PYTHON) scripts/bootstrap.py test
	@exec $(BIN)/python scripts/run_tests.py long $(ARGS)

check:
	@$(PYTHON) scripts/bootstrap.py test
	@exec $(BIN)/python scripts/run_checks.py $(ARGS)

bench:
	@$(PYTHON) scripts/bootstrap.py test
	@exec $(BIN)/python benchmarks/run.py $(ARGS)

docs:
	@$(PYTHON) scripts/bootstrap.py setup
	@exec $(BIN)/python scripts/make_docs.py

screenshots:
	@$(PYTHON) scripts/bootstrap.py test
	@exec $(BIN)/python scripts/screenshots.py $(ARGS)

wheel:
	@$(PYTHON) scripts/bootstrap.py test
	@exec $(BIN)/python -m build --wheel

clean:
	rm -rf $(VENV) build dist *.egg-info frontend/node_modules frontend/dist
