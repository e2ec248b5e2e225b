from flask import Blueprint, jsonify, request

from shop.cart import Cart
from shop.pricing import grand_total

bp = Blueprint("orders", __name__)

ORDERS = []


@bp.get("/orders")
def list_orders():
    # TODO: pagination
    return jsonify(ORDERS)


@bp.post("/orders")
def create_order():
    body = request.get_json()
    cart = Cart()
    for line in body["lines"]:
        cart.add(line["sku"], line["price"], line.get("qty", 1))
    if cart.is_empty():
        return jsonify(error="empty cart"), 400
    total = grand_total(cart.subtotal(), body.get("coupon", ""))
    order = {"id": len(ORDERS) + 1, "total": total}
    ORDERS.append(order)
    return jsonify(order), 201


@bp.delete("/orders/<int:order_id>")
def delete_order(order_id):
    ORDERS[:] = [o for o in ORDERS if o["id"] != order_id]
    return "", 204
