use super::super::sample::counting_loop;
use super::*;
use crate::ir::{ConstantBytes, IntKind, StaticValue, Variable};
use expect_test::expect;

#[test]
fn a_program_prints_its_blocks_checks_and_positions() {
    let mut sample = counting_loop();
    let int = sample.program.types.int(IntKind::Int);
    let init = Initializer { offset: 0, ty: int, bits: None, value: StaticValue::Int(7) };
    sample.program.variables.push(Variable {
        name: "limit".into(),
        ty: int,
        storage: Storage::Global(Linkage::External),
        span: Span::NONE,
        size: 4,
        constant: ConstantBytes::All,
        defined: true,
        system: false,
        init: vec![init],
        address_taken: false,
    });
    expect![[r#"
        data model lp64
        global limit#3: int, 4 bytes, const ; <builtin>:0:0
            +0: int = 7

        function main#0: int (void) ; count.c:1:5
            local x#0: int, 4 bytes, address taken ; count.c:2:5
            local p#1: int *, 8 bytes ; count.c:2:5
            temp t#2: int, 4 bytes ; count.c:2:5
        bb0:
            live x#0 ; count.c:4:5
            x#0 = 0 ; count.c:4:5
            p#1 = &x#0 ; count.c:4:5
            goto bb1 ; count.c:5:5
        bb1:
            if x#0 < 10 goto bb2 else bb3 ; count.c:5:5
        bb2:
            check no overflow x#0 + 1 in int [site0 signed-overflow] ; count.c:4:5
            t#2 = x#0 + 1 ; count.c:4:5
            x#0 = t#2 ; count.c:4:5
            goto bb1 ; count.c:5:5
        bb3:
            return *{p#1: int} ; count.c:5:5
    "#]]
    .assert_eq(&print_program(&sample.program));
}
