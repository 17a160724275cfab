//! The running example of the paper: the program of its Fig. 2, the graphs of Figs. 5-8, and Examples 2-9.
//!
//! Abstract states are compared where blocks end, which is where ours are kept; formulas by the solver.
//!
//! See: Beyer, Dangl, Wendler, "A Unifying View on SMT-Based Software Verification", Sect. 3 and 4.

use super::arg::{self, ArgNode, ArgNodes, walk};
use super::blocks::Blocks;
use super::certificate;
use super::interpolate::{Atoms, Guide, Sequence, Strategy, interpolate, is_inductive};
use super::learnt::Learnt;
use super::loop_bound::Turn;
use super::unwinding::{Nothing, Unrolled, Unrolling, unroll};
use crate::base::SourceMap;
use crate::encode::automaton::Bounds;
use crate::encode::{Automaton, Cell, Encoder, NodeId};
use crate::engines::bmc::{Bounded, Tried, within};
use crate::engines::forward;
use crate::engines::impact::Impact;
use crate::engines::invariant::guess::{Candidates, Effort, guess};
use crate::engines::invariant::prove::prove;
use crate::engines::invariant::trace::Tables;
use crate::engines::k_induction::induct;
use crate::engines::predicate_abstraction::{Ended, Exploration, add_predicates};
use crate::engines::task::query::Reply;
use crate::engines::task::{Answer, Budget, Property, Query, Task};
use crate::frontend::lower::{ErrorLabel, LowerOptions, lower};
use crate::frontend::parse::parse_units;
use crate::frontend::preprocess::PreprocessedUnit;
use crate::ir::{DataModel, Program};
use crate::memory::Memory;
use crate::smt::Term;
use std::collections::BTreeSet;
use std::time::Duration;

/// Fig. 2 (a), line by line.
const FIG_2: &str = "int main() {
  unsigned int x = 0;
  unsigned int y = 0;
  while (x < 2) {
    x++;
    y++;
    if (x != y) {
      ERROR: return 1;
    }
  }
  return 0;
}
";

/// The same, but that its states are not known to be 0 before a solver is asked.
fn with_assumed_start() -> String {
    let start = FIG_2.replace("unsigned int x = 0;", "unsigned int x = __VERIFIER_nondet_uint();");
    let start = start.replace(
        "unsigned int y = 0;",
        "unsigned int y = __VERIFIER_nondet_uint(); __VERIFIER_assume(x == 0 && y == 0);",
    );
    format!("unsigned __VERIFIER_nondet_uint(void); void __VERIFIER_assume(int); {start}")
}

fn program(source: &str) -> Program {
    let unit = PreprocessedUnit { file: "fig2.c".into(), text: source.into(), diagnostics: Vec::new() };
    let mut sources = SourceMap::default();
    let parsed = parse_units(&[unit], 1, &mut sources);
    let options = LowerOptions { error_label: ErrorLabel::Everywhere, ..LowerOptions::default() };
    lower(&parsed, DataModel::Lp64, sources, options)
}

fn budget() -> Budget {
    Budget::of(Duration::from_secs(600))
}

/// Runs `test` with the program's task, automaton and blocks.
fn on(source: &str, test: impl FnOnce(&Task<'_>, &Automaton<'_>)) {
    let program = program(source);
    let entry = program.function_named("main").expect("there is a main");
    let memory = Memory::of(&program);
    let automaton = Automaton::new(&program, &memory, entry, Bounds::default()).expect("it is small");
    test(&Task::new(&program, &memory, entry, Property::UnreachCall), &automaton);
}

fn blocks<'a, 'p>(automaton: &'a Automaton<'p>) -> Blocks<'a, 'p> {
    Blocks::new(automaton, Property::UnreachCall.kinds(), &budget()).expect("it is made of blocks")
}

/// l4.
fn head(automaton: &Automaton<'_>) -> NodeId {
    let heads = automaton.heads();
    assert_eq!(heads.len(), 1);
    assert_eq!(line(automaton, heads[0]), 4);
    heads[0]
}

fn line(automaton: &Automaton<'_>, node: NodeId) -> u32 {
    let text = automaton.program.sources.describe(automaton.span(node));
    text.split(':').nth(1).and_then(|n| n.parse().ok()).unwrap_or_else(|| panic!("{text}"))
}

