// Where a program hides addresses from the relations, a recursive call may write what pointers reach.
#include <stdint.h>
#include <string.h>

static uintptr_t code;

static void hide(int *p) { code = (uintptr_t)p ^ 1; }

static void clear(int n) {
    if (n > 0)
        clear(n - 1);
    else
        *(int *)(code ^ 1) = 0;
}

int main(void) {
    int x = 1;
    hide(&x);
    clear(3);
    return 1 / x; // ALWAYS: div-by-zero
}
