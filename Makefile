# make play   set up, then play Go against the bundled network
# make test   set up, then run every check: lint, types, import contracts, tests, docs, wheel
# The first call makes .venv and installs into it; a later one is quick.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
INSTALL := $(PIP) install --quiet --constraint constraints.txt

.DEFAULT_GOAL := help
.PHONY: help play test format lint types tests docs wheel debian clean

help:
	@sed -n 's/^# //p' Makefile

play: $(VENV)/.play
	@$(BIN)/move37 play $(ARGS)

test: lint types tests docs wheel

# What the package is built with comes first, so that pip needs no second environment for the build.
$(VENV)/.builder: constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(INSTALL) hatchling editables
	@touch $@

# Whoever has everything for the tests has everything for a game, so `play` only installs where neither was asked before.
$(VENV)/.play: $(VENV)/.builder pyproject.toml
	@echo "Installing what a game needs (numpy, numba); this takes a minute once."
	@$(INSTALL) --no-build-isolation --editable '.'
	@touch $@

$(VENV)/.test: $(VENV)/.builder pyproject.toml
	@echo "Installing what the tests need; this takes some minutes once."
	@$(INSTALL) --no-build-isolation --editable '.[dev]'
	@touch $@ $(VENV)/.play

# GNU Go is the opponent in the tests of the protocol and of matches.
debian:
	@if command -v gnugo >/dev/null || test -x /usr/games/gnugo; then exit 0; fi; \
	as_root=; test "$$(id -u)" = 0 || as_root="sudo -n"; \
	{ command -v apt-get && $$as_root apt-get update -qq && \
	DEBIAN_FRONTEND=noninteractive $$as_root apt-get install -qq -y --no-install-recommends gnugo; } >/dev/null 2>&1 \
	|| echo "GNU Go could not be installed here: the tests that play against it are skipped, or fail in CI."

lint: $(VENV)/.test
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(VENV)/.test
	$(BIN)/mypy
	$(BIN)/pyright
	$(BIN)/lint-imports --no-cache

tests: $(VENV)/.test debian
	$(BIN)/python -m pytest -n auto --dist loadfile

docs: $(VENV)/.test
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet docs build/docs

# The wheel is laid out in a folder of its own and imported from there, outside the tree.
wheel: $(VENV)/.test
	@rm -rf build/wheel
	$(BIN)/python -m build --wheel --no-isolation --outdir build/wheel . >/dev/null
	$(INSTALL) --no-deps --target build/wheel/site build/wheel/*.whl
	cd / && PYTHONPATH="$(CURDIR)/build/wheel/site" PYTHONSAFEPATH=1 "$(CURDIR)/$(BIN)/python" "$(CURDIR)/tests/support/check_wheel.py"

format: $(VENV)/.test
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
