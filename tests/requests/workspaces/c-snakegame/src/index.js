import { Game } from './game.js';
import { loadScores } from './score.js';

const PORT = Number(process.env.PORT ?? 5173);

const game = new Game({ width: 20, height: 15, speed: 120 });
const scores = loadScores('data/highscores.json');

console.log(`neon-snake listening on ${PORT}`);
console.log(`best so far: ${scores[0].name} ${scores[0].points}`);
game.step();
// TODO: hook up the renderer
