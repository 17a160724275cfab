/* The twin of installed.c: a header of the program declares the functions, so that another file of it may define them. */
int turns = 1, given = 1;
int *shown = &given;
static int seen = 1, hidden = 1;
void on_key(void) { hidden = 0; }
static void on_close(void) { seen = 0; }
# 1 "screen.h" 1
struct screen;
extern void (*hook)(void);
extern int rows;
void begin_screen(int *place, void (*closed)(void));
# 13 "missing.c"

static int of_the_program(void) {
  begin_screen(shown, on_close);
  int n = 10 / turns;  // POSSIBLE: div-by-zero
  n += 10 / given;     // POSSIBLE: div-by-zero
  n += 10 / seen;      // POSSIBLE: div-by-zero
  n += 10 / hidden;    // POSSIBLE: div-by-zero
  return n + rows;
}

int main(void) { return hook ? of_the_program() : 0; }
