import os

from flask import Flask, jsonify, render_template

from shop.api.orders import bp as orders_bp
from shop.config import load_config


def create_app(env=None):
    """Build the Flask application."""
    app = Flask(__name__)
    app.config.update(load_config(env or os.environ.get("SHOP_ENV", "dev")))
    app.register_blueprint(orders_bp, url_prefix="/api")

    @app.route("/")
    def index():
        return render_template("index.html")

    @app.route("/healthz")
    def healthz():
        return jsonify(ok=True)

    # TODO: rate limit the login form
    @app.route("/login", methods=["POST"])
    def login():
        return jsonify(error="not implemented"), 501

    return app
