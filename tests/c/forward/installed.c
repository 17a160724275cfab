/* A library whose header is one of the system knows no name of the program that it does not declare itself: it changes what it is given, and
   calls back what it is given. */
int turns = 1, given = 1;
int *shown = &given;
static int seen = 1, hidden = 1;
void on_key(void) { hidden = 0; }
static void on_close(void) { seen = 0; }
# 1 "/usr/include/screen.h" 1 3
struct screen;
extern struct screen *main_screen;
extern int rows;
extern int lines_at_first;
void begin_screen(int *place, void (*closed)(void));
void on_resize(void);
# 16 "installed.c"

/* What the header declares for the program to define is known there, too. */
int lines_at_first = 1;
static int resized = 1;
void on_resize(void) { resized = 0; }

static int of_a_library(void) {
  begin_screen(shown, on_close);
  int n = 10 / turns;  // SAFE: div-by-zero
  n += 10 / hidden;    // SAFE: div-by-zero
  n += 10 / given;     // POSSIBLE: div-by-zero
  n += 10 / seen;      // POSSIBLE: div-by-zero
  n += 10 / lines_at_first; // POSSIBLE: div-by-zero
  n += 10 / resized;        // POSSIBLE: div-by-zero
  return n + rows;
}

int main(void) { return main_screen ? of_a_library() : 0; }
