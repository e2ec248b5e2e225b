#ifndef VANE_CONFIG_H
#define VANE_CONFIG_H

#define FW_VERSION        "0.4.1"

#define BAUD_RATE         19200
#define SEND_INTERVAL_S   60

/* wind */
#define WIND_PIN          3
#define WIND_FACTOR       0.667f   /* m/s per Hz */
#define GUST_WINDOW_S     3
#define DEBOUNCE_MS       8

/* rain */
#define RAIN_PIN          2
#define RAIN_MM_PER_TIP   0.2794f

/* BME280 */
#define BME_ADDR          0x76
#define ALTITUDE_M        212

#endif
