export class Board {
  constructor(width, height) {
    this.width = width;
    this.height = height;
  }

  wrap(pos) {
    return {
      x: (pos.x + this.width) % this.width,
      y: (pos.y + this.height) % this.height,
    };
  }

  // TODO: walls for level 3
  isInside(pos) {
    return pos.x >= 0 && pos.y >= 0 && pos.x < this.width && pos.y < this.height;
  }
}
