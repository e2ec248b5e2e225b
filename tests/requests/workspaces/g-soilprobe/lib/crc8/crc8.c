#include "crc8.h"

unsigned char crc8(const unsigned char *p, int n)
{
    unsigned char crc = 0;
    while (n--) {
        crc ^= *p++;
        for (int i = 0; i < 8; i++) {
            crc = crc & 0x80 ? (crc << 1) ^ 0x07 : crc << 1;
        }
    }
    return crc;
}
