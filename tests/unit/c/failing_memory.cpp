#include "tests/support/failing_new.hpp"
