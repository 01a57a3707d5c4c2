"""A GTP program without any package: it answers genmove from its arguments, and goes wrong in the ways programs do.

Arguments: vertices to play in turn (then pass), or MODE=COMMAND, which does MODE when COMMAND comes: `die`, `hang`,
`refuse`, `noise` (writes lines before the answer), `garbage` (answers nonsense), `list` (answers with all commands).
"""

from __future__ import annotations

import sys
import time


def main() -> None:
    modes = {word.split("=")[1]: word.split("=")[0] for word in sys.argv[1:] if "=" in word}
    moves = [word for word in sys.argv[1:] if "=" not in word]
    log: list[str] = []
    for line in sys.stdin:
        words = line.split()
        number = words.pop(0) if words[0].isdigit() else ""
        command, *arguments = words
        log.append(" ".join([command, *arguments]))
        mode = modes.get(command, "")
        answer = "= fake"
        if command == "genmove":
            answer = f"= {moves.pop(0) if moves else 'pass'}"
        if mode == "die":
            print("out of luck", file=sys.stderr)
            sys.exit(3)
        if mode == "hang":
            time.sleep(600)
        if mode == "noise":
            print("loading...\n\n= 5 not an answer\n=0 old\n\nWARNING: something", flush=True)
        if mode == "refuse":
            answer = "? I would rather not"
        if mode == "garbage":
            answer = "= somewhere"
        if mode == "list":
            answer = "= " + "; ".join(log)
        print(f"{answer[0]}{number}{answer[1:]}\n", flush=True)
        if command == "quit":
            return


main()
