#include <stdio.h>
#include <string.h>

#include "CPeers.h"

// splitmix64, whose constants are Sebastiano Vigna's.
static uint64_t mixed(uint64_t value) {
    value += 0x9E3779B97F4A7C15;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
    return value ^ (value >> 31);
}

void sample_make(uint64_t number, sample *out) {
    char text[80];
    uint64_t words[2] = {mixed(2 * number), mixed(2 * number + 1)};
    memcpy(out->id, words, sizeof out->id);
    snprintf(text, sizeof text, "https://www.example.com/articles/2026/08/%020llu",
             (unsigned long long)words[0]);
    memcpy(out->url, text, sizeof out->url);
    snprintf(text, sizeof text, "A title of forty bytes, with number %04llu",
             (unsigned long long)(number % 10000));
    memcpy(out->title, text, sizeof out->title);
    out->date = 800000000.0 + (double)number;
    memcpy(out->status, number % 3 ? "open" : "done", sizeof out->status);
}
