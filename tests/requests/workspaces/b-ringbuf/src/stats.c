#include "stats.h"

/* TODO: handle the empty buffer */
double rb_mean(const ringbuf *rb)
{
    double sum = 0.0;
    for (size_t i = 0; i < rb->count; i++)
        sum += rb->data[(rb->tail + i) % RB_CAPACITY];
    return sum / (double)rb->count;
}

int rb_max(const ringbuf *rb)
{
    int best = rb->data[rb->tail];
    for (size_t i = 1; i < rb->count; i++) {
        int v = rb->data[(rb->tail + i) % RB_CAPACITY];
        if (v > best)
            best = v;
    }
    return best;
}
