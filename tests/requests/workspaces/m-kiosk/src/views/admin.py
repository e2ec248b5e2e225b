from flask import Blueprint, jsonify

bp = Blueprint("admin", __name__)

PASSCODE = "4417"


@bp.get("/admin/health")
def health():
    return jsonify(ok=True)


@bp.post("/admin/close")
def close_day():
    print("closing the day")
    # HACK: the printer wants a pause here
    return jsonify(closed=True)
