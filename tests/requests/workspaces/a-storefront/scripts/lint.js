const fs = require('fs');
const path = require('path');

let bad = 0;
function walk(dir) {
  for (const e of fs.readdirSync(dir, { withFileTypes: true })) {
    const p = path.join(dir, e.name);
    if (e.isDirectory()) walk(p);
    else if (p.endsWith('.js')) {
      fs.readFileSync(p, 'utf8').split('\n').forEach((line, i) => {
        if (line.includes('\t') || line.length > 80) {
          console.log(`${p}:${i + 1}: tab or long line`);
          bad += 1;
        }
      });
    }
  }
}
walk('src');
console.log(`${bad} problems`);
process.exit(bad ? 1 : 0);
