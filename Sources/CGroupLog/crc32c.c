// CRC-32C three ways: the SSE4.2 instruction, the ARMv8 instruction, and tables.

#include "CGroupLog.h"

#include <string.h>

// Slicing by eight (Kounavis and Berry, "A Systematic Approach to Building High Performance,
// Software-based, CRC Generators", 2005). The tables are made once, before main.
static uint32_t tables[8][256];

__attribute__((constructor)) static void make_tables(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t crc = i;
        for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (0x82F63B78u & (0u - (crc & 1)));
        tables[0][i] = crc;
    }
    for (uint32_t i = 0; i < 256; i++) {
        for (int k = 1; k < 8; k++) {
            tables[k][i] = (tables[k - 1][i] >> 8) ^ tables[0][tables[k - 1][i] & 0xFF];
        }
    }
}

uint32_t grouplog_crc32c_portable(uint32_t crc, const void *bytes, size_t count) {
    const uint8_t *p = bytes;
    crc = ~crc;
    while (count >= 8) {
        uint32_t low = crc ^ ((uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
                              (uint32_t)p[3] << 24);
        crc = tables[7][low & 0xFF] ^ tables[6][(low >> 8) & 0xFF] ^
              tables[5][(low >> 16) & 0xFF] ^ tables[4][low >> 24] ^ tables[3][p[4]] ^
              tables[2][p[5]] ^ tables[1][p[6]] ^ tables[0][p[7]];
        p += 8;
        count -= 8;
    }
    while (count-- > 0) crc = (crc >> 8) ^ tables[0][(crc ^ *p++) & 0xFF];
    return ~crc;
}

#if defined(__x86_64__)

__attribute__((target("sse4.2"))) static uint32_t crc32c_sse42(uint32_t crc, const void *bytes,
                                                               size_t count) {
    const uint8_t *p = bytes;
    uint64_t state = ~crc;
    while (count >= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        state = __builtin_ia32_crc32di(state, word);
        p += 8;
        count -= 8;
    }
    uint32_t rest = (uint32_t)state;
    while (count-- > 0) rest = __builtin_ia32_crc32qi(rest, *p++);
    return ~rest;
}

uint32_t grouplog_crc32c(uint32_t crc, const void *bytes, size_t count) {
    if (__builtin_cpu_supports("sse4.2")) return crc32c_sse42(crc, bytes, count);
    return grouplog_crc32c_portable(crc, bytes, count);
}

#elif defined(__aarch64__)

#if defined(__linux__)
#include <sys/auxv.h>
#ifndef HWCAP_CRC32
#define HWCAP_CRC32 (1 << 7)
#endif
static int has_crc(void) { return (getauxval(AT_HWCAP) & HWCAP_CRC32) != 0; }
#elif defined(__APPLE__)
// Every 64-bit Apple processor that runs a supported system has the ARMv8 CRC instructions.
static int has_crc(void) { return 1; }
#else
static int has_crc(void) { return 0; }
#endif

__attribute__((target("crc"))) static uint32_t crc32c_arm(uint32_t crc, const void *bytes,
                                                          size_t count) {
    const uint8_t *p = bytes;
    crc = ~crc;
    while (count >= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        crc = __builtin_arm_crc32cd(crc, word);
        p += 8;
        count -= 8;
    }
    while (count-- > 0) crc = __builtin_arm_crc32cb(crc, *p++);
    return ~crc;
}

uint32_t grouplog_crc32c(uint32_t crc, const void *bytes, size_t count) {
    if (has_crc()) return crc32c_arm(crc, bytes, count);
    return grouplog_crc32c_portable(crc, bytes, count);
}

#else

uint32_t grouplog_crc32c(uint32_t crc, const void *bytes, size_t count) {
    return grouplog_crc32c_portable(crc, bytes, count);
}

#endif
