function rupees(value) {
  return '\u20b9' + value.toFixed(2);
}

function paise(value) {
  return Math.round(value * 100);
}

module.exports = { rupees, paise };
