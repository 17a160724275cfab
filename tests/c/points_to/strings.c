/* Library functions that return their argument, and arguments of the program. */
#include <string.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    char buffer[8];
    char *end = strchr(buffer, 'x'); // POINTS-TO: main::end -> {main::buffer+?}
    char *first = argv[0];           // POINTS-TO: main::first -> {<argv strings>+?}
    const char *text = "abc";        // POINTS-TO: main::text -> {"abc"+?}
    char *copy = strdup(text);       // POINTS-TO: main::copy -> {strdup:10}
    return end == first || copy == text;
}
