#include "config.h"
#include "pins.h"
#include "crc8.h"

static unsigned char frame[32];

int radio_send(const void *data, int len)
{
    if (len > 30) {
        return -1;
    }
    frame[0] = NODE_ID;
    copy(frame + 1, data, len);
    frame[len + 1] = crc8(frame, len + 1);
    gpio_set(PIN_RADIO_CS, 0);
    spi_write(frame, len + 2);
    gpio_set(PIN_RADIO_CS, 1);
    /* FIXME: no retry when the channel is busy */
    return 0;
}
