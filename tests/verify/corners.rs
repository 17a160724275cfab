//! Corners of C in twins that differ in one place: `auto` and `bmc` decide both.

use crate::engines::answer;
use cellog::engines::portfolio::Engine;
use cellog::engines::task::Property;

/// A program with a hole `@`, what makes it right, and what makes it wrong.
type Twins = (&'static str, &'static str, &'static str);

fn judge(property: Property, all: &[Twins]) {
    for (text, right, wrong) in all {
        for (filling, expected) in [(right, true), (wrong, false)] {
            let source = text.replace('@', filling);
            for engine in [Engine::Auto, Engine::Bmc] {
                assert_eq!(answer(&source, property, engine, 600), Some(expected), "{engine:?}\n{source}");
            }
        }
    }
}

const REACHING: [Twins; 30] = [
    (
        "int main(void) { unsigned a=__VERIFIER_nondet_uint(),b=__VERIFIER_nondet_uint(); unsigned d=a-b; check(d+b==a@); return 0; }",
        "",
        "+(a==77)",
    ),
    (
        "int main(void) { unsigned char c=250; int n=0; while(c!=@) {c++;n++; if(n>300)return 0; } check(n==11); return 0; }",
        "5",
        "6",
    ),
    (
        "int main(void) { unsigned x=__VERIFIER_nondet_uint(); unsigned lo=x&0xffffu, hi=x>>16; check(((hi<<16)|lo)==x @); return 0; }",
        "",
        "&& hi!=0xbeef",
    ),
    (
        "int main(void) { int x=__VERIFIER_nondet_int(); if(x<0) { int y=x>>31; check(y==-1 @); } return 0; }",
        "",
        "&& x!=-12345",
    ),
    (
        "int main(void) { signed char c=(signed char)__VERIFIER_nondet_uchar(); int i=c; check(i>=-128&&i<=@); return 0; }",
        "127",
        "126",
    ),
    (
        "int main(void) { short a=__VERIFIER_nondet_short(),b=__VERIFIER_nondet_short(); int s=a+b; check(s>=-65536&&s<=@); return 0; }",
        "65534",
        "65533",
    ),
    (
        "int main(void) { long long a=__VERIFIER_nondet_int(); long long b=a*4294967296LL; check(b/4294967296LL==a @); return 0; }",
        "",
        "&& a!=99",
    ),
    (
        "int main(void) { int i=__VERIFIER_nondet_int(); unsigned u=10; if(i<u) { check(i>=0 && i<@); } return 0; }",
        "10",
        "9",
    ),
    (
        "struct p{ int x;short y;char z; }; int main(void) { struct p a,b; a.x=__VERIFIER_nondet_int();a.y=3;a.z='q'; b=a; b.y+=@; check(b.x==a.x&&b.y==4&&b.z=='q'); return 0; }",
        "1",
        "2",
    ),
    (
        "struct n{ struct n*next;int v; }; int main(void) { struct n a,b,c; a.next=&b;b.next=&c;c.next=0; a.v=1;b.v=2;c.v=@; int s=0; for(struct n*p=&a;p;p=p->next)s+=p->v; check(s==6); return 0; }",
        "3",
        "4",
    ),
    (
        "static void swap(int*a,int*b) { int t=*a;*a=*b;*b=t; } int main(void) { int x=__VERIFIER_nondet_int(),y=__VERIFIER_nondet_int(),ox=x,oy=y; swap(&x,&y); @ check(x==oy&&y==ox); return 0; }",
        "",
        "swap(&x,&y);",
    ),
    (
        "int main(void) { int a[4],m; for(int i=0;i<4;i++)a[i]=__VERIFIER_nondet_int(); m=a[0]; for(int i=@;i<4;i++) if(a[i]>m)m=a[i]; check(m>=a[0]&&m>=a[1]&&m>=a[2]&&m>=a[3]); return 0; }",
        "1",
        "2",
    ),
    (
        "int main(void) { unsigned char a[5],b[5]; for(int i=0;i<5;i++)a[i]=__VERIFIER_nondet_uchar(); for(int i=0;i<5;i++)b[i]=a[@-i]; check(b[0]==a[4]&&b[4]==a[0]&&b[2]==a[2]); return 0; }",
        "4",
        "(i==2?3:4)",
    ),
    (
        "int main(void) { unsigned c=0; for(unsigned i=0;i<6;i++)for(unsigned j=0;j<i;j++)c++; check(c==@); return 0; }",
        "15",
        "16",
    ),
    ("int main(void) { int i=0,s=0; again: s+=2; i++; if(i<7) goto again; check(s==@); return 0; }", "14", "12"),
    (
        "int main(void) { int k=__VERIFIER_nondet_int(),r=0; switch(k) {case 1: r+=1; case 2: r+=2; break; case 3: r=9; break; default: r=4; } check(r==3||r==2||r==9||r==@); return 0; }",
        "4",
        "5",
    ),
    (
        "union u{ unsigned w; unsigned char b[4]; }; int main(void) { union u x; x.w=__VERIFIER_nondet_uint(); check(x.b[0]==(x.w&255u)@); return 0; }",
        "",
        "&& x.b[3]!=200",
    ),
    (
        "struct s{ unsigned a:3; unsigned b:5; }; int main(void) { struct s v; v.a=__VERIFIER_nondet_uint(); v.b=31; check(v.a<=7&&v.b==31 && v.a!=@); return 0; }",
        "8",
        "6",
    ),
    (
        "int main(void) { int a[6]; for(int i=0;i<6;i++)a[i]=i*i; int*p=a+2; check(p[1]==9&&*(p-1)==1&&(&a[5]-p)==@); return 0; }",
        "3",
        "4",
    ),
    ("static int f(int n) { return n<=0?0:n+f(n-1); } int main(void) { check(f(3)==@);return 0; }", "6", "7"),
    (
        "static int inc(int x) { return x+1; } static int dec(int x) { return x-1; } int main(void) { int(*f)(int)=__VERIFIER_nondet_int()?inc:dec; int r=f(5); check(r==6||r==@); return 0; }",
        "4",
        "5",
    ),
    (
        "int main(void) { int x=__VERIFIER_nondet_int(); unsigned u=x<0?0u-(unsigned)x:(unsigned)x; check(u<=@); return 0; }",
        "2147483648u",
        "2147483647u",
    ),
    ("int main(void) { int n=0; do{n++; }while(n<0); check(n==@); return 0; }", "1", "2"),
    ("int main(void) { int a=0,b=0; for(a=0,b=10;a<b;a++,b--); check(a==5&&b==@); return 0; }", "5", "4"),
    (
        "int main(void) { unsigned short s=65535; s+=__VERIFIER_nondet_uchar(); check(s==65535||s<@); return 0; }",
        "255",
        "254",
    ),
    (
        "int main(void) { unsigned x=__VERIFIER_nondet_uint(); unsigned r=x; for(int i=0;i<@;i++) r=(r<<8)|(r>>24); check(r==x); return 0; }",
        "4",
        "3",
    ),
    (
        "static int calls(void) { static int n; return ++n; } int main(void) { calls();calls(); check(calls()==@); return 0; }",
        "3",
        "2",
    ),
    // A static variable of a function is what its label names.
    (
        "extern int counter; static int next(void) { static int n __asm__(\"counter\")=1; return ++n; } int main(void) { counter=5; check(next()==@); return 0; }",
        "6",
        "2",
    ),
    // Two declarations with one label are of one object.
    (
        "extern int a __asm__(\"shared\"); int b __asm__(\"shared\")=1; int main(void) { a=5; check(b==@); return 0; }",
        "5",
        "1",
    ),
    (
        "static int three(void) { return 3; } static int four(void) { return 4; } int main(void) { int f(void) __asm__(\"@\"); check(f()==3); return 0; }",
        "three",
        "four",
    ),
];

const OVERFLOWING: [Twins; 2] = [
    (
        "int main(void) { int x=__VERIFIER_nondet_int(); if(x>@) x=-x; return x==3; }",
        "-2147483647-1",
        "-2147483647-2+0*x",
    ),
    ("int main(void) { short s=__VERIFIER_nondet_short(); s=(short)(s+@); return s; }", "1", "2147483647"),
];

const ACCESSING: [Twins; 6] = [
    (
        "int main(void) { int a[10]; unsigned n=__VERIFIER_nondet_uint()%11u; for(unsigned i=0;i<n;i++)a[i]=0; return n?a[n-@]:0; }",
        "1",
        "12",
    ),
    (
        "struct n{ struct n*next;int v; }; int main(void) { struct n*h=0; for(int i=0;i<3;i++) { struct n*p=malloc(sizeof *p); __VERIFIER_assume(p!=0); p->next=h;p->v=i;h=p; } while(h) { struct n*q=h->next; free(h); @ h=q; } return 0; }",
        "",
        "if(q&&q->v==0) free(q);",
    ),
    ("int main(void) { char s[8]; unsigned i; for(i=0;i<@;i++)s[i]='a'; s[i]=0; return s[0]; }", "7", "8"),
    (
        "int main(void) { int*p=malloc(sizeof(int)*4); __VERIFIER_assume(p!=0); if(__VERIFIER_nondet_int()) {@} p[2]=1; free(p); return 0; }",
        "p[3]=2;",
        "free(p);",
    ),
    ("int main(void) { int a[4]; int k=__VERIFIER_nondet_int(); if(k<4&&k>@) a[k]=1; return 0; }", "-1", "-2"),
    (
        "int main(void) { int g[3][4]; for(int i=0;i<3;i++)for(int j=0;j<4;j++)g[i][j]=i+j; unsigned r=__VERIFIER_nondet_uint()%3u,c=__VERIFIER_nondet_uint()%@u; return g[r][c]; }",
        "4",
        "5",
    ),
];

#[test]
fn twins_of_values_loops_and_records() {
    judge(Property::UnreachCall, &REACHING);
}

#[test]
fn twins_of_results_that_leave_their_type() {
    judge(Property::NoOverflow, &OVERFLOWING);
}

#[test]
fn twins_of_accesses() {
    judge(Property::ValidMemsafety, &ACCESSING);
}

/// What C leaves open is neither proved nor refuted; the twins are certain.
#[test]
fn what_c_leaves_open_is_not_decided() {
    let literals = "int main(void) { const char *a=\"abc\",*b=\"abc\",*c=\"xabc\",*d=\"abd\"; check(@); return 0; }";
    let sorting =
        "void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *)); static int n; ";
    let counted = "static int order(const void *p, const void *q) { int a=*(int *)p, b=*(int *)q; n=n<5?n+1:n; return a<b?-1:a>b; }
        int main(void) { int v[3]={2,3,1}; qsort(v,3,sizeof *v,order); check(@); return 0; }";
    let keyed = "struct pair { int key, value; };
        static int by_key(const void *p, const void *q) { return ((struct pair *)p)->key-((struct pair *)q)->key; }
        int main(void) { struct pair v[2]={@}; qsort(v,2,sizeof *v,by_key); check(v[0].value!=3); return 0; }";
    let refuting = Some(false);
    let cases = [
        (literals, "a==b", None),
        (literals, "a!=b", None),
        (literals, "c+1!=a", None),
        (literals, "a-b==0", None),
        (literals, "a==d", refuting),
        (literals, "c==a+1", refuting),
        (counted, "n!=3", None),
        (counted, "n==3", None),
        (keyed, "{1,3},{1,2}", None),
        (keyed, "{1,2},{1,3}", None),
        (keyed, "{2,2},{1,3}", refuting),
    ];
    for (text, hole, expected) in cases {
        let source = format!("{}{}", if text == literals { "" } else { sorting }, text.replace('@', hole));
        let seconds = if expected.is_some() { 120 } else { 4 };
        assert_eq!(answer(&source, Property::UnreachCall, Engine::Auto, seconds), expected, "{hole}");
    }
    let apart = literals.replace('@', "a!=d");
    assert_eq!(answer(&apart, Property::UnreachCall, Engine::Auto, 60), Some(true));
}

#[test]
fn a_wide_line_ends_with_its_line_feed() {
    let text = "typedef struct file FILE; extern FILE *stdin; int *fgetws(int *, int, FILE *);
        int main(void) { int w[3]={0}; if (fgetws(w,3,stdin)) check(@); return 0; }";
    judge(Property::UnreachCall, &[(text, "w[0]!='\\n'||!w[1]", "w[0]!='\\n'"), (text, "w[2]==0", "w[1]!='\\n'")]);
}
