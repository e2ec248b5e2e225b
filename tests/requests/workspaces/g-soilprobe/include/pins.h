#ifndef PINS_H
#define PINS_H

#define PIN_LED        13
#define PIN_SENSOR_PWR 4
#define PIN_SENSOR_ADC 27
#define PIN_BAT_ADC    28
#define PIN_RADIO_CS   10
#define PIN_RADIO_IRQ  2
#define PIN_RADIO_RST  9

#endif
