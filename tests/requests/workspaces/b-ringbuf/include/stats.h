#ifndef STATS_H
#define STATS_H

#include "ringbuf.h"

double rb_mean(const ringbuf *rb);
int rb_max(const ringbuf *rb);

#endif
