#include "ringbuf.h"

void rb_init(ringbuf *rb)
{
    rb->head = 0;
    rb->tail = 0;
    rb->count = 0;
}

int rb_push(ringbuf *rb, int value)
{
    if (rb->count == RB_CAPACITY)
        return RB_EFULL;
    rb->data[rb->head] = value;
    rb->head = (rb->head + 1) % RB_CAPACITY;
    rb->count++;
    return RB_OK;
}

int rb_pop(ringbuf *rb, int *value)
{
    if (rb->count == 0)
        return RB_EEMPTY;
    *value = rb->data[rb->tail];
    rb->tail = (rb->tail + 1) % RB_CAPACITY;
    rb->count--;
    return RB_OK;
}

int rb_peek(const ringbuf *rb, int *value)
{
    if (rb->count == 0)
        return RB_EEMPTY;
    *value = rb->data[rb->tail];
    return RB_OK;
}

size_t rb_len(const ringbuf *rb)
{
    return rb->count;
}
