"""What schemathesis has to be told: how lines of JSON are sent, and that whoever shows many wrong tokens has to wait.
Some files are near to an export, the others are anything."""
import schemathesis
from schemathesis.specs.openapi import checks

HEAD = '{"switchboardExport":1,"protocolVersion":1,"sessionId":"7b0e4f6a-3c1d-4b5e-9f70-2a6c8d1e0b34","createdAt":"2026-01-01T00:00:00.000Z","exportedAt":"2026-01-01T00:00:00.000Z","events":0}\n'


@schemathesis.serializer("application/x-ndjson")
def lines(ctx, value):
    if isinstance(value, bytes):
        return value
    text = value if isinstance(value, str) else ""
    return (HEAD + text if len(text) % 2 else text).encode("utf-8", "replace")


# Who showed many wrong tokens is refused with 429 whatever comes next: that is a refusal as well.
checks.AUTH_REJECTION_STATUSES = frozenset({*checks.AUTH_REJECTION_STATUSES, 429})
