#include <stdio.h>

#include "parse.h"
#include "ringbuf.h"
#include "stats.h"

int main(int argc, char **argv)
{
    ringbuf rb;
    rb_init(&rb);
    for (int i = 1; i < argc; i++) {
        int v;
        if (parse_int(argv[i], &v) != 0) {
            fprintf(stderr, "not a number: %s\n", argv[i]);
            return 2;
        }
        if (rb_push(&rb, v) != RB_OK) {
            fprintf(stderr, "buffer full\n");
            return 3;
        }
    }
    /* FIXME: prints nan without arguments */
    printf("n=%zu mean=%.2f max=%d\n", rb_len(&rb), rb_mean(&rb), rb_max(&rb));
    return 0;
}
