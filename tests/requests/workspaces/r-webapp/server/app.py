"""Tidewatch server."""
import os

from flask import Flask, jsonify, request

from db import get_station, list_stations
from utils import fmt_time, slugify

app = Flask(__name__)
MAX_DAYS = 14
DEFAULT_STATION = "husum"


@app.route("/")
def index():
    return app.send_static_file("index.html")


@app.route("/api/stations")
def stations():
    return jsonify(list_stations())


@app.route("/api/tides/<name>")
def tides(name):
    days = min(int(request.args.get("days", 3)), MAX_DAYS)
    station = get_station(slugify(name))
    # TODO: cache this
    return jsonify([fmt_time(t) for t in station.tides(days)])


if __name__ == "__main__":
    app.run(port=int(os.environ.get("APP_PORT", 8080)), debug=True)
