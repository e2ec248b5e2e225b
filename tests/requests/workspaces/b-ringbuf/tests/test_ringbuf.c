#include <stdio.h>

#include "parse.h"
#include "ringbuf.h"
#include "stats.h"

static int failed = 0;
static int run = 0;

#define CHECK(c)                                             \
    do {                                                     \
        run++;                                               \
        if (!(c)) {                                          \
            failed++;                                        \
            printf("FAIL %s:%d %s\n", __FILE__, __LINE__, #c); \
        }                                                    \
    } while (0)

int main(void)
{
    ringbuf rb;
    int v = 0;
    rb_init(&rb);
    CHECK(rb_len(&rb) == 0);
    CHECK(rb_pop(&rb, &v) == RB_EEMPTY);
    CHECK(rb_push(&rb, 7) == RB_OK);
    CHECK(rb_push(&rb, 9) == RB_OK);
    CHECK(rb_peek(&rb, &v) == RB_OK && v == 7);
    CHECK(rb_mean(&rb) == 8.0);
    CHECK(rb_max(&rb) == 9);
    CHECK(rb_pop(&rb, &v) == RB_OK && v == 7);
    CHECK(parse_int("12", &v) == 0 && v == 12);
    CHECK(parse_int("12x", &v) != 0);
    CHECK(parse_int("-3", &v) == 0 && v == 3);
    printf("%d checks, %d failed\n", run, failed);
    return failed != 0;
}
