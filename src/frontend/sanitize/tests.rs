//! What each rewriting makes of C text.

use super::*;
use crate::frontend::tokens::tokenize;

/// The rewritten text, and the attributes taken from records.
fn rewrite_with(source: &str, has_body: bool) -> (String, Vec<String>) {
    let tokens = tokenize(source, "f.c").tokens;
    let is_type = |w: &str| is_type_keyword(w) || w == "T";
    let out = sanitize(source, &tokens, has_body, &is_type, &|_| 0);
    let text: Vec<_> = out.pieces.iter().map(|p| p.text.as_ref()).collect();
    (text.join(" "), out.records.into_iter().map(|r| r.list).collect())
}
#[track_caller]
fn check(source: &str, expected: &str) {
    assert_eq!(rewrite_with(source, false).0, expected);
}

#[test]
fn what_means_nothing_is_dropped() {
    check("__extension__ int x;", "int x ;");
    check("{ x = 1; __attribute__((fallthrough)); }", "{ x = 1 ; ; }");
    check("{ l: __attribute__((unused)); }", "{ l : ; ; }");
    check("void f(int x __attribute__((unused)));", "void f ( int x ) ;");
    check("struct s { int a; _Static_assert(1); };", "struct s { int a ; } ;");
    check("int *_Nonnull p;", "int * p ;");
    check("[[nodiscard]] int f(void);", "int f ( void ) ;");
    check("[[noreturn]] int f(void);", "_Noreturn int f ( void ) ;");
}

#[test]
fn attributes_with_a_meaning_stay_or_go_to_the_table() {
    check("int x __attribute__((__aligned__(8), used));", "int x __attribute__ (( aligned ( 8 ) )) ;");
    check("void f(void) __attribute__((noreturn));", "void f ( void ) __attribute__ (( noreturn )) ;");
    let (text, lists) =
        rewrite_with("struct __attribute__((packed)) s { int a; } __attribute__((aligned(4))) x;", false);
    assert_eq!(text, "struct s { int a ; } x ;");
    assert_eq!(lists, ["packed, aligned(4)"]);
}

#[test]
fn labels_as_values_become_calls() {
    check("{ p = &&a; }", "{ p = __cellog_label_address ( a ) ; }");
    check("{ p = (void *)&&a; }", "{ p = ( void * ) __cellog_label_address ( a ) ; }");
    check("{ goto *p[1]; }", "{ __cellog_goto ( p [ 1 ] ) ; }");
    check(
        "{ x = (a) && b && f() && c[0] && d++ && sizeof(int) && e; }",
        "{ x = ( a ) && b && f ( ) && c [ 0 ] && d ++ && sizeof ( int ) && e ; }",
    );
}

#[test]
fn assembly_keeps_its_outputs() {
    check("{ asm(\"nop\"); }", "{ __cellog_asm ( ) ; }");
    check(
        "{ __asm__ volatile (\"a\" : [o] \"=r\"(x), \"+m\"(*p) : \"r\"(y) : \"memory\"); }",
        "{ __cellog_asm ( ( x ) , ( * p ) ) ; }",
    );
    check("{ asm(\"rdtsc\" : \"=A\"(t) : : \"cc\"); }", "{ __cellog_asm_values ( ( t ) ) ; }");
    check("{ if (a) asm(\"nop\"); }", "{ if ( a ) __cellog_asm ( ) ; }");
    check("{ asm goto(\"jmp\" : : : : l); }", "{ __cellog_asm_goto ( ) ; }");
    check("int f(void) __asm__(\"g\");", "int f ( void ) __asm__ ( \"g\" ) ;");
}

#[test]
fn an_empty_template_moves_its_operands_alone() {
    check("{ asm volatile(\"\" : : : \"memory\"); }", "{ __cellog_barrier ( ) ; }");
    check("{ asm(\"\" : \"+r\"(x), \"+m\"(y)); }", "{ __cellog_barrier ( ) ; }");
    check("{ asm(\"\" : \"=r\"(x) : \"0\"(y)); }", "{ __cellog_barrier ( ( x ) = ( y ) ) ; }");
    check(
        "{ asm(\" \" : [o] \"=r\"(x) : \"[o]\"(y), \"m\"(z), \"r\"(f())); }",
        "{ __cellog_barrier ( ( x ) = ( y ) , ( f ( ) ) ) ; }",
    );
    check("{ asm(\"\" : \"=r\"(x)); }", "{ __cellog_barrier ( __cellog_asm_values ( ( x ) ) ) ; }");
}

