"""Says which keys a translation lacks."""
import json
import pathlib

root = pathlib.Path(__file__).parent.parent / "i18n"
en = json.loads((root / "en.json").read_text())
for path in sorted(root.glob("*.json")):
    keys = json.loads(path.read_text())
    missing = [k for k in en if k not in keys]
    print(path.name, "lacks", len(missing), ", ".join(missing))