/// A variable at l4.
fn variable(blocks: &Blocks<'_, '_>, head: NodeId, name: &str) -> Term {
    let frame = &blocks.frames[&Some(head)];
    let of = |cell: &Cell| blocks.encoder.program.variables[cell.variable].name == name;
    *frame.variables.iter().find(|(cell, _)| of(cell)).expect("it lives in the loop").1
}

/// x = y at l4.
fn equal(blocks: &mut Blocks<'_, '_>, head: NodeId) -> Term {
    let (x, y) = (variable(blocks, head, "x"), variable(blocks, head, "y"));
    blocks.encoder.pool.eq(x, y)
}

fn is_unsat(blocks: &Blocks<'_, '_>, formulas: &[Term]) -> bool {
    match Query::new().check(&blocks.encoder, formulas, &budget()) {
        Reply::Unsat => true,
        Reply::Sat => false,
        Reply::Unknown(why) => panic!("{why}"),
    }
}

fn are_equivalent(blocks: &mut Blocks<'_, '_>, a: Term, b: Term) -> bool {
    let same = blocks.encoder.pool.eq(a, b);
    let differ = blocks.encoder.pool.not(same);
    is_unsat(blocks, &[differ])
}

/// The precision of Example 8: x = y at l4.
fn precision(blocks: &mut Blocks<'_, '_>, head: NodeId) -> Atoms {
    let x_is_y = equal(blocks, head);
    Atoms::from([(head, vec![x_is_y])])
}

/// How the failing block is left from l4.
fn failure(blocks: &Blocks<'_, '_>, head: NodeId) -> Term {
    let failures = &blocks.blocks[&Some(head)].failures;
    assert_eq!(failures.len(), 1, "the one label");
    failures[0]
}

#[test]
fn example_2_the_abstraction_of_a_turn_is_x_equals_y() {
    on(FIG_2, |_, automaton| {
        let (mut blocks, head) = (blocks(automaton), head(automaton));
        let precision = precision(&mut blocks, head);
        let psi = precision[&head][0];
        let arrival = blocks.blocks[&Some(head)].arrivals[&head].clone();
        let (mut query, budget) = (Query::new(), budget());
        let mut exploration = Exploration::new(&mut blocks, &mut query, precision.clone(), &budget);
        let abstraction = exploration.abstraction(psi, head, &arrival).ok().flatten().expect("a turn is possible");
        assert!(are_equivalent(&mut blocks, abstraction, psi));
        // Whether x is 1 differs from turn to turn.
        let x = variable(&blocks, head, "x");
        let one = blocks.encoder.pool.bv(32, 1);
        let x_is_1 = blocks.encoder.pool.eq(x, one);
        let other = Atoms::from([(head, vec![x_is_1])]);
        let mut exploration = Exploration::new(&mut blocks, &mut query, other, &budget);
        let abstraction = exploration.abstraction(psi, head, &arrival).ok().flatten().expect("a turn is possible");
        let always = blocks.encoder.pool.bool(true);
        assert!(are_equivalent(&mut blocks, abstraction, always));
    });
}

#[test]
fn example_3_interpolants_are_those_of_the_definition() {
    on(FIG_2, |_, automaton| {
        let (mut blocks, head) = (blocks(automaton), head(automaton));
        let trail = walk(&mut blocks, &[head]).expect("the path exists").trail;
        let (failure, budget) = (failure(&blocks, head), budget());
        let psi = equal(&mut blocks, head);
        let always = blocks.encoder.pool.bool(true);
        let never = blocks.encoder.pool.bool(false);
        // The paper's; not excluding the violation; not implied by the start.
        for (tau, expected) in [(psi, true), (always, false), (never, false)] {
            let sequence = Sequence { strategy: Strategy::Forward, formulas: vec![vec![tau]] };
            assert_eq!(is_inductive(&mut blocks, &sequence, &trail, failure, &budget), expected);
        }
        // Every strategy makes one, the forward one from x = y the paper's.
        let atoms = Atoms::from([(head, vec![psi])]);
        for strategy in Strategy::ALL {
            let guide = Guide { atoms: atoms.clone(), strategies: vec![strategy] };
            let found = interpolate(&mut blocks, &mut Query::new(), &trail, failure, &guide, &budget);
            let found = found.unwrap_or_else(|| panic!("{strategy:?}"));
            let tau = blocks.encoder.pool.and(&found.formulas[0]);
            let not = blocks.encoder.pool.not(tau);
            // What follows from x = y = 0, and with x < 2 excludes the violation: at most x = y or x >= 2.
            assert!(is_unsat(&blocks, &[failure, tau]), "{strategy:?}");
            assert!(!is_unsat(&blocks, &[not]), "{strategy:?}");
            assert!(strategy != Strategy::Forward || are_equivalent(&mut blocks, tau, psi));
        }
    });
}

