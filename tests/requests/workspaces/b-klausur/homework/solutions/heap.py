class Heap:
    """A binary min-heap."""

    def __init__(self):
        self.items = []

    def push(self, x):
        self.items.append(x)
        i = len(self.items) - 1
        while i > 0 and self.items[(i - 1) // 2] > self.items[i]:
            p = (i - 1) // 2
            self.items[p], self.items[i] = self.items[i], self.items[p]
            i = p

    def peek(self):
        return self.items[0]


if __name__ == "__main__":
    h = Heap()
    for x in (5, 3, 8, 1):
        h.push(x)
    print(h.items)
