"""The Go Text Protocol, version 2: the wire (`protocol`), our side (`engine`), other programs (`client`)."""
