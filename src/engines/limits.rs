//! What engines may count up to. Whoever asks an engine says it; the defaults are those of a usual run.
//!
//! Bounds are counted in something that is the same on every machine. Shares of the time ([`Budget`]) keep one engine from starving those
//! behind it.

use super::forward;
use super::task::Budget;
use crate::encode::automaton;
use std::hash::{Hash, Hasher};
use std::time::Duration;

/// A part of the time that is left, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share(pub f64);

impl Share {
    /// This part of `time`.
    pub fn of(self, time: Duration) -> Duration {
        time.mul_f64(self.0)
    }

    /// This part of what is left of `budget`.
    pub fn of_budget(self, budget: &Budget) -> Budget {
        budget.share(self.0)
    }
}

impl Hash for Share {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

/// Bounds of the forward analysis.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct AnalysisLimits {
    /// Statements executed with calls followed.
    pub statements: u64,
    /// Statements executed after that with nothing but arguments and results going in and out of calls, and as many once more with all that they reach.
    pub joined_statements: u64,
    /// Places of calls up to which a function is analysed for each of them where calls are joined.
    pub places: usize,
    /// Calls inside each other that are followed.
    pub depth: usize,
    /// States that a function is entered in and that are analysed apart; further ones are joined.
    pub contexts: usize,
    /// Functions that a call through a pointer may lead to with which it is still followed.
    pub callees: usize,
    /// Turns of a loop that are analysed apart while it cannot end.
    pub turns: usize,
}

impl Default for AnalysisLimits {
    fn default() -> AnalysisLimits {
        AnalysisLimits::USUAL
    }
}

impl AnalysisLimits {
    const USUAL: AnalysisLimits = AnalysisLimits {
        statements: 300_000,
        joined_statements: 6_000_000,
        places: 8,
        depth: 60,
        contexts: 6,
        callees: 12,
        turns: 1200,
    };

    /// What the rules of strategy are told of them (`profile_bound`).
    pub fn bounds(&self) -> [(&'static str, usize); 3] {
        [("callees", self.callees), ("contexts", self.contexts), ("turns", self.turns)]
    }

    /// The options of an analysis that has so much time.
    pub fn options(&self, time_limit: Duration) -> forward::Options<'static> {
        let AnalysisLimits { statements: steps, joined_statements: joined_steps, .. } = *self;
        let AnalysisLimits { places, depth, contexts, callees, turns: unroll, .. } = *self;
        let usual = forward::Options::default();
        forward::Options { time_limit, steps, joined_steps, places, depth, contexts, callees, unroll, ..usual }
    }
}

/// Bounds of runs on chosen inputs.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct RunLimits {
    /// Statements of one run; runs that end only by this limit are not followed up.
    pub statements: u64,
    /// Bytes of objects of one run.
    pub memory: u64,
    /// Bytes of the log of inputs of one run, where what nothing was written to is none.
    pub inputs: u64,
    /// Readings of one run that give nothing but the end of a file that was met before; runs that end by this and have shown something new are made
    /// once more without it.
    pub ends: u32,
    /// Bytes of the kept runs' inputs; a run that would exceed them is not followed up.
    pub kept: u64,
    /// Bytes of the states on the way of kept runs from which later ones go on.
    pub starts: u64,
    /// Kept runs that the solver is asked about once runs show nothing new.
    pub steered: usize,
    /// Questions about one of them.
    pub questions: u32,
    /// Runs that are tried to make a failing one simpler.
    pub simpler: usize,
}

impl Default for RunLimits {
    fn default() -> RunLimits {
        RunLimits::USUAL
    }
}

impl RunLimits {
    const USUAL: RunLimits = RunLimits {
        statements: 2_000_000,
        memory: 24 << 20,
        inputs: 8 << 20,
        ends: 3,
        kept: 64 << 20,
        starts: 256 << 20,
        steered: 12,
        questions: 24,
        simpler: 64,
    };
}

/// Bounds of growing the inputs of runs that err to boxes.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct BoxLimits {
    /// Statements of all runs that are followed, before later findings keep their points.
    pub statements: u64,
    /// Questions to the solver about all of them, before later findings keep their points.
    pub questions: u32,
    /// Statements of one run that is followed.
    pub statements_of_a_run: u64,
    /// Evaluated terms that growing one box in the domain may take.
    pub terms: u64,
    /// Questions that growing one box by the solver may take.
    pub questions_of_a_box: u32,
    /// Units of the solver for one proof.
    pub proof_units: u64,
    /// Numbers among the inputs that grow by the solver.
    pub solved: usize,
    /// Paths that a box may span.
    pub paths: usize,
    /// Questions that a box found backwards may take.
    pub questions_of_a_joined_box: u32,
    /// Paths that a box found backwards may span.
    pub paths_of_a_joined_box: usize,
    /// Steps of looking backwards from all sites together.
    pub joined_steps: u64,
    /// Steps of looking backwards from one site.
    pub joined_steps_of_a_site: u64,
}

impl Default for BoxLimits {
    fn default() -> BoxLimits {
        BoxLimits {
            statements: 3_000_000,
            questions: 600,
            statements_of_a_run: 300_000,
            terms: 4_000_000,
            questions_of_a_box: 40,
            proof_units: 4_000_000,
            solved: 12,
            paths: 8,
            questions_of_a_joined_box: 64,
            paths_of_a_joined_box: 48,
            joined_steps: 30_000,
            joined_steps_of_a_site: 6_000,
        }
    }
}

