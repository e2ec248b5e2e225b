"""Parts of tests/bench."""