#[test]
fn example_5_the_precision_gets_the_predicate_at_its_place_alone() {
    on(FIG_2, |_, automaton| {
        let (mut blocks, head) = (blocks(automaton), head(automaton));
        let psi = equal(&mut blocks, head);
        let mut precision = Atoms::new();
        assert_eq!(add_predicates(&mut blocks, &mut precision, head, psi), Some(0));
        assert_eq!(precision, Atoms::from([(head, vec![psi])]));
        // Neither again nor negated.
        let not = blocks.encoder.pool.not(psi);
        assert_eq!(add_predicates(&mut blocks, &mut precision, head, psi), Some(0));
        assert_eq!(add_predicates(&mut blocks, &mut precision, head, not), Some(0));
        assert_eq!(precision, Atoms::from([(head, vec![psi])]));
        // A formula without predicates changes nothing.
        let always = blocks.encoder.pool.bool(true);
        assert_eq!(add_predicates(&mut blocks, &mut precision, head, always), None);
    });
}

/// Lines, and the turns of the loop.
type Places = Vec<(u32, Option<Turn>)>;

/// The unrolled program, and the lines of its abstract states with the turn of the loop that they are in.
fn unrolled<'a, 'p>(automaton: &'a Automaton<'p>, unrolling: Unrolling) -> (Encoder<'a, 'p>, Unrolled, Places) {
    let mut encoder = Encoder::new(automaton, Property::UnreachCall.kinds());
    let unrolled = unroll(&mut encoder, unrolling, &mut Nothing, &budget());
    let place = |(node, turns): &(NodeId, Vec<(NodeId, Turn)>)| (line(automaton, *node), turns.last().map(|t| t.1));
    let places = unrolled.visited.iter().map(place).collect();
    (encoder, unrolled, places)
}

#[test]
fn example_6_and_figure_5_bounded_model_checking_of_one_turn() {
    on(&with_assumed_start(), |_, automaton| {
        let (mut encoder, unrolled, places) = unrolled(automaton, Unrolling { base: 1, window: false });
        let turn = Some(Turn::Base(0));
        assert_eq!(marked(&places), BTreeSet::from([(4, turn), (5, turn), (8, None), (11, None)]));
        // e8 is infeasible; e10, where the bound ends the unrolling, is not.
        let failures: Vec<Term> = encoder.failures.iter().map(|f| f.condition).collect();
        assert_eq!((failures.len(), unrolled.beyond.len()), (1, 1));
        let fails = encoder.pool.or(&failures);
        assert_eq!(Query::new().check(&encoder, &[fails], &budget()), Reply::Unsat);
        assert_eq!(Query::new().check(&encoder, &[unrolled.beyond[0].1], &budget()), Reply::Sat);
    });
    // So one turn is not enough, nor are two; the third begins in no state.
    on(FIG_2, |task, automaton| {
        let ended = |bound| within(task, automaton, bound, &mut Tried::default(), &budget());
        assert!(matches!(ended(1), Bounded::Further));
        assert!(matches!(ended(2), Bounded::Further));
        assert!(matches!(ended(3), Bounded::Decided(Answer::True(_))));
    });
}

/// The places at the loop's head, in its body, at the error location, and behind the loop.
fn marked(places: &Places) -> BTreeSet<(u32, Option<Turn>)> {
    places.iter().filter(|(line, _)| [4, 5, 8, 11].contains(line)).copied().collect()
}

#[test]
fn example_7_and_figure_6_induction_over_one_turn() {
    for source in [FIG_2.to_owned(), FIG_2.replace("x < 2", "__VERIFIER_nondet_int()")] {
        let source = format!("int __VERIFIER_nondet_int(void); {source}");
        on(&source, |task, automaton| {
            let (_, _, places) = unrolled(automaton, Unrolling { base: 1, window: true });
            // The step case: two turns from any state at l4, and the error location behind the second.
            let marked = marked(&places);
            for turn in [Turn::Window(0), Turn::Window(1)] {
                assert!(marked.contains(&(4, Some(turn))) && marked.contains(&(5, Some(turn))), "{marked:?}");
            }
            assert!(marked.contains(&(8, None)), "{marked:?}");
            assert!(!marked.contains(&(4, Some(Turn::Window(2)))), "{marked:?}");
            // e14 is infeasible: the property is inductive over one turn, and over none it is not.
            let none = Candidates::default();
            assert!(prove(task, automaton, &none, 0, &budget()).safe.is_err());
            assert!(prove(task, automaton, &none, 1, &budget()).safe.is_ok());
            assert!(induct(task, automaton, &none, 1, &budget(), &budget()).is_ok());
        });
    }
}

