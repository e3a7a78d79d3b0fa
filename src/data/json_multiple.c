/*
 * Exact divisibility.  Theory: write both numbers as A * 10^a and B * 10^b, where A and B are integers that do not end
 * in 0.  With k = a - b the question is whether B divides A * 10^k.
 *
 * k < 0: then A would have to be divisible by 10, which it is not.
 * k > 0: of B's prime factors a power of ten can only cancel twos and fives, and B has at most log2(B) of either, less
 * than four for each of its digits.  A larger k therefore gives the same answer as 4 * digits: exponents of any size
 * cost nothing.
 */
#include "data/json_decimal.h"

#define LIMB_BASE 1000000000U /* limbs are nine decimal digits, least significant first */
#define LIMB_DIGITS 9
#define SMALL_DIGITS 18
#define BIG_DIGITS_MAX 4096

#define DIVISOR_LIMBS_MAX (BIG_DIGITS_MAX / LIMB_DIGITS + 1)
#define DIVIDEND_LIMBS_MAX (5 * BIG_DIGITS_MAX / LIMB_DIGITS + 1)

static bool is_multiple_of_small(const struct json_decimal *number, size_t zeros, const struct json_decimal *divisor)
{
    uint64_t modulus = 0, rest = 0;
    const char *at = divisor->digits;
    for (size_t place = 0; place < divisor->count; place++)
        modulus = modulus * 10 + json_decimal_digit(&at);
    /* Below 10^18, ten times the rest and a digit still fit 64 bits. */
    at = number->digits;
    for (size_t place = 0; place < number->count; place++)
        rest = (rest * 10 + json_decimal_digit(&at)) % modulus;
    while (zeros-- > 0 && rest != 0)
        rest = rest * 10 % modulus;
    return rest == 0;
}

/* Fills limbs from the digits followed by `zeros` zeros; returns how many. */
static size_t fill_limbs(uint32_t *limbs, const struct json_decimal *decimal, size_t zeros)
{
    size_t digits = decimal->count + zeros, count = (digits + LIMB_DIGITS - 1) / LIMB_DIGITS;
    memset(limbs, 0, count * sizeof *limbs);
    const char *at = decimal->digits;
    for (size_t place = 0; place < digits; place++) {
        uint32_t *limb = &limbs[(digits - 1 - place) / LIMB_DIGITS];
        *limb = *limb * 10 + (place < decimal->count ? json_decimal_digit(&at) : 0);
    }
    return count;
}

static uint32_t multiply_limbs(uint32_t *limbs, size_t count, uint32_t factor)
{
    uint64_t carry = 0;
    for (size_t at = 0; at < count; at++) {
        carry += (uint64_t)limbs[at] * factor;
        limbs[at] = (uint32_t)(carry % LIMB_BASE);
        carry /= LIMB_BASE;
    }
    return (uint32_t)carry;
}

/* Subtracts factor * divisor from the `count + 1` limbs at `rest`; true when that went below zero. */
static bool subtract_product(uint32_t *rest, const uint32_t *divisor, size_t count, uint64_t factor)
{
    uint64_t carry = 0, borrow = 0;
    for (size_t at = 0; at <= count; at++) {
        carry += at < count ? divisor[at] * factor : 0;
        uint64_t take = carry % LIMB_BASE + borrow;
        carry /= LIMB_BASE;
        borrow = rest[at] < take;
        rest[at] = (uint32_t)(rest[at] + (borrow ? LIMB_BASE : 0) - take);
    }
    return borrow != 0;
}

static void add_back(uint32_t *rest, const uint32_t *divisor, size_t count)
{
    uint32_t carry = 0;
    for (size_t at = 0; at <= count; at++) {
        uint32_t sum = rest[at] + (at < count ? divisor[at] : 0) + carry;
        carry = sum >= LIMB_BASE;
        rest[at] = carry ? sum - LIMB_BASE : sum;
    }
}

/* Long division (Knuth's algorithm D) of which only the remainder is kept. */
static bool is_multiple_of_big(const struct json_decimal *number, size_t zeros, const struct json_decimal *divisor)
{
    uint32_t bottom[DIVISOR_LIMBS_MAX], top[DIVIDEND_LIMBS_MAX + 1];
    if (number->count > BIG_DIGITS_MAX || divisor->count > BIG_DIGITS_MAX)
        return false;
    size_t count = fill_limbs(bottom, divisor, 0), length = fill_limbs(top, number, zeros);
    if (length < count)
        return false;
    /* The first limb of the divisor is made at least half the base: guesses are then wrong by at most two. */
    uint32_t factor = LIMB_BASE / (bottom[count - 1] + 1);
    (void)multiply_limbs(bottom, count, factor);
    top[length] = multiply_limbs(top, length, factor);
    for (size_t step = length - count + 1; step-- > 0;) {
        uint32_t *rest = top + step;
        uint64_t head = (uint64_t)rest[count] * LIMB_BASE + rest[count - 1];
        uint64_t guess = head / bottom[count - 1], left = head % bottom[count - 1];
        while (left < LIMB_BASE &&
               (guess >= LIMB_BASE || guess * bottom[count - 2] > left * LIMB_BASE + rest[count - 2])) {
            guess--;
            left += bottom[count - 1];
        }
        if (subtract_product(rest, bottom, count, guess))
            add_back(rest, bottom, count);
    }
    for (size_t at = 0; at < count; at++) {
        if (top[at] != 0)
            return false;
    }
    return true;
}

bool writ_json_is_multiple(const struct writ_json *number, const struct writ_json *divisor)
{
    if (number->kind == WRIT_JSON_INTEGER && divisor->kind == WRIT_JSON_INTEGER && divisor->integer > 0)
        return number->integer % divisor->integer == 0;
    struct json_decimal dividend, by;
    json_decimal_init(&dividend, number);
    json_decimal_init(&by, divisor);
    if (by.count == 0)
        return false;
    if (dividend.count == 0)
        return true;
    int64_t difference = json_decimal_scale_difference(&dividend, &by) - (int64_t)dividend.count + (int64_t)by.count;
    if (difference < 0)
        return false;
    size_t zeros = difference < 4 * (int64_t)by.count ? (size_t)difference : 4 * by.count;
    return by.count <= SMALL_DIGITS ? is_multiple_of_small(&dividend, zeros, &by)
                                    : is_multiple_of_big(&dividend, zeros, &by);
}
