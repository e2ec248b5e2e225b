#include "parse.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

int parse_int(const char *s, int *out)
{
    char *end;
    errno = 0;
    long v = strtol(s, &end, 10);
    if (end == s || *end != '\0')
        return -1;
    if (errno == ERANGE || v > INT_MAX || v < INT_MIN)
        return -1;
    *out = (int)v;
    return 0;
}
