# quick experiment, not part of anything
import math

def area(r):
    return math.pi * r ** 2

print("area:", round(area(3), 2))
print("total:", sum(range(1, 51)))
