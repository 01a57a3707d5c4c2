"""Analysis for programs and people: the JSON analysis engine, and the review of whole games."""
