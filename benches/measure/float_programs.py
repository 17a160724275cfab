"""Random programs of floating-point operations, each of which prints the bits of its results.

`program(seed, operations)` is C text: one function an operation, on operands from a table of numbers of all types that stand near
zero, one, powers of two and the ends of the formats. The text of a seed never changes.
"""
import random

FLOATS = {"float": ("f", "F"), "double": ("", "D"), "long double": ("l", "L")}
INTS = ["signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long"]
RANGES = {"signed char": (-2**7, 2**7), "unsigned char": (0, 2**8), "short": (-2**15, 2**15), "unsigned short": (0, 2**16),
          "int": (-2**31, 2**31), "unsigned": (0, 2**32), "long": (-2**63, 2**63), "unsigned long": (0, 2**64)}
ONE = ["fabs", "floor", "ceil", "trunc", "round", "rint", "nearbyint", "sqrt", "logb"]
TWO = ["fmod", "remainder", "fmin", "fmax", "copysign", "nextafter", "fdim"]
CLASSES = ["isnan", "isinf", "isfinite", "isnormal", "signbit"]

HEAD = r"""#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void bytes(const void *p, int n) {
  unsigned char b[16];
  memcpy(b, p, n);
  while (n-- > 0) printf("%02x", b[n]);
  printf("\n");
}
/* What is no number has no bits that C or IEEE 754 fix. */
static void showF(float x) { if (x != x) printf("nan\n"); else bytes(&x, 4); }
static void showD(double x) { if (x != x) printf("nan\n"); else bytes(&x, 8); }
static void showL(long double x) { if (x != x) printf("nan\n"); else bytes(&x, 10); }
static void showI(long x) { printf("%ld\n", x); }
"""


def literal(r, kind):
    """A constant of a floating type, or an expression for a special number."""
    suffix = {"float": "f", "double": "", "long double": "L"}[kind]
    digits = {"float": 6, "double": 13, "long double": 16}[kind]
    low, high = {"float": (-149, 127), "double": (-1074, 1023), "long double": (-16445, 16383)}[kind]
    way = r.randrange(10)
    sign = r.choice(["", "-"])
    if way == 0:
        return sign + r.choice(["0.0", "1.0", "2.0", "0.5", "3.0", "10.0"]) + suffix
    if way == 1:
        return f"{sign}(1.0{suffix} / zero{suffix.upper() or 'D'})".replace("zeroL", "zeroL")
    if way == 2:
        return f"(zero{suffix.upper() or 'D'} / zero{suffix.upper() or 'D'})"
    if way <= 4:
        exponent = r.choice([low, low + 1, low + r.randrange(30), high, high - 1, 0, 1, -1])
        return f"{sign}0x1.{r.randrange(16**digits):0{digits}x}p{min(exponent, high)}{suffix}"
    if way <= 6:
        return f"{sign}{r.randrange(10**r.randrange(1, 20))}.{r.randrange(10**6)}{suffix}"
    if way == 7:
        return f"{sign}{r.randrange(1, 10)}.{r.randrange(10**9)}e{r.randrange(-40, 38) if kind == 'float' else r.randrange(-300, 300)}{suffix}"
    return f"{sign}0x{r.randrange(16**digits):x}.{r.randrange(256):02x}p{r.randrange(-70, 40)}{suffix}"


def integer(r, kind):
    low, high = RANGES[kind]
    value = r.choice([low, high - 1, 0, 1, r.randrange(low, high), r.randrange(max(low, -1000), min(high, 1000)),
                      min(high - 1, 2**r.randrange(63) + r.randrange(3))])
    return "(-9223372036854775807L - 1)" if value == -2**63 else f"{value}{'UL' if value >= 2**63 else 'L'}"


