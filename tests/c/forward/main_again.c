// `main` may be called like any function: its arguments are then those of the call.
#include <string.h>

int main(int argc, char **argv) {
    if (argc > 2) {
        argv[1] = 0;
        return main(argc - 1, argv);
    }
    size_t n = 0;
    for (int i = 1; i < argc; i++) {
        char *one = argv[i];
        n += strlen(one); // POSSIBLE: null-deref
    }
    return n == 7;
}
