#!/bin/sh
# prints the services that are not healthy
python3 - <<'PY'
import json
d = json.load(open("deploy/services.json"))
for s in d["services"]:
    if not s["healthy"]:
        print(s["name"], "is DOWN on port", s["port"])
PY
