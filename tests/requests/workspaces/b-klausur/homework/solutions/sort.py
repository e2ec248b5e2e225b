def insertion_sort(a):
    """Sort the list in place and return it."""
    for i in range(1, len(a)):
        x = a[i]
        j = i - 1
        while j >= 0 and a[j] > x:
            a[j + 1] = a[j]
            j -= 1
        a[j + 1] = x
    return a


def inversions(a):
    # quadratic, good enough for the sheet
    n = 0
    for i in range(len(a)):
        for j in range(i + 1, len(a)):
            if a[i] > a[j]:
                n += 1
    return n


if __name__ == "__main__":
    print(insertion_sort([4, 1, 3, 9, 7]))
    print(inversions([4, 1, 3, 9, 7]))