/// How hard a single question may be. What is harder stays open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Effort {
    /// Clauses that the solver of clauses may learn; None: as many as the time allows.
    pub clauses: Option<u64>,
    /// Terms by which a program may be encoded with its loops unrolled.
    pub encoded: usize,
    /// Terms of a question that libcvc5 is asked: it begins from the start each time, and while it prepares a large question it keeps
    /// to no limit.
    pub terms: usize,
    /// Units of its own that libcvc5 may use; None: as many as the time allows.
    pub units: Option<u64>,
}

impl Effort {
    /// As hard as the time allows.
    pub const ANY: Effort = Effort { clauses: None, encoded: 6_000_000, terms: 20_000, units: None };
}

/// Bounds of the summaries of loops that decide sites.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct SiteLimits {
    /// Blocks of the program with calls inlined; more are not encoded.
    pub blocks: usize,
    /// Runs that are made to see what holds at loop heads.
    pub runs: usize,
    /// Turns to which loops are unrolled before invariants are tried.
    pub turns_before: u32,
    /// The same after.
    pub turns_after: u32,
    /// How hard a question may be.
    pub effort: Effort,
}

impl SiteLimits {
    /// Those of a look in passing.
    pub const GLANCE: SiteLimits = SiteLimits {
        blocks: 1000,
        runs: 50,
        turns_before: 6,
        turns_after: 12,
        effort: Effort { clauses: Some(3_000), encoded: 20_000, terms: 10_000, units: Some(50_000) },
    };
}

impl Default for SiteLimits {
    fn default() -> SiteLimits {
        SiteLimits { blocks: 3000, runs: 150, turns_before: 10, turns_after: 40, effort: Effort::ANY }
    }
}

/// Bounds of the engines that decide a property.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct TaskLimits {
    /// Those of the forward analysis.
    pub analysis: AnalysisLimits,
    /// Those of its runs.
    pub runs: RunLimits,
    /// Blocks of the program with calls inlined; more are not encoded.
    pub blocks: usize,
    /// Activations of one function inside each other that are encoded.
    pub recursion: usize,
    /// Statements of the runs that look for a violation at first; then of those after a few turns were unrolled.
    pub search_statements: [u64; 2],
    /// Runs in a row that show nothing new before these searches end.
    pub search_runs: [u32; 2],
    /// Runs that are made to see what holds at loop heads.
    pub observed_runs: usize,
    /// Turns of the longest windows of k-induction.
    pub window: u32,
    /// Nodes of the graph of lazy abstraction with interpolants.
    pub nodes: usize,
    /// Refinements of predicate abstraction.
    pub refinements: usize,
    /// Abstract states that predicate abstraction looks at between two refinements.
    pub states: usize,
    /// Cubes of one abstraction; more are joined to their common part.
    pub cubes: usize,
    /// Statements of the forward analysis that summaries of loops ask, where nothing rests on their answer alone.
    pub loop_statements: u64,
    /// Runs that are made to find a loop that never ends.
    pub endless_runs: usize,
    /// How engines that work after each other share the time.
    pub shares: TaskShares,
}

/// The parts of the time left that engines which decide a property have, when each begins.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct TaskShares {
    /// A few runs.
    pub glance: Share,
    /// Unrolling loops to a few turns.
    pub few_turns: Share,
    /// More runs.
    pub search: Share,
    /// Unrolling loops as far as they go, before runs have the rest.
    pub turns: Share,
    /// The forward analysis.
    pub analysis: Share,
    /// The same where it only helps to guess.
    pub analysis_to_guess: Share,
    /// Runs that show what holds at loop heads.
    pub observing: Share,
    /// An attempt to prove guessed invariants.
    pub attempt: Share,
    /// Lazy abstraction with interpolants, before predicate abstraction has the rest.
    pub lazily: Share,
}

impl TaskLimits {
    /// Those of a usual run.
    pub const USUAL: &'static TaskLimits = &TaskLimits {
        analysis: AnalysisLimits::USUAL,
        runs: RunLimits::USUAL,
        blocks: 20_000,
        recursion: 4,
        search_statements: [200_000, 6_000_000],
        search_runs: [100, 2000],
        observed_runs: 150,
        window: 12,
        nodes: 600,
        refinements: 120,
        states: 400,
        cubes: 64,
        loop_statements: 300_000,
        endless_runs: 60,
        shares: TaskShares {
            glance: Share(0.02),
            few_turns: Share(0.05),
            search: Share(0.07),
            turns: Share(0.5),
            analysis: Share(0.25),
            analysis_to_guess: Share(0.2),
            observing: Share(0.05),
            attempt: Share(0.5),
            lazily: Share(0.5),
        },
    };

    /// How far calls are inlined.
    pub fn bounds(&self) -> automaton::Bounds {
        automaton::Bounds { nodes: self.blocks, recursion: self.recursion }
    }
}

impl Default for TaskLimits {
    fn default() -> TaskLimits {
        TaskLimits::USUAL.clone()
    }
}
