use super::super::sample::counting_loop;
use super::*;
use crate::ir::FuncId;
use crepe::crepe;
use proptest::prelude::*;

fn graph(blocks: usize, edges: &[(u32, u32)]) -> Cfg {
    Cfg::from_edges(blocks, edges.iter().map(|&(a, b)| (BlockId(a), BlockId(b))))
}

/// All pairs of dominance, as the definition says it: `b` is not reachable without `a`.
fn dominates_by_definition(blocks: usize, edges: &[(u32, u32)]) -> Vec<(u32, u32)> {
    crepe! {
        @input
        struct Block(u32);
        @input
        struct Edge(u32, u32);
        struct Reachable(u32);
        struct ReachableWithout(u32, u32);
        @output
        struct Dominates(u32, u32);

        Reachable(b) <- Block(b), (b == 0);
        Reachable(b) <- Reachable(a), Edge(a, b);
        ReachableWithout(avoided, b) <- Block(avoided), Block(b), (b == 0), (avoided != b);
        ReachableWithout(avoided, b) <- ReachableWithout(avoided, a), Edge(a, b), (avoided != b);
        Dominates(a, b) <- Reachable(a), Reachable(b), !ReachableWithout(a, b);
    }
    let mut runtime = Crepe::new();
    runtime.extend((0..blocks as u32).map(Block));
    runtime.extend(edges.iter().map(|&(a, b)| Edge(a, b)));
    let (found,) = runtime.run();
    let mut pairs: Vec<_> = found.into_iter().map(|Dominates(a, b)| (a, b)).collect();
    pairs.sort_unstable();
    pairs
}

#[test]
fn a_while_loop_has_one_header_one_latch_and_one_exit() {
    let sample = counting_loop();
    let cfg = Cfg::of(&sample.program.functions[FuncId(0)]);
    let wanted = NaturalLoop {
        header: BlockId(1),
        body: vec![BlockId(1), BlockId(2)],
        latches: vec![BlockId(2)],
        exits: vec![(BlockId(1), BlockId(3))],
        parent: None,
        depth: 1,
    };
    assert!(cfg.loops().iter().eq([&wanted]));
    assert_eq!(cfg.innermost_loop(BlockId(3)), None);
    assert!(cfg.irreducible_regions().is_empty());
}

#[test]
fn nested_loops_know_their_parent() {
    // 0 -> 1 (outer) -> 2 (inner) -> 3 -> 2, 2 -> 4 -> 1, 1 -> 5
    let cfg = graph(6, &[(0, 1), (1, 2), (2, 3), (3, 2), (2, 4), (4, 1), (1, 5)]);
    let loops: Vec<_> = cfg.loops().iter().map(|l| (l.header.0, l.parent, l.depth, l.body.len())).collect();
    assert_eq!(loops, [(1, None, 1, 4), (2, Some(LoopId(0)), 2, 2)]);
    assert_eq!(cfg.innermost_loop(BlockId(3)), Some(LoopId(1)));
    assert_eq!(cfg.innermost_loop(BlockId(4)), Some(LoopId(0)));
}

#[test]
fn a_cycle_entered_twice_is_irreducible_and_no_loop() {
    let cfg = graph(4, &[(0, 1), (0, 2), (1, 2), (2, 1), (2, 3)]);
    assert!(cfg.loops().is_empty());
    assert_eq!(cfg.irreducible_regions(), [vec![BlockId(1), BlockId(2)]]);
}

#[test]
fn unreachable_blocks_are_in_no_relation() {
    let cfg = graph(3, &[(0, 1), (2, 1), (2, 2)]);
    assert!(!cfg.reachable(BlockId(2)));
    assert_eq!(cfg.predecessors(BlockId(1)), [BlockId(0)]);
    assert!(!cfg.dominates(BlockId(2), BlockId(2)));
    assert!(cfg.loops().is_empty());
}

#[test]
fn a_chain_of_many_blocks_is_no_burden() {
    let n = 200_000;
    let edges: Vec<(u32, u32)> = (0..n - 1).map(|i| (i, i + 1)).chain([(n - 1, 0)]).collect();
    let cfg = graph(n as usize, &edges);
    assert!(cfg.dominates(BlockId(17), BlockId(n - 1)));
    assert_eq!(cfg.loops().len(), 1);
}

proptest! {
    #[test]
    fn dominance_is_what_its_definition_says(edges in prop::collection::vec((0u32..9, 0u32..9), 0..24)) {
        let cfg = graph(9, &edges);
        let pairs: Vec<(u32, u32)> = (0..9)
            .flat_map(|a| (0..9).map(move |b| (a, b)))
            .filter(|&(a, b)| cfg.dominates(BlockId(a), BlockId(b)))
            .collect();
        prop_assert_eq!(pairs, dominates_by_definition(9, &edges));
    }

    #[test]
    fn every_cycle_is_in_a_loop_or_an_irreducible_region(edges in prop::collection::vec((0u32..8, 0u32..8), 0..20)) {
        let cfg = graph(8, &edges);
        for &from in cfg.reverse_postorder() {
            for &to in cfg.successors(from) {
                let position = |b| cfg.reverse_postorder().iter().position(|&x| x == b);
                if position(to) <= position(from) {
                    let in_loop = cfg.loops().iter().any(|l| l.header == to && l.contains(from));
                    let in_region = cfg.irreducible_regions().iter().any(|r| r.contains(&to) && r.contains(&from));
                    prop_assert!(in_loop || in_region, "{from} -> {to}");
                }
            }
        }
    }
}
