#include "config.h"
#include "pins.h"
#include "sensor.h"
#include "radio.h"

int main(void)
{
    board_init();
    radio_init(RADIO_FREQ_HZ);
    for (;;) {
        struct reading r;
        if (sensor_read(&r) == 0) {
            radio_send(&r, sizeof r);
        } else {
            led_blink(PIN_LED, 3);
        }
        watchdog_kick();
        sleep_s(SEND_INTERVAL_S);
    }
}
