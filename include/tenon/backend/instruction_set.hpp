// TENON_INSTRUCTION_SET: a name for the instructions that the compiler may use, such as isa_1777700000000. It
// is an inline namespace around everything that depends on them, so that a program may contain the same network
// once for each kind of processor. Without it the linker would use one file's functions for all files, although
// weights are packed in another order where registers have another width.
#pragma once

// 1 where the macro is 1, 0 where it is not defined
#define TENON_BIT(macro) TENON_BIT_OF(macro)
#define TENON_BIT_OF(value) TENON_SECOND_OF(TENON_COMMA_##value 1, 0, )
#define TENON_SECOND_OF(...) TENON_SECOND(__VA_ARGS__)
#define TENON_SECOND(first, second, ...) second
#define TENON_COMMA_1 ,

// A digit for three macros. Digits, because a letter could be a macro of the user.
#define TENON_DIGIT(a, b, c) TENON_DIGIT_OF(TENON_BIT(a), TENON_BIT(b), TENON_BIT(c))
#define TENON_DIGIT_OF(a, b, c) TENON_DIGIT_OF_BITS(a, b, c)
#define TENON_DIGIT_OF_BITS(a, b, c) TENON_DIGIT_##a##b##c
#define TENON_DIGIT_000 0
#define TENON_DIGIT_001 1
#define TENON_DIGIT_010 2
#define TENON_DIGIT_011 3
#define TENON_DIGIT_100 4
#define TENON_DIGIT_101 5
#define TENON_DIGIT_110 6
#define TENON_DIGIT_111 7
#define TENON_ISA_OF(...) TENON_ISA(__VA_ARGS__)
#define TENON_ISA(a, b, c, d, e, f, g, h, i, j, k, l, m, n) isa_##a##b##c##d##e##f##g##h##i##j##k##l##m##n

// Options for equal bits, defined as 1 or not at all: docs/explain/equal-bits.md.
// TENON_BATCH_INVARIANT  a row of a batch has the bits that it has alone: all sums are made in one order, for any number of rows
// TENON_PORTABLE         the same bits on all processors: that, and vectors of 128 bits, products rounded before they are added, and
//                        subnormal numbers
#if defined(TENON_PORTABLE) && TENON_BIT(TENON_PORTABLE) == 0 ||               \
    defined(TENON_BATCH_INVARIANT) && TENON_BIT(TENON_BATCH_INVARIANT) == 0 || \
    defined(TENON_COMPILER_VECTORS) && TENON_BIT(TENON_COMPILER_VECTORS) == 0
#  error \
      "TENON_PORTABLE, TENON_BATCH_INVARIANT and TENON_COMPILER_VECTORS are options without a value, -DTENON_PORTABLE: they are on, or not defined."
#endif
#if defined(TENON_PORTABLE) && defined(__FAST_MATH__)
#  error \
      "-ffast-math changes the order of sums and the rounding of quotients: with TENON_PORTABLE, do without it."
#endif
// TENON_COMPILER_VECTORS: the CPU's kernels compute with the compiler's own vectors of 128 bits. So they do on processors whose vectors
// xsimd 8.1 does not know: WebAssembly, RISC-V, POWER, s390x, ARM of 32 bits, and x86 without SSE2.
#if !defined(TENON_COMPILER_VECTORS) && !defined(__SSE2__) && !defined(__aarch64__)
#  define TENON_COMPILER_VECTORS 1
#endif
#if (defined(TENON_PORTABLE) || defined(TENON_COMPILER_VECTORS)) && \
    (__FLT_EVAL_METHOD__ == 1 || __FLT_EVAL_METHOD__ == 2)
#  error \
      "This compiler keeps more digits than float has (x87), and exp and tanh need their sums rounded: add -msse2 -mfpmath=sse."
#endif

// x86-64: v2, v3, v4 and later extensions; extensions that only AMD had for some years; ARM's; options that change
// what arithmetic means; options for equal bits.
#define TENON_INSTRUCTION_SET                                                                               \
  TENON_ISA_OF(TENON_DIGIT(__SSE2__, __SSE3__, __SSSE3__), TENON_DIGIT(__SSE4_1__, __SSE4_2__, __POPCNT__), \
               TENON_DIGIT(__AVX__, __AVX2__, __FMA__), TENON_DIGIT(__F16C__, __BMI__, __BMI2__),           \
               TENON_DIGIT(__LZCNT__, __MOVBE__, __AVX512F__),                                              \
               TENON_DIGIT(__AVX512BW__, __AVX512CD__, __AVX512DQ__),                                       \
               TENON_DIGIT(__AVX512VL__, __AVX512IFMA__, __AVX512VBMI__),                                   \
               TENON_DIGIT(__AVX512VBMI2__, __AVX512VNNI__, __AVX512BITALG__),                              \
               TENON_DIGIT(__AVX512VPOPCNTDQ__, __AVX512BF16__, __AVX512FP16__),                            \
               TENON_DIGIT(__AVXVNNI__, __GFNI__, __APX_F__), TENON_DIGIT(__SSE4A__, __FMA4__, __XOP__),    \
               TENON_DIGIT(__ARM_FEATURE_SVE, __FAST_MATH__, __FINITE_MATH_ONLY__),                         \
               TENON_DIGIT(__ASSOCIATIVE_MATH__, __RECIPROCAL_MATH__, __NO_SIGNED_ZEROS__),                 \
               TENON_DIGIT(TENON_BATCH_INVARIANT, TENON_PORTABLE, TENON_COMPILER_VECTORS))
#define TENON_TEXT_OF(...) TENON_TEXT(__VA_ARGS__)
#define TENON_TEXT(text) #text

namespace tenon::inline v0_1::backend {
inline namespace TENON_INSTRUCTION_SET {
inline constexpr const char* instruction_set = TENON_TEXT_OF(TENON_INSTRUCTION_SET);
}
}  // namespace tenon::inline v0_1::backend
