#ifndef CRC8_H
#define CRC8_H

unsigned char crc8(const unsigned char *p, int n);

#endif
