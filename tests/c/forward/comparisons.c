// Comparisons of strings look no further than the first difference.
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    char open[3] = {'a', 'b', 'c'};
    char closed[4] = "abc";
    int sum = 0, none = 0;
    sum += strcmp(closed, "abd"); // SAFE: out-of-bounds
    sum += strncmp(open, "abd", 3); // SAFE: out-of-bounds
    sum += strncmp(open, "ab", 9); // SAFE: out-of-bounds
    sum += strcmp(open, "ab"); // SAFE: out-of-bounds
    sum += strncmp(open, "abcd", 4); // POSSIBLE: out-of-bounds
    sum += strcmp(open, "abd"); // POSSIBLE (intended): out-of-bounds
    sum += strcmp("abcd", open); // POSSIBLE: out-of-bounds
    sum += strncmp(open + 3, "abc", none); // SAFE: out-of-bounds
    sum += memcmp(open, "ab", 3); // SAFE: out-of-bounds
    return sum;
}
