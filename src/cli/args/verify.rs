//! The options of `verify`.

use super::shared::{InputArgs, LimitArgs};
use crate::pipeline::Preset;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Decides one property of a program by SMT-based engines.
#[derive(Debug, Args)]
#[command(after_help = "\
Properties:
  unreach-call     no call of reach_error or __VERIFIER_error (whatever it does), no label ERROR, no failing assert is reached
  no-overflow      no signed operation leaves its type, and no left shift goes into or past the sign
  valid-memsafety  every access and every free is right, and no block is lost
  termination      every execution ends; numbers wrap around as the machine has it
  termination-or-overflow
                   every execution ends unless a signed operation in it leaves its type, which C leaves undefined

The last line is `RESULT: TRUE`, `RESULT: FALSE` or `RESULT: UNKNOWN (reason)`. Every FALSE has been replayed by the
interpreter; every TRUE is a proof that has been checked again.

Exit status:
  0 TRUE or UNKNOWN    1 FALSE    2 bad usage or unreadable input    3 internal error    4 nothing was analysed

Examples:
  cellog verify --property unreach-call task.c
  cellog verify --property no-overflow --engine k-induction --arch ilp32 task.c")]
pub struct VerifyArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// What must hold of every execution
    #[arg(long, value_enum, default_value_t = PropertyName::UnreachCall)]
    pub property: PropertyName,
    /// How to decide it
    #[arg(long, value_enum, default_value_t = EngineName::Auto)]
    pub engine: EngineName,
    /// Function that executions start from
    #[arg(long, value_name = "FN", default_value = "main")]
    pub entry: String,
    /// How much the engines may cost: `quick`, `default` or `thorough`
    #[arg(long, value_name = "NAME", default_value = "default")]
    pub profile: Preset,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Rule file whose `candidate_NAME(head, formula...)` relations are tried as invariants of loops; may be repeated
    #[arg(long, value_name = "FILE.dl")]
    pub templates: Vec<PathBuf>,
    /// Rule file whose `strategy_...` relations say what is analysed how (docs/strategy.md); may be repeated
    #[arg(long, value_name = "FILE.dl")]
    pub strategy: Vec<PathBuf>,
    /// Write what shows the answer to a file, for other tools: a witness in YAML, format 2.0
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,
    /// Print the abstract reachability graphs of the engines that build one, too
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub arg: Option<ArgFormat>,
    /// Every attempt with its outcome, the proof's invariants, the counterexample's inputs
    #[arg(short, long)]
    pub verbose: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PropertyName {
    UnreachCall,
    NoOverflow,
    ValidMemsafety,
    /// Every execution ends
    Termination,
    /// Every execution ends, or a signed operation in it leaves its type
    TerminationOrOverflow,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EngineName {
    /// All of them, cheapest first, on two threads
    Auto,
    /// Bounded model checking
    Bmc,
    /// k-induction with auxiliary invariants
    KInduction,
    /// Lazy predicate abstraction
    PredicateAbstraction,
    /// Lazy abstraction with interpolants
    Impact,
    /// Loops summarized by invariants
    Summary,
}

/// How graphs are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ArgFormat {
    /// For Graphviz
    Dot,
}
