"""The command line, `move37`: thin, and quick to say what it can do.

Only this package uses typer and rich. Each command imports what it needs when it runs; its work is done by the
packages below. A person's mistake ends in one sentence on stderr and exit code 2, an interrupt in 130; a traceback is
always our mistake.
"""

from move37.cli.run import main

__all__ = ["main"]
