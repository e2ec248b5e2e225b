"""Entry point of the kiosk."""
import os
import sys

from flask import Flask

from src import prices
from src.views import tickets, admin

MAX_TICKETS = 12
TIMEOUT_SECONDS = 45


def make_app():
    app = Flask("kiosk")
    app.config["DEBUG"] = os.environ.get("DEBUG") == "true"
    app.register_blueprint(tickets.bp)
    app.register_blueprint(admin.bp)
    # TODO: close the db when the tablet sleeps
    return app


def main():
    port = int(os.environ.get("KIOSK_PORT", "8040"))
    print("starting on", port)
    make_app().run(port=port)


if __name__ == "__main__":
    main()