def operation(r, n):
    """A function that does one thing, and prints it."""
    kind = r.choice(list(FLOATS))
    suffix, show = FLOATS[kind]
    a, b, c = (literal(r, kind) for _ in range(3))
    if r.randrange(4) == 0:
        b = a if r.randrange(2) else f"-({a})"
    lines = [f"{kind} a = {a}, b = {b}, c = {c};"]
    way = r.randrange(14)
    if way <= 3:
        lines.append(f"show{show}(a {r.choice('+-*/')} b);")
        lines.append(f"show{show}((a {r.choice('+-*/')} b) {r.choice('+-*/')} c);")
    elif way == 4:
        for op in ["==", "!=", "<", "<=", ">", ">="]:
            lines.append(f"showI(a {op} b);")
        lines.append("showI(!a); showI(a ? 1 : 2); showI(a && b);")
    elif way == 5:
        other = r.choice(list(FLOATS))
        lines.append(f"{other} x = ({other})a; show{FLOATS[other][1]}(x); x = a; x += b; show{FLOATS[other][1]}(x);")
        lines.append(f"show{show}(-a); a++; show{show}(a); --b; show{show}(b);")
    elif way == 6:
        to = r.choice(INTS)
        low, high = RANGES[to]
        # Only what fits has a value.
        lines.append(f"if (a > {float(low) - 0.0:.1f}L && a < {float(high):.1f}L) showI((long)({to})a);")
        lines.append(f"if (b > {float(low) - 0.0:.1f}L && b < {float(high):.1f}L) {{ {to} n = b; showI((long)n); }}")
    elif way == 7:
        of = r.choice(INTS)
        lines.append(f"{of} n = {integer(r, of)}; show{show}(({kind})n); show{show}(a * n); show{show}(n / b);")
    elif way == 8:
        lines.append(f"show{show}({r.choice(ONE)}{suffix}(a)); show{show}({r.choice(ONE)}{suffix}(b));")
    elif way == 9:
        f, g = r.choice(TWO), r.choice(TWO)
        lines.append(f"if (a != 0 || b != 0) {{ show{show}({f}{suffix}(a, b)); show{show}({g}{suffix}(b, c)); }}"
                     if "fm" not in f + g else f"if (a != b && b != c) {{ show{show}({f}{suffix}(a, b)); show{show}({g}{suffix}(b, c)); }}")
    elif way == 10:
        lines.append(f"show{show}(fma{suffix}(a, b, c)); int e = 0; {kind} m = frexp{suffix}(a, &e); show{show}(m);")
        lines.append("if (isfinite(a)) showI(e);")
        lines.append(f"show{show}(ldexp{suffix}(b, {r.randrange(-200, 200)})); show{show}(scalbn{suffix}(c, {r.randrange(-20000, 20000)}));")
        lines.append(f"{kind} w; show{show}(modf{suffix}(b, &w)); show{show}(w);")
    elif way == 11:
        for f in CLASSES:
            lines.append(f"if (a == a || {int(f != 'signbit')}) showI({f}(a) != 0);")
        lines.append("showI(isless(a, b)); showI(isunordered(a, b)); showI(islessgreater(a, b)); showI(fpclassify(b));")
        lines.append(f"if (fabs{suffix}(a) < 1e18L) {{ showI(lround{suffix}(a)); showI(lrint{suffix}(a)); }}")
        lines.append(f"if (a != 0 && isfinite(a)) showI(ilogb{suffix}(a));")
    elif way == 12:
        length = "L" if kind == "long double" else ""
        for _ in range(3):
            flags = "".join(f for f in "-+ #0" if r.randrange(4) == 0)
            precision = r.choice(["", ".0", ".1", f".{r.randrange(30)}"])
            form = f"%{flags}{r.choice(['', str(r.randrange(40))])}{precision}{length}{r.choice('feEgGaA')}"
            lines.append(f'if (a == a) printf("{form}\\n", a);')
    else:
        text = literal(r, "long double").rstrip("fL") if r.randrange(3) else r.choice(["inf", "-INFINITY", "0x", "0x.8p", "1e", ".5.", "0x1p-16445", " 12"])
        if "zero" in text or "(" in text:
            text = "1e" + str(r.randrange(-5000, 5000))
        name = {"float": "strtof", "double": "strtod", "long double": "strtold"}[kind]
        lines.append(f'char *end, text[] = "{text}"; show{show}({name}(text, &end)); showI(end - text);')
        lines.append('showD(atof("%s"));' % text)
    return f"static void f{n}(void) {{\n  " + "\n  ".join(lines) + "\n}\n"


def program(seed, operations):
    r = random.Random(seed)
    text = HEAD + "static float zeroF; static double zeroD; static long double zeroL;\n"
    text += "".join(operation(r, n) for n in range(operations))
    return text + "int main(void) {\n" + "".join(f"  f{n}();\n" for n in range(operations)) + "  return 0;\n}\n"
