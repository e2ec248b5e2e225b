#!/usr/bin/env bash
# Asks Switchboard something over HTTP, shows each step, and lets you answer when it asks for approval.
#
#     ask.sh "Read README.md and tell me what it is about" [SESSION]
#
# SWITCHBOARD_URL is the server's address (http://127.0.0.1:7878), SWITCHBOARD_AUTH_TOKEN its token if it has one.
# Ends with 0 if the message was answered and with 1 if not. Needs curl and jq.
set -euo pipefail
server=${SWITCHBOARD_URL:-http://127.0.0.1:7878}
[ $# -ge 1 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 1; }

# post PATH JSON: the answer as it comes; whatever is refused says what happened and what to do next. The token and the
# message do not stand in arguments, which other users of the machine can see.
post() {
  curl --silent --show-error --no-buffer --fail-with-body --data-binary @- \
    --header 'Content-Type: application/json' --header 'Accept: text/event-stream, application/json' \
    --config <([ -z "${SWITCHBOARD_AUTH_TOKEN:-}" ] || printf 'header = "Authorization: Bearer %s"\n' "$SWITCHBOARD_AUTH_TOKEN") \
    "$server$1" <<<"$2"
}

# show FILTER [OPTION] <<<JSON: prints what jq's filter makes of it. What cannot be seen, such as what moves a terminal's
# cursor or turns text round, is shown as a sign.
show() {
  jq -r "${@:2}" 'def unseen: (. < 32 and . != 9 and . != 10) or (. >= 127 and . < 160) or
      . == (173, 847, 1564, 4447, 4448, 6068, 6069, 12644, 65279, 65440) or (. >= 6155 and . <= 6159) or
      (. >= 8203 and . <= 8207) or (. >= 8232 and . <= 8238) or (. >= 8288 and . <= 8303) or (. >= 55296 and . <= 63743) or
      (. >= 65520 and . <= 65531) or (. >= 113824 and . <= 113827) or (. >= 119155 and . <= 119162) or . >= 917504;
    '"$1"' | explode | map(if any(unseen; .) then 65533 else . end) | implode'
}

problem() { show '"\(.status): \(.detail). \(.suggestion // "")"' <<<"$1" >&2 2>/dev/null || true; exit 1; }

session=${2:-}
if [ -z "$session" ]; then
  created=$(post /api/sessions '{}') || problem "$created"
  session=$(jq -r .sessionId <<<"$created")
fi
echo "session $session"

# The frames come on the standard input of the loop; you answer on what was the script's own.
exec 3<&0
message=$(jq -n --arg text "$1" --arg id "$(cat /proc/sys/kernel/random/uuid 2>/dev/null || uuidgen)" '{text: $text, messageId: $id}')
post "/api/sessions/$session/messages" "$message" | {
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in data:*) frame=${line#data:} ;; '{'*) problem "$line" ;; *) continue ;; esac
    case $(jq -r .type <<<"$frame") in
      agent-thinking) show '". \(.step): \(.message)"' <<<"$frame" ;;
      approval-request)
        show '"? may \(.tool) run with \(.arguments | tojson) [y/n] "' --join-output <<<"$frame"
        IFS= read -r answer <&3 || answer=
        case $answer in y | Y | yes) decision=allow-once ;; *) decision=deny ;; esac
        echo "$decision"
        # A call that is answered elsewhere meanwhile is fine.
        post "/api/sessions/$session/approvals/$(jq -r '.callId | @uri' <<<"$frame")" "{\"decision\": \"$decision\"}" >/dev/null 2>&1 || true
        ;;
      user-query)
        show '("? \(.message)\n", ((.choices // []) | to_entries[] | "  \(.key + 1)  \(.value.label)\n"), "? ")' --join-output <<<"$frame"
        IFS= read -r answer <&3 || answer=
        echo "$answer"
        # A choice is answered by its number; an empty line dismisses the question.
        reply=$(jq -c --arg line "$answer" 'if .choices then .choices[($line | tonumber? // 0) - 1 | if . < 0 then 999 else . end] as $choice
          | if $choice then {answer: $choice.value} else {} end elif $line == "" then {} else {answer: $line} end' <<<"$frame")
        post "/api/sessions/$session/queries/$(jq -r '.queryId | @uri' <<<"$frame")" "$reply" >/dev/null 2>&1 || true
        ;;
      tool-call-start) show '"> \(.tool) \(.arguments | tojson)"' <<<"$frame" ;;
      tool-call-end) show '(if .success then "< done" else "< failed: \(.error)" end)' <<<"$frame" ;;
      agent-response | command-response) show .text <<<"$frame"; cat >/dev/null; exit 0 ;;
      agent-error | command-error) show .text <<<"$frame"; cat >/dev/null; exit 1 ;;
    esac
  done
  # Losing the connection loses nothing: the turn goes on, and the same message with the same id gives its frames again.
  echo 'the connection was lost before the answer came' >&2
  exit 1
}
