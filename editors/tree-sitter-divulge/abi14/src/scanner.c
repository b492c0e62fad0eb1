// The same scanner for both versions.
#include "../../src/scanner.c"
