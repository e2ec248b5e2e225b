#include "config.h"
#include "pins.h"
#include "sensor.h"

static int avg_adc(int pin)
{
    long sum = 0;
    for (int i = 0; i < SENSOR_SAMPLES; i++) {
        sum += adc_read(pin);
    }
    return (int)(sum / SENSOR_SAMPLES);
}

/* TODO: throw away the first sample, it is always too high */
int sensor_read(struct reading *r)
{
    gpio_set(PIN_SENSOR_PWR, 1);
    sleep_ms(25);
    int raw = avg_adc(PIN_SENSOR_ADC);
    gpio_set(PIN_SENSOR_PWR, 0);
    if (raw < 100 || raw > 4000) {
        return -1;
    }
    r->moisture = raw_to_percent(raw);
    r->battery_mv = battery_mv();
    return 0;
}
