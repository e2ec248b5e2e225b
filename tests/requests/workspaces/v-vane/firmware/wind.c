#include "wind.h"
#include "config.h"

static volatile uint16_t pulses;
static float gust;

/* ADC limits of the eight reed contacts, N first */
static const uint16_t limits[8] = { 785, 461, 92, 184, 287, 630, 944, 886 };

void wind_init(void)
{
    pulses = 0;
    gust = 0.0f;
}

void wind_pulse_isr(void)
{
    pulses++;
}

float wind_speed(uint16_t n, uint16_t seconds)
{
    if (seconds == 0)
        return 0.0f;
    return WIND_FACTOR * n / seconds;
}

float wind_gust(void)
{
    float now = wind_speed(pulses, GUST_WINDOW_S);
    if (now > gust)
        gust = now;
    return gust;
}

int wind_dir_deg(uint16_t adc)
{
    int best = 0, i;
    uint16_t d = 1024;
    for (i = 0; i < 8; i++) {
        uint16_t e = adc > limits[i] ? adc - limits[i] : limits[i] - adc;
        if (e < d) {
            d = e;
            best = i;
        }
    }
    return best * 45;   /* TODO: 16 directions */
}
