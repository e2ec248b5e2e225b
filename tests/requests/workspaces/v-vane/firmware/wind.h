#ifndef VANE_WIND_H
#define VANE_WIND_H

#include <stdint.h>

void  wind_init(void);
void  wind_pulse_isr(void);
float wind_speed(uint16_t pulses, uint16_t seconds);
float wind_gust(void);
int   wind_dir_deg(uint16_t adc);

#endif
