import fs from 'node:fs';

fs.mkdirSync('dist', { recursive: true });
const parts = ['src/utils/random.js', 'src/board.js', 'src/score.js', 'src/game.js'];
const out = parts.map((p) => fs.readFileSync(p, 'utf8')).join('\n');
fs.writeFileSync('dist/bundle.js', out);
console.log(`built dist/bundle.js from ${parts.length} files`);
