"""A search that is extended while it is undecided: by visits alone, and never beyond a request to stop."""

from __future__ import annotations

from dataclasses import replace

import pytest

from move37.errors import ConfigError
from move37.search.extension import Extended
from move37.search.limits import Progress, StopRequest, VisitLimit, limit


def test_visits_are_extended_while_the_search_is_undecided_and_nothing_else_binds() -> None:
    undecided = Progress(100, 90, 50, 1.0, 3, undecided=True)
    extended = Extended(limit(100), 2.0)
    assert extended.visits_left(undecided) == 90
    assert extended.visits_left(replace(undecided, visits=180, new_visits=170)) == 10
    assert extended.visits_left(replace(undecided, visits=190, new_visits=180)) == 0
    assert Extended(limit(100), 2.0).visits_left(replace(undecided, undecided=False)) == 0
    assert Extended(limit(100), 1.0).visits_left(undecided) == 0
    assert Extended(limit(100, seconds=0.5), 2.0).visits_left(undecided) == 0
    assert Extended(limit(100, nodes=50), 2.0).visits_left(undecided) == 0
    stop = StopRequest()
    both = Extended(limit(100, stop=stop), 2.0)
    assert both.visits_left(undecided) == 90
    stop.stop()
    assert both.visits_left(undecided) == 0
    with pytest.raises(ConfigError, match="extended"):
        Extended(VisitLimit(3), 0.5)
