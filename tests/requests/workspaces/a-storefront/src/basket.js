const { taxFor } = require('./tax');

class Basket {
  constructor() {
    this.lines = [];
  }

  add(product, qty = 1) {
    this.lines.push({ product, qty });
  }

  net() {
    return this.lines.reduce((sum, l) => sum + l.product.price * l.qty, 0);
  }

  // TODO: round once per basket, not per line
  tax() {
    return this.lines.reduce(
      (sum, l) => sum + taxFor(l.product.category, l.product.price * l.qty), 0);
  }

  gross() {
    return this.net() + this.tax();
  }
}

module.exports = { Basket };
