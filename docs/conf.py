"""Sphinx configuration: MyST pages, the furo theme, no extension that imports the package."""

from __future__ import annotations

from importlib.metadata import version as installed_version

project = "move37"
author = "The move37 authors"
project_copyright = "The move37 authors"
release = installed_version("move37")
version = release

extensions = ["myst_parser"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
source_suffix = {".md": "markdown"}
exclude_patterns = ["build"]

html_theme = "furo"
html_title = f"move37 {release}"
nitpicky = True
