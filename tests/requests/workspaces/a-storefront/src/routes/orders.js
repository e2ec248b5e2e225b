const express = require('express');
const { Basket } = require('../basket');
const { rupees } = require('../currency');

const router = express.Router();

router.post('/', (req, res) => {
  const basket = new Basket();
  for (const line of req.body.lines) {
    basket.add(line.product, line.qty);
  }
  console.log('order', basket.lines.length);
  res.status(201).json({ gross: rupees(basket.gross()) });
});

// TODO: cancel within 30 minutes
router.delete('/:id', (req, res) => {
  res.status(501).end();
});

module.exports = router;
