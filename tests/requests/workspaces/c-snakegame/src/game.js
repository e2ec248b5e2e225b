import { Board } from './board.js';
import { calcScore } from './score.js';
import { randomInt } from './utils/random.js';

export const START_LENGTH = 3;
const MAX_LIVES = 5;

export class Game {
  constructor({ width, height, speed }) {
    this.board = new Board(width, height);
    this.speed = speed;
    this.lives = MAX_LIVES;
    this.snake = [];
    for (let i = 0; i < START_LENGTH; i++) {
      this.snake.push({ x: 5 - i, y: 5 });
    }
    this.dir = { x: 1, y: 0 };
    this.eaten = 0;
  }

  turn(dir) {
    // FIXME: a quick double turn lets the snake bite its own neck
    this.dir = dir;
  }

  placeFood() {
    this.food = {
      x: randomInt(0, this.board.width - 1),
      y: randomInt(0, this.board.height - 1),
    };
  }

  step() {
    const head = this.board.wrap({
      x: this.snake[0].x + this.dir.x,
      y: this.snake[0].y + this.dir.y,
    });
    this.snake.unshift(head);
    this.snake.pop();
    return calcScore(this.eaten, 1);
  }
}
