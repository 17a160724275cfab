/* Records by value: members that were never set stay so. */
int rand(void);

struct pair {
  int a, b;
};

static struct pair make(int n) {
  struct pair p;
  p.a = n;
  if (n > 3)
    p.b = 1;
  return p;
}

static int taken(int n) {
  struct pair p;
  p.a = 0;
  if (n > 2)
    p = make(n);
  else
    p.b = 2;
  return p.b; // POSSIBLE: uninit-read - for 3
}

static int handed(struct pair p, int n) {
  struct pair q;
  q.b = 1;
  if (n > 3)
    q = p;
  return q.b; // ALWAYS: uninit-read
}

static struct pair deep(int n) {
  struct pair p;
  p.a = n;
  if (n > 0) {
    struct pair q;
    q.b = 0;
    q = deep(n - 1);
    p.a = q.b; // ALWAYS: uninit-read
  }
  return p;
}

int main(void) {
  int n = taken(5) + taken(1);
  if (rand() > 0)
    n += deep(2).a;
  if (rand() > 0)
    n += taken(3);
  return n + handed(make(2), 4);
}
