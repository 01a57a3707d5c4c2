"""`python -m move37.cli` is `move37`."""

from move37.cli.run import main

main()