#[test]
fn types_that_lang_c_lacks_get_names() {
    check("unsigned const __int128 x;", "const __cellog_uint128 x ;");
    check("__int128 unsigned x; __int128_t y;", "__cellog_uint128 x ; __cellog_int128 y ;");
    check("unsigned int x;", "unsigned int x ;");
    check("__float128 x; __thread int y;", "_Float128 x ; _Thread_local int y ;");
    check(
        "{ __auto_type x = f(1, 2), y = 3; }",
        "{ __typeof__ ( ( 0 , ( f ( 1 , 2 ) ) ) ) x = f ( 1 , 2 ) , y = 3 ; }",
    );
}

#[test]
fn operators_that_lang_c_lacks_are_spelled_out() {
    check("{ x = a ?: b; }", "{ x = a ? __cellog_condition : b ; }");
    check("{ x = sizeof (T){1}; }", "{ x = sizeof ( ( T ) { 1 } ) ; }");
    check(
        "{ x = __alignof__(a) + __alignof__(T) + _Alignof(T); }",
        "{ x = __cellog_alignment ( ( a ) ) + __cellog_type_alignment ( sizeof ( T ) ) + _Alignof ( T ) ; }",
    );
    check(
        "{ x = _Alignof a.b[1] + _Alignof *p; }",
        "{ x = __cellog_alignment ( a . b [ 1 ] ) + __cellog_alignment ( * p ) ; }",
    );
    check(
        "struct s { _Alignas(8) char a; _Alignas(T) int b };",
        "struct s { __attribute__ (( aligned ( 8 ) )) char a ; __attribute__ (( aligned ( _Alignof ( T ) ) )) int b ; } ;",
    );
    check(
        "{ x = __builtin_types_compatible_p(T, int *); }",
        "{ x = __cellog_types_compatible ( sizeof ( T ) , sizeof ( int * ) ) ; }",
    );
    check("{ x = __real__ z; }", "{ x = __cellog_real ( z ) ; }");
}

#[test]
fn labels_get_statements() {
    check("{ l: }", "{ l : ; }");
    check("{ l: int x; m: T y; n: T(3); }", "{ l : ; int x ; m : ; T y ; n : T ( 3 ) ; }");
    check("{ case a ? 1 : 2: int x; default: ; }", "{ case a ? 1 : 2 : ; int x ; default : ; }");
    check("struct s { int a : 3; };", "struct s { int a : 3 ; } ;");
}

#[test]
fn labels_of_a_block_get_names_of_their_own() {
    check(
        "{ { __label__ a; a: a = &&a; goto a; } { __label__ a; a: ; } a: goto a; }",
        "{ { a__cellog_0 : a = __cellog_label_address ( a__cellog_0 ) ; goto a__cellog_0 ; } { a__cellog_1 : ; } a : goto a ; }",
    );
}

#[test]
fn enumerations_with_a_type_have_it_as_an_attribute() {
    let (text, lists) = rewrite_with("enum e : unsigned char { A } x; enum f : T; struct s { enum e : 3; };", false);
    assert_eq!(text, "enum e { A } x ; enum f ; struct s { enum e : 3 ; } ;");
    assert_eq!(lists, ["cellog_underlying(sizeof(unsigned char))", "cellog_underlying(sizeof(T))"]);
}

#[test]
fn attributes_behind_a_width_go_before_it() {
    check(
        "struct s { int a : 3 __attribute__((aligned(8))), b : 2; int : 0 __attribute__((aligned(8))); };",
        "struct s { int a __attribute__ (( aligned ( 8 ) )) : 3 , b : 2 ; int __attribute__ (( aligned ( 8 ) )) : 0 ; } ;",
    );
    check("{ case 1: f(); x: ; }", "{ case 1 : f ( ) ; x : ; }");
}

#[test]
fn declarations_in_for_are_told_from_products() {
    check("{ for (T *p; ; ) ; }", "{ for ( auto T * p ; ; ) ; }");
    check("{ for (int *p; ; ) ; for (T = 0; ; ) ; }", "{ for ( int * p ; ; ) ; for ( T = 0 ; ; ) ; }");
}

#[test]
fn implicit_int_is_explicit() {
    assert_eq!(rewrite_with("f(a) { }", true).0, "int f ( a ) { }");
    assert_eq!(
        rewrite_with("__attribute__((constructor)) void f(void) { }", true).0,
        "__attribute__ (( constructor )) void f ( void ) { }"
    );
}

#[test]
fn digraphs_are_replaced() {
    check("int a<:1:> = <% 1 %>;", "int a [ 1 ] = { 1 } ;");
}
