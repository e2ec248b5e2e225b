#ifndef RINGBUF_H
#define RINGBUF_H

#include <stddef.h>

#define RB_CAPACITY 16
#define RB_OK 0
#define RB_EFULL -1
#define RB_EEMPTY -2

typedef struct {
    int data[RB_CAPACITY];
    size_t head;
    size_t tail;
    size_t count;
} ringbuf;

void rb_init(ringbuf *rb);
int rb_push(ringbuf *rb, int value);
int rb_pop(ringbuf *rb, int *value);
size_t rb_len(const ringbuf *rb);
int rb_peek(const ringbuf *rb, int *value);

#endif