#[test]
fn example_7_intervals_give_auxiliary_invariants() {
    on(FIG_2, |task, automaton| {
        let options = forward::Options { keep_invariants: true, ..forward::Options::default() };
        let values = forward::analyze(task.program, task.memory, task.entry, &options).value_at(task.program);
        let candidates = guess(automaton, &Tables::default(), &values, Effort::Little);
        let shown = prove(task, automaton, &candidates, 0, &budget());
        let texts: Vec<String> =
            shown.invariants.values().flatten().map(|p| p.in_c(task.program)).filter(|t| t.contains('x')).collect();
        assert!(texts.iter().any(|t| t.contains("<= 2")), "{texts:?}");
    });
}

/// The two abstraction states of l4 in Figs. 7 and 8: x = y, and below it x = y again, covered.
fn check_graph(blocks: &mut Blocks<'_, '_>, nodes: &[ArgNode], head: NodeId) {
    let psi = equal(blocks, head);
    let shape: Vec<_> =
        nodes.iter().map(|n| (n.head, n.parent.map(|p| p.0), n.covered.map(|c| c.0), n.expanded)).collect();
    assert_eq!(shape, [(head, None, None, true), (head, Some(0), Some(0), false)]);
    for node in nodes {
        assert!(are_equivalent(blocks, node.label, psi));
    }
}

#[test]
fn example_8_and_figure_7_predicate_abstraction() {
    on(FIG_2, |_, automaton| {
        let (mut blocks, head) = (blocks(automaton), head(automaton));
        let precision = precision(&mut blocks, head);
        let (mut query, budget) = (Query::new(), budget());
        let mut exploration = Exploration::new(&mut blocks, &mut query, precision.clone(), &budget);
        let labels = exploration.run().ok().expect("no error state is reached");
        let nodes = exploration.nodes.iter().cloned().collect::<Vec<_>>();
        check_graph(&mut blocks, &nodes, head);
        assert_eq!(certificate::check(&mut blocks, &labels, &budget), Ok(()));
        // Without the predicate the error location is reached.
        let nothing = Atoms::new();
        let mut exploration = Exploration::new(&mut blocks, &mut query, nothing, &budget);
        assert!(exploration.run().is_err());
    });
}

/// The program with another loop before l4.
fn with_a_loop_before() -> String {
    let text = FIG_2.replace("  while (x < 2)", "  while (__VERIFIER_nondet_int()) ;\n  while (x < 2)");
    format!("int __VERIFIER_nondet_int(void); {text}")
}

/// Heads as numbers, parents, what covers, and whether expanded.
type Shape = Vec<(usize, Option<u32>, Option<u32>, bool)>;

fn shape(nodes: &ArgNodes, heads: &[NodeId]) -> Shape {
    let number = |head| heads.iter().position(|h| *h == head).expect("it is one of them");
    nodes.iter().map(|n| (number(n.head), n.parent.map(|p| p.0), n.covered.map(|c| c.0), n.expanded)).collect()
}

