#include <time.h>
int rand(void);

static int dead(int n) {
    int a = n + 1;
    int b = 0;
    b = rand(); // FINDS
    b = n * 2;
    return a + b;
}

static int live(int n) {
    int a = 0;
    for (int i = 0; i < n; i++) {
        a = i * 2;
        if (a > 10)
            break;
    }
    return a;
}

static int read_through_pointer(int n) {
    int a = n + 1;
    int *p = &a;
    a = n + 2;
    return *p;
}

static int handed_to_a_library_function(int n) {
    time_t then = n;
    then += 3600;
    return localtime(&then)->tm_hour;
}

int main(void) {
    return handed_to_a_library_function(5) + dead(3) + live(4) + read_through_pointer(1);
}
