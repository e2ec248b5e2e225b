#ifndef PARSE_H
#define PARSE_H

int parse_int(const char *s, int *out);

#endif
