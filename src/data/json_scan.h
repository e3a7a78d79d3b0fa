/*
 * What the JSON reader, printer and tags share about single strings: scanning for the bytes that need care, hashing.
 * Private to src/data.
 *
 * Scanning works in blocks of JSON_SCAN_BYTES, with SSE2 where every CPU has it, else in 64-bit words.  (JSON_PORTABLE
 * chooses the words everywhere: the tests run both.)  A byte is plain when it is ASCII, printable as itself in a JSON
 * string and does not end one: neither control character, quotation mark, backslash nor above 0x7F.
 */
#ifndef WRIT_DATA_JSON_SCAN_H
#define WRIT_DATA_JSON_SCAN_H

#include "base/macros.h"

#include <string.h>

#if defined(__SSE2__) && !defined(JSON_PORTABLE)
#define JSON_SSE2 1
#include <emmintrin.h>
#else
#define JSON_SSE2 0
#endif

#define JSON_SCAN_BYTES 16

/* Number of plain bytes at the start of a block, 16 when all are.  Reads the whole block. */
static inline size_t json_scan_plain(const char *block)
{
#if JSON_SSE2
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)block);
    /* A signed comparison catches control characters and bytes above 0x7F at once. */
    __m128i low = _mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20));
    __m128i quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
    __m128i backslash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
    unsigned special = (unsigned)_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(low, quote), backslash));
    return (size_t)__builtin_ctz(special | 0x10000U);
#else
    const uint64_t ones = 0x0101010101010101U, tops = 0x8080808080808080U;
    for (size_t at = 0; at < JSON_SCAN_BYTES; at += 8) {
        uint64_t word;
        memcpy(&word, block + at, sizeof word);
        /* The classic test for a byte below n.  Borrows may only flag bytes above the first true one, and that one is
         * what is asked for. */
        uint64_t quote = word ^ (ones * '"'), backslash = word ^ (ones * '\\');
        uint64_t special = ((word - ones * 0x20) | (quote - ones) | (backslash - ones) | word) & tops;
        if (special)
            return at + (size_t)__builtin_ctzll(special) / 8;
    }
    return JSON_SCAN_BYTES;
#endif
}

/* Mixes the ends of a string: `head` its first and `tail` its last 8 bytes as words; when it is shorter, both are all
 * of it, padded with zeros. */
static inline uint16_t json_hash_ends(uint64_t head, uint64_t tail, size_t length)
{
    uint64_t mixed = (head + length) * 0x9E3779B97F4A7C15U + tail * 0xC2B2AE3D27D4EB4FU;
    return (uint16_t)(mixed >> 48);
}

/* writ_json_hash for a string behind which 8 bytes may be read.  Without a branch on the length, which is hard to
 * predict. */
static inline uint16_t json_hash_padded(const char *bytes, size_t length)
{
    static const uint64_t masks[9] = {
        0, 0xFF, 0xFFFF, 0xFFFFFF, 0xFFFFFFFF, 0xFFFFFFFFFF, 0xFFFFFFFFFFFF, 0xFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF};
    size_t end = length < 8 ? length : 8;
    uint64_t head, tail;
    memcpy(&head, bytes, sizeof head);
    memcpy(&tail, bytes + (length - end), sizeof tail);
    return json_hash_ends(head & masks[end], tail & masks[end], length);
}

#endif
