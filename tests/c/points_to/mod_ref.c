/* What functions and loops may write, through pointers and callees. */
int g, h, unrelated;

static void set(int *p) { *p = 1; }       // MAY-WRITE: set -> {g, main::local}
static void quiet(int n) { n = n + 1; }   // MAY-WRITE: quiet -> {}
static void outer(void) { set(&g); h++; } // MAY-WRITE: outer -> {g, h, main::local}

int main(int argc, char **argv) { // MAY-WRITE: main -> {g, h, main::local, main::stays}
    int local = 0; // ESCAPES: main::local
    int stays = 0; // STAYS: main::stays
    int *p = &stays;
    while (argc--) { // LOOP-MAY-WRITE: main -> {g, main::local}
        set(&local);
    }
    outer();
    quiet(*p);
    return local;
}