#[test]
fn algorithm_4_only_what_is_behind_the_pivot_is_built_again() {
    on(&with_a_loop_before(), |_, automaton| {
        let mut heads = automaton.heads();
        heads.sort_by_key(|h| line(automaton, *h));
        let [first, second] = heads[..] else { panic!("{heads:?}") };
        let (mut blocks, mut query, budget) = (blocks(automaton), Query::new(), budget());
        let (psi, always) = (equal(&mut blocks, second), blocks.encoder.pool.bool(true));
        let other = equal(&mut blocks, first);
        let mut exploration = Exploration::new(&mut blocks, &mut query, Atoms::new(), &budget);
        let Err(Ended::Counterexample(path)) = exploration.run() else { panic!("nothing is known yet") };
        assert_eq!(arg::heads(&exploration.nodes, &path), [first, second]);
        let before = [(0, None, None, true), (0, Some(0), Some(0), false), (1, Some(0), None, false)];
        assert_eq!(shape(&exploration.nodes, &heads), before);
        // The interpolant at the first loop is true: the pivot is the state at the second.
        assert_eq!(exploration.pivot(&path, &[vec![vec![always], vec![psi]]]), Some(path[1]));
        // What is found out about the first loop meanwhile changes nothing there.
        exploration.precision.insert(first, vec![other]);
        assert!(exploration.go_back_to(path[1]).is_ok());
        assert_eq!(shape(&exploration.nodes, &heads), before);
        assert!(exploration.run().is_ok());
        let behind = [(1, Some(0), None, true), (1, Some(2), Some(2), false)];
        assert_eq!(shape(&exploration.nodes, &heads), [&before[..2], &behind].concat());
        let labels: Vec<Term> = exploration.nodes.iter().map(|n| n.label).collect();
        assert_eq!(labels[..2], [always, always]);
        // From the first state on, all is built again, with what is known by now.
        assert!(exploration.go_back_to(path[0]).is_ok());
        assert_eq!(shape(&exploration.nodes, &heads), [(0, None, None, false)]);
        assert!(exploration.run().is_ok());
        assert_eq!(shape(&exploration.nodes, &heads), [&before[..2], &behind].concat());
        let again: Vec<Term> = exploration.nodes.iter().map(|n| n.label).collect();
        for (label, expected) in again.into_iter().zip([other, other, psi, psi]) {
            assert!(are_equivalent(&mut blocks, label, expected));
        }
        for label in &labels[2..] {
            assert!(are_equivalent(&mut blocks, *label, psi));
        }
    });
}

#[test]
fn algorithm_4_what_a_removed_state_covered_is_looked_at_again() {
    on(&with_a_loop_before(), |_, automaton| {
        let mut heads = automaton.heads();
        heads.sort_by_key(|h| line(automaton, *h));
        let (mut blocks, mut query, budget) = (blocks(automaton), Query::new(), budget());
        let psi = equal(&mut blocks, heads[1]);
        let mut exploration = Exploration::new(&mut blocks, &mut query, Atoms::new(), &budget);
        let Err(Ended::Counterexample(path)) = exploration.run() else { panic!("nothing is known yet") };
        // A state elsewhere that the one at the second loop covers.
        let elsewhere = ArgNode { covered: Some(path[1]), expanded: false, ..exploration.nodes[path[1]].clone() };
        let elsewhere = exploration.add(elsewhere);
        exploration.precision.insert(heads[1], vec![psi]);
        assert!(exploration.go_back_to(path[1]).is_ok());
        assert_eq!(exploration.nodes[elsewhere].covered, None);
        // It is on the way to the violation itself now.
        let Err(Ended::Counterexample(path)) = exploration.run() else { panic!("it was lost") };
        assert!(path.contains(&elsewhere), "{path:?}");
    });
}

#[test]
fn example_9_and_figure_8_impact() {
    on(FIG_2, |task, automaton| {
        let (mut blocks, head) = (blocks(automaton), head(automaton));
        let atoms = precision(&mut blocks, head);
        // The example's assumption: interpolation yields x = y at l4.
        let guide = Guide { atoms, strategies: vec![Strategy::Forward] };
        let (mut learnt, budget) = (Learnt::default(), budget());
        let mut impact = Impact::new(task, blocks, guide, &mut learnt, &budget);
        assert!(impact.run().is_ok());
        let nodes = impact.nodes.iter().cloned().collect::<Vec<_>>();
        check_graph(&mut impact.blocks, &nodes, head);
    });
}

#[test]
fn example_4_a_strengthened_state_excludes_the_error_behind_it() {
    on(FIG_2, |task, automaton| {
        let (mut blocks, head) = (blocks(automaton), head(automaton));
        let (psi, failure) = (equal(&mut blocks, head), failure(&blocks, head));
        let (mut learnt, budget) = (Learnt::default(), budget());
        let mut impact = Impact::new(task, blocks, Guide::of(Atoms::new()), &mut learnt, &budget);
        assert!(impact.expand(None).is_ok());
        let (first, label) = impact.nodes.iter_enumerated().map(|(id, n)| (id, n.label)).next().expect("e1");
        assert!(!is_unsat(&impact.blocks, &[label, failure]));
        // Another state that it covers is covered no longer once it is stronger.
        let other = impact.nodes.push(ArgNode { covered: Some(first), ..impact.nodes[first].clone() });
        impact.strengthen(first, &[psi]);
        assert_eq!(impact.nodes[other].covered, None);
        let label = impact.nodes[first].label;
        assert!(is_unsat(&impact.blocks, &[label, failure]));
        assert!(are_equivalent(&mut impact.blocks, label, psi));
    });
}
