const fs = require('fs');
const path = require('path');

function loadSettings() {
  const file = path.join(__dirname, '..', 'config', 'settings.json');
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}

module.exports = { loadSettings };
