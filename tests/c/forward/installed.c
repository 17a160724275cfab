/* A library whose header is one of the system knows no name of the program: it changes what it is given, and calls back what it is given. */
int turns = 1, given = 1;
int *shown = &given;
static int seen = 1, hidden = 1;
void on_key(void) { hidden = 0; }
static void on_close(void) { seen = 0; }
# 1 "/usr/include/screen.h" 1 3
struct screen;
extern struct screen *main_screen;
extern int rows;
void begin_screen(int *place, void (*closed)(void));
# 13 "installed.c"

static int of_a_library(void) {
  begin_screen(shown, on_close);
  int n = 10 / turns;  // SAFE: div-by-zero
  n += 10 / hidden;    // SAFE: div-by-zero
  n += 10 / given;     // POSSIBLE: div-by-zero
  n += 10 / seen;      // POSSIBLE: div-by-zero
  return n + rows;
}

int main(void) { return main_screen ? of_a_library() : 0; }
