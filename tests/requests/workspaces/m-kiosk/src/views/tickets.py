from flask import Blueprint, request, jsonify

from src.prices import calc_total

bp = Blueprint("tickets", __name__)


@bp.post("/tickets")
def buy():
    kinds = request.json["kinds"]
    print("buying", kinds)
    # TODO: refuse more than MAX_TICKETS
    return jsonify(total=calc_total(kinds))


@bp.get("/tickets/<number>")
def show(number):
    # TODO: look it up in the db
    return jsonify(number=number, state="valid")


@bp.delete("/tickets/<number>")
def cancel(number):
    return "", 204
