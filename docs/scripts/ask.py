#!/usr/bin/env python3
"""Asks Switchboard something over HTTP, shows each step, and lets you answer when it asks for approval.

    python3 ask.py "Read README.md and tell me what it is about" [SESSION]

SWITCHBOARD_URL is the server's address (http://127.0.0.1:7878), SWITCHBOARD_AUTH_TOKEN its token if it has one.
Ends with 0 if the message was answered and with 1 if not. Needs nothing but Python.
"""
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

SERVER = os.environ.get("SWITCHBOARD_URL", "http://127.0.0.1:7878").rstrip("/")
TOKEN = os.environ.get("SWITCHBOARD_AUTH_TOKEN")


def show(text, end="\n", file=sys.stdout):
    """Prints; what cannot be seen, such as what moves a terminal's cursor or turns text round, is shown as a sign."""
    blank = "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"
    seen = (sign if sign in "\n\t \u00a0" or sign.isprintable() and sign not in blank else "\ufffd" for sign in text)
    print("".join(seen), end=end, file=file, flush=True)


def post(path, body):
    """The open answer to a POST of JSON."""
    headers = {"Content-Type": "application/json", "Accept": "text/event-stream, application/json"}
    if TOKEN:
        headers["Authorization"] = f"Bearer {TOKEN}"
    return urllib.request.urlopen(urllib.request.Request(SERVER + path, json.dumps(body).encode(), headers))


def frames(session, message):
    """The frames of the message's turn as they come, up to the one that ends it.

    A connection that is lost loses nothing: the same message with the same id gives the same frames again.
    """
    seen = 0
    while True:
        try:
            with post(f"/api/sessions/{session}/messages", message) as stream:
                for line in stream:
                    if not line.startswith(b"data:"):
                        continue
                    frame = json.loads(line[5:])
                    if frame.get("seq", seen + 1) <= seen:
                        continue
                    seen = frame.get("seq", seen)
                    yield frame
                    if frame["type"] in ("agent-response", "agent-error", "command-response", "command-error"):
                        return
        except urllib.error.HTTPError as problem:
            if problem.code != 503:
                raise
        except (OSError, urllib.error.URLError):
            pass
        print("(connection lost, trying again)", file=sys.stderr)
        time.sleep(1)


def answer_approval(session, request):
    """Shows what will run, asks, and sends the answer. A call that is answered elsewhere meanwhile is fine."""
    arguments = json.dumps(request["arguments"], ensure_ascii=False)
    show(f"? may {request['tool']} run with {arguments} [y/n] ", end="")
    decision = "allow-once" if sys.stdin.readline().strip().lower() in ("y", "yes") else "deny"
    print(decision)
    try:
        post(f"/api/sessions/{session}/approvals/{urllib.parse.quote(request['callId'], safe='')}", {"decision": decision}).close()
    except urllib.error.HTTPError as problem:
        if problem.code != 404:
            raise


def answer_query(session, request):
    """Shows a question with its choices and sends the answer; an empty line dismisses it."""
    choices = request.get("choices", [])
    show("? " + request["message"])
    for number, choice in enumerate(choices, 1):
        show(f"  {number}  {choice['label']}")
    show("? ", end="")
    line = sys.stdin.readline().strip()
    print(line)
    if line.isdigit() and 0 < int(line) <= len(choices):
        body = {"answer": choices[int(line) - 1]["value"]}
    else:
        body = {"answer": line} if line and not choices else {}
    try:
        post(f"/api/sessions/{session}/queries/{urllib.parse.quote(request['queryId'], safe='')}", body).close()
    except urllib.error.HTTPError as problem:
        if problem.code != 404:
            raise


def main():
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    session = sys.argv[2] if len(sys.argv) == 3 else json.load(post("/api/sessions", {}))["sessionId"]
    print(f"session {session}")
    for frame in frames(session, {"text": sys.argv[1], "messageId": str(uuid.uuid4())}):
        kind = frame["type"]
        if kind == "agent-thinking":
            show(f". {frame['step']}: {frame['message']}")
        elif kind == "approval-request":
            answer_approval(session, frame)
        elif kind == "user-query":
            answer_query(session, frame)
        elif kind == "tool-call-start":
            show(f"> {frame['tool']} {json.dumps(frame['arguments'], ensure_ascii=False)}")
        elif kind == "tool-call-end":
            show("< done" if frame["success"] else f"< failed: {frame['error']}")
        elif kind in ("agent-response", "agent-error", "command-response", "command-error"):
            show(frame["text"])
            return 0 if kind.endswith("-response") else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except urllib.error.HTTPError as problem:
        # Whatever is refused is answered with what happened and what to do next.
        details = json.load(problem)
        show(f"{details['status']}: {details['detail']}. {details.get('suggestion', '')}", file=sys.stderr)
        sys.exit(1)
    except urllib.error.URLError as problem:
        sys.exit(f"no server at {SERVER}: {problem.reason}")
