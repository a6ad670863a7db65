#ifndef TACTUS_TESTS_C_CHECKS_H
#define TACTUS_TESTS_C_CHECKS_H

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The checks of a test program in C: each prints where it failed, and main returns how many did. */

static int checks = 0, failures = 0;

static void check_true(int holds, const char* what, const char* file, int line) {
  ++checks;
  if (holds) return;
  ++failures;
  printf("%s:%d: %s\n", file, line, what);
}

static void check_near(double value, double expected, double tolerance, const char* what,
                       const char* file, int line) {
  ++checks;
  if (fabs(value - expected) <= tolerance) return;
  ++failures;
  printf("%s:%d: %s is %.17g, not %.17g\n", file, line, what, value, expected);
}

static void check_text(const char* value, const char* expected, const char* what, const char* file,
                       int line) {
  ++checks;
  if (strcmp(value, expected) == 0) return;
  ++failures;
  printf("%s:%d: %s is '%s', not '%s'\n", file, line, what, value, expected);
}

#define CHECK(condition) check_true((condition), #condition, __FILE__, __LINE__)
#define CHECK_NEAR(value, expected, tolerance) \
  check_near((value), (expected), (tolerance), #value, __FILE__, __LINE__)
#define CHECK_TEXT(value, expected) check_text((value), (expected), #value, __FILE__, __LINE__)

#endif
