#include "config.h"
#include "pins.h"

int battery_mv(void)
{
    return adc_read(PIN_BAT_ADC) * 3300L / 4096 * 2;
}

int battery_low(void)
{
    return battery_mv() < BAT_LOW_MV;
}
