import json
from pathlib import Path

CONFIG_DIR = Path(__file__).resolve().parent.parent / "config"


def load_config(env):
    """Read config/<env>.json."""
    path = CONFIG_DIR / f"{env}.json"
    with open(path) as fh:
        return json.load(fh)
