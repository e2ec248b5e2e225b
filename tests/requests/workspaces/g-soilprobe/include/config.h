#ifndef CONFIG_H
#define CONFIG_H

#define FW_VERSION      "1.7.2"
#define SEND_INTERVAL_S 1200
#define RADIO_FREQ_HZ   868100000UL
#define RADIO_POWER_DBM 14
#define SENSOR_SAMPLES  8
#define BAT_LOW_MV      2700
#define WATCHDOG_MS     5000
#define NODE_ID         0x2A

#endif
