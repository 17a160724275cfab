use super::*;
use crate::ir::sample::counting_loop;
use crate::ir::{Expr, Place};
use crate::memory::{Memory, Targets};

#[test]
fn a_pointer_to_a_local_points_to_it_and_nothing_else() {
    let sample = counting_loop();
    let memory = Memory::of(&sample.program);
    let memory = memory.points_to().expect("the rules end");
    let p = Expr::load(Place::var(sample.p, sample.program.variables[sample.p].ty));
    let Targets::In(set) = memory.targets(&sample.program, &p) else { panic!("the text has p") };
    let wanted = Location { base: Base::Variable(sample.x), offset: 0, stride: 0 };
    assert_eq!(set.iter().collect::<Vec<_>>(), [wanted]);
    assert!(!memory.address_escapes(sample.x));
    assert!(!memory.is_recursive(FuncId(0)));
    assert_eq!(memory.may_write(FuncId(0)).bases(), [Base::Variable(sample.x)]);
    assert_eq!(memory.loop_may_write(FuncId(0), BlockId(1)).bases(), [Base::Variable(sample.x)]);
}
