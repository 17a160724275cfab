//! The commands and their options.

use super::fix::FixArgs;
use super::measure::MeasureCommand;
use super::record::RecordArgs;
use super::shared::{Arch, CacheArgs, Effort, InputArgs, LimitArgs, effort, seconds};
use super::stages::{LinkArgs, MergeArgs};
use super::verify::VerifyArgs;
use crate::pipeline::sources::shard::Shard;
use crate::pipeline::{Preset, Profile};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Cellog analyzes C: it finds run-time errors, says for which inputs they happen, and gives its results as relations.
#[derive(Debug, Parser)]
#[command(name = "cellog", version, max_term_width = 100, subcommand_required = true, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Check(CheckArgs),
    Verify(VerifyArgs),
    Summarize(SummarizeArgs),
    Record(RecordArgs),
    Facts(FactsArgs),
    Link(LinkArgs),
    Merge(MergeArgs),
    Query(QueryArgs),
    Replay(ReplayArgs),
    Fix(FixArgs),
    /// Completions for shells, and the manual page.
    #[command(subcommand)]
    Manual(ManualCommand),
    Explain(ExplainArgs),
    Lsp(LspArgs),
    Mcp(McpArgs),
    /// Lists, shows and checks rule files.
    #[command(subcommand)]
    Rules(RulesCommand),
    /// Figures about the tool itself.
    #[command(subcommand, hide = true)]
    Measure(MeasureCommand),
}

/// Judges every place that can go wrong in a C program: one verdict each, with its evidence.
#[derive(Debug, Args)]
#[command(after_help = "\
Verdicts:
  definite     errs whenever the inputs lie in the printed precondition; the run has been replayed
  possible     an error could not be excluded
  unknown      not decided; the reason is given
  unreachable  control never gets there
  safe         no execution errs there

Checks, by default:
  div-by-zero signed-overflow float-conversion shift shift-overflow vla-bound index-bound
  null-deref out-of-bounds use-after-free double-free invalid-free uninit-read
  pointer-diff pointer-compare assertion unreach-call
Checks only when named, the first two of behaviour that C defines:
  unsigned-overflow  unsigned arithmetic wraps around
  conversion         an implicit conversion changes the value
  library-domain     a library function has no result for its argument: abs(INT_MIN)
Checks made of rules (`cellog rules show NAME`), only when named, or all by `rules`:
  dead-store format-string input-error leak lock-order negative-size signature-mismatch
  stack-address tainted-command tainted-index tainted-size unchecked-result

Exit status:
  0 nothing definite    1 something definite, or found by a rule (--fail-on)
  2 bad usage, unreadable input, or rules not run to their end
  3 internal error      4 nothing was analysed
  130 interrupted with nothing definite so far

A finding is suppressed by a comment on its line, or alone on the line before:
  // cellog: allow(div-by-zero) the divisor is checked by the caller
or in cellog.toml, which also sets defaults of options and excludes files (docs/acting.md).
Suppressed findings, and those of the baseline, do not count for the exit status.

Examples:
  cellog check src/                          # the C files of a folder, flags guessed
  cellog check src/*.c -- -Iinclude -DNDEBUG
  cellog check -p build --checks default,unsigned-overflow
  cellog check -p build --diff origin/main
  cellog check --rules my_checks.dl main.c
  cellog check --entry parse_header --format json -o report.json parser.c")]
pub struct CheckArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// Function that executions start from; its parameters are inputs. `all`: any function that other code can call, in any state
    #[arg(long, value_name = "FN", default_value = "main")]
    pub entry: String,
    /// What to judge: `default`, `all`, `rules` or names of checks, comma separated
    #[arg(long, value_name = "LIST", default_value = "default")]
    pub checks: String,
    /// Which engines judge
    #[arg(long, value_enum, default_value_t = CheckEngine::Auto)]
    pub engine: CheckEngine,
    /// Rule file whose `find_NAME(site, message)` relations are findings too; may be repeated
    #[arg(long, value_name = "FILE.dl")]
    pub rules: Vec<PathBuf>,
    /// Input relation for the rules; may be repeated
    #[arg(long = "relation", value_name = "NAME=FILE.csv")]
    pub relations: Vec<String>,
    /// With `--engine summary`: rule file whose `candidate_NAME(head, formula...)` relations are tried as invariants of loops; may be repeated
    #[arg(long, value_name = "FILE.dl")]
    pub templates: Vec<PathBuf>,
    /// Rule file whose `strategy_...` relations say what is analysed how (docs/strategy.md); may be repeated
    #[arg(long, value_name = "FILE.dl")]
    pub strategy: Vec<PathBuf>,
    /// Form of the report
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub format: ReportFormat,
    /// Write the report to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Earlier report (`--format json`): what it has already neither shows nor fails
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Only what a change touches: findings in functions whose text differs from this revision of git
    #[arg(long, value_name = "REV")]
    pub diff: Option<String>,
    /// With `--format sarif`: offer fixes of the first N definite findings (10 where no number is given), each checked again as `cellog fix` does
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "10")]
    pub fixes: Option<usize>,
    /// What ends the run with status 1
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = FailOn::Definite)]
    pub fail_on: FailOn,
    /// Report every N-th finding alone, those of part I, as JSON for `cellog merge`
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// How much the analysis may cost: `quick`, `default` or `thorough`
    #[arg(long, value_name = "NAME", default_value = "default")]
    pub profile: Preset,
    /// Million statements of runs that look for errors at places that are not decided, or `limit`: as long as there is time
    /// [default: 100, or what the profile has]
    #[arg(long, value_name = "N", value_parser = effort)]
    pub effort: Option<Effort>,
    /// With `--effort limit`: the interpreter alone makes runs. Otherwise the program is also built by the system's compiler ($CC, else cc), and run
    /// shut in, with no files, no network and no other processes, to find out which inputs are worth a look
    #[arg(long)]
    pub no_compiled_runs: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub cache: CacheArgs,
    /// Every place that is open; without it, of more than 12 a screen says which to look at first
    #[arg(long)]
    pub all: bool,
    /// So many open places, those to look at first, before that screen
    #[arg(long, value_name = "N", conflicts_with = "all")]
    pub possible: Option<usize>,
    /// Safe and unreachable sites, whole traces, exact states and all gaps too
    #[arg(short, long)]
    pub verbose: bool,
    /// Definite findings alone
    #[arg(short, long)]
    pub quiet: bool,
}

/// Builds and runs a reproducer of a definite finding under the compiler's sanitizers.
#[derive(Debug, Args)]
#[command(after_help = "\
A harness feeds the finding's precondition to the program: results of library functions, what is read, arguments,
parameters of the entry. The last line says what came of it:
  confirmed                  a sanitizer reports the error at the place
  not visible to sanitizers  the run came to the place, and no sanitizer has a check for the error; why
  not reproduced             the run did not come to the place, or could not be made; why

The compiler is $CC, else cc. Exit status: 0 confirmed, 1 not, 2 bad usage.

Examples:
  cellog replay 868ebc3d *.c
  cellog replay 868ebc3d --report report.json -p build
  cellog replay 868ebc3d --emit reproducer.c *.c -- -Iinclude
  cellog replay 868ebc3d --assert *.c")]
pub struct ReplayArgs {
    /// The finding's id in a report, or enough of its start
    #[arg(value_name = "ID")]
    pub id: String,
    #[command(flatten)]
    pub input: InputArgs,
    /// Function that executions start from, as for `check`
    #[arg(long, value_name = "FN", default_value = "main")]
    pub entry: String,
    /// The report (`check --format json`) that has the finding; without one the files are analysed anew
    #[arg(long, value_name = "FILE.json")]
    pub report: Option<PathBuf>,
    /// The checks that the finding was found with
    #[arg(long, value_name = "LIST", default_value = "default")]
    pub checks: String,
    /// Write the harness to a C file too
    #[arg(long, value_name = "FILE.c")]
    pub emit: Option<PathBuf>,
    /// Print the negated precondition as C assertion, ACSL and CBMC assumption, and run nothing
    #[arg(long = "assert", conflicts_with = "emit")]
    pub claims: bool,
    /// Seconds that the program may run; five times as many when it is tried again because they were over
    #[arg(long, value_name = "S", default_value_t = 10.0, value_parser = seconds)]
    pub run_limit: f64,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub cache: CacheArgs,
    /// Show the commands
    #[arg(short, long)]
    pub verbose: bool,
}

/// Serves an editor over the Language Server Protocol.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
The editor starts it and talks over standard input and output. A file that is opened or saved is analysed with its
project: the units of the nearest compile_commands.json (in a folder around it, or its build or builddir), else by
itself; cellog.toml of the open folder sets the options of `check`. While somebody types, the editor's text is looked at
as soon as it rests. What is definite, and what cannot be read, are errors; what is possible is a hint for each
reason. Hovering over a variable shows its values and what it may point to; actions copy a precondition and suppress
a finding. docs/editors.md has the set-up of Emacs, Helix and Visual Studio Code.

Neovim:  vim.lsp.start({ name = 'cellog', cmd = { 'cellog', 'lsp' }, root_dir = vim.fn.getcwd() })")]
pub struct LspArgs {
    /// Folder with a compile_commands.json, instead of the nearest
    #[arg(short = 'p', value_name = "BUILD_DIR")]
    pub build_dir: Option<PathBuf>,
    /// Seconds for each analysis
    #[arg(long, value_name = "S", default_value_t = 20.0, value_parser = seconds)]
    pub time_limit: f64,
}

/// Serves an agent over the Model Context Protocol.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
The agent starts it and talks over standard input and output. Tools: check, finding, explain, query, replay, fix; the
resource cellog://relations has what can be asked for. No tool changes a file; replay builds and runs the program.
docs/agents.md says how agents are told of it.")]
pub struct McpArgs {}

#[derive(Debug, Subcommand)]
pub enum ManualCommand {
    /// Completions for a shell.
    Completions { shell: clap_complete::Shell },
    /// The manual page, in roff.
    Page,
}

/// Tells of every loop whether it ends, why, and what holds in it.
#[derive(Debug, Args)]
#[command(after_help = "\
A loop ends if in every turn some number falls that cannot fall for ever; of several such numbers, those named first do not
grow. Numbers are those of the machine: what wraps around does not fall. A loop does not end if a run comes into a set of
states that no turn leads out of.

Examples:
  cellog summarize main.c list.c
  cellog summarize --format csv -o loops.csv main.c")]
pub struct SummarizeArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// Function that executions start from; its parameters are inputs
    #[arg(long, value_name = "FN", default_value = "main")]
    pub entry: String,
    /// Rule file whose `candidate_NAME(head, formula...)` relations are tried as invariants of loops; may be repeated
    #[arg(long, value_name = "FILE.dl")]
    pub templates: Vec<PathBuf>,
    /// Rule file whose `strategy_...` relations say what is analysed how (docs/strategy.md); may be repeated
    #[arg(long, value_name = "FILE.dl")]
    pub strategy: Vec<PathBuf>,
    /// Form of the summary
    #[arg(long, value_enum, default_value_t = SummaryFormat::Text)]
    pub format: SummaryFormat,
    /// Write the summary to a file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// How the invariants fared when they were shown again
    #[arg(short, long)]
    pub verbose: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SummaryFormat {
    Text,
    Json,
    Csv,
}

/// Writes the facts that the rules start from, one file a relation.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cellog facts -o facts.d main.c util.c
  cellog facts -o facts.d --format souffle -p build
  cellog facts --format unit -o main.unit main.c -- -Iinclude
  cellog facts --dump-ir main.c -- -DDEBUG")]
pub struct FactsArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// Folder for the files, made when it is missing; for SQLite and units the file
    #[arg(short, long, value_name = "DIR", required_unless_present = "dump_ir")]
    pub output: Option<PathBuf>,
    /// CSV with a header, Souffle's tab-separated `.facts` files, one SQLite file, or the preprocessed units for `link`
    #[arg(long, value_enum, default_value_t = FactsFormat::Csv)]
    pub format: FactsFormat,
    /// Print the program's intermediate representation to standard output
    #[arg(long)]
    pub dump_ir: bool,
    /// Analyse the program as `check` does, and write what the engines find too
    #[arg(long, conflicts_with = "dump_ir")]
    pub results: bool,
    /// With --results: function that executions start from
    #[arg(long, value_name = "FN", default_value = "main")]
    pub entry: String,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub cache: CacheArgs,
}

/// Asks a question to a program's relations: facts, what rules derive from them, and what the engines find.
#[derive(Debug, Args)]
#[command(after_help = "\
A query is a rule (or several), or the body of one alone. Relations of its heads need no declaration; without .output
the last rule's is shown. If it looks at a relation of engines' results (verdict, value_at, ...), the program is
analysed first, as by `check`. `cellog rules list` and the page docs/rules.md name the relations.

Examples:
  cellog query main.c 'q(f, g) :- calls(f, g).'
  cellog query main.c 'verdict(s, \"definite\", _), check_position(s, file, line, _)'
  cellog query facts.d --format csv 'calls(f, g), recursive_function(g)'
  cellog query main.c util.c
  cellog query -p build --rules my_rules.dl 'my_relation(x, y)'")]
pub struct QueryArgs {
    /// C files, or what `cellog facts` wrote; then the query, or nothing for a prompt
    #[arg(value_name = "FILES... | FACTS  [QUERY]", required_unless_present = "build_dir")]
    pub words: Vec<String>,
    #[command(flatten)]
    pub base: BaseArgs,
    /// Form of the answer
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub format: AnswerFormat,
    /// Tell only how many tuples there are
    #[arg(long)]
    pub count: bool,
    /// Tuples shown in a table; 0 shows all
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub limit: usize,
    /// Write the answer to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Says why a tuple holds, or a finding is reported: rules down to facts and their lines.
#[derive(Debug, Args)]
#[command(after_help = "\
Of a pattern with several tuples the first is explained. The derivation shown is one than which none is lower, or says that it may not be.

Examples:
  cellog explain 'calls(\"main\", f)' main.c
  cellog explain 'points_to(v, l), variable_value(v, \"main::p\")' main.c
  cellog explain 5c1f09a3e6d2b874 main.c --rules my_checks.dl
  cellog explain --format dot 'may_write(f, l)' facts.d | dot -Tsvg > why.svg")]
pub struct ExplainArgs {
    /// The id of a finding, or a query for tuples; C files, or a folder that `cellog facts` wrote
    #[arg(value_name = "ID | QUERY  FILES... | FACT_DIR", required = true)]
    pub words: Vec<String>,
    #[command(flatten)]
    pub base: BaseArgs,
    /// Explain the tuple with this number among those of the query, in order
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub tuple: u64,
    /// Form of the explanation
    #[arg(long, value_enum, default_value_t = ExplainFormat::Text)]
    pub format: ExplainFormat,
    /// Write the explanation to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// What a question is asked to.
#[derive(Clone, Debug, Args)]
pub struct BaseArgs {
    /// Rule file with further relations; may be repeated
    #[arg(long, value_name = "FILE.dl")]
    pub rules: Vec<PathBuf>,
    /// Input relation for the rules; may be repeated
    #[arg(long = "relation", value_name = "NAME=FILE.csv")]
    pub relations: Vec<String>,
    /// Folder with a compile_commands.json: its files and their flags
    #[arg(short = 'p', value_name = "BUILD_DIR")]
    pub build_dir: Option<PathBuf>,
    /// With -p or a folder: the program or library whose units are meant, where there are several
    #[arg(long, value_name = "NAME")]
    pub target: Option<String>,
    /// Data model: sizes of long and pointers
    #[arg(long, value_enum, default_value_t = Arch::Lp64)]
    pub arch: Arch,
    /// File that says what functions do whose text is not there (docs/contracts.md); may be repeated
    #[arg(long, value_name = "FILE.dl")]
    pub contracts: Vec<PathBuf>,
    /// Function that executions start from [default: main if there is one, else any that can be called from outside]
    #[arg(long, value_name = "FN")]
    pub entry: Option<String>,
    /// How often the rules may be satisfied, built-in ones apart
    #[arg(long, value_name = "N", default_value_t = Profile::default().rules.derivations)]
    pub derivations: u64,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub cache: CacheArgs,
    /// Flags for the C preprocessor
    #[arg(last = true, value_name = "CPP FLAGS")]
    pub cpp_flags: Vec<String>,
}

#[derive(Debug, Subcommand)]
pub enum RulesCommand {
    /// Names the built-in rule files.
    List,
    /// Prints a built-in rule file.
    Show {
        /// As `rules list` prints it
        name: String,
    },
    /// Looks for mistakes in a rule file.
    Check {
        #[arg(value_name = "FILE.dl")]
        file: PathBuf,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CheckEngine {
    /// The forward analysis, loops unrolled a few times for what it leaves open, runs on chosen inputs, and
    /// looking backwards
    Auto,
    /// These, and then loop summaries for what they leave open
    Summary,
}

/// What makes a run fail; what is suppressed or known from the baseline never does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// What is definite, or found by a rule
    Definite,
    /// That, and what else is not in the baseline, or was better there
    New,
    /// That, and what is possible
    Possible,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// For people
    Text,
    /// For programs; docs/report.schema.json describes it
    Json,
    /// SARIF 2.1.0, for code hosts and editors
    Sarif,
    /// One self-contained page for people, with sources and traces
    Html,
    /// JUnit XML, for CI servers: a site is a test
    Junit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AnswerFormat {
    /// For people: places and values in C terms
    Table,
    /// RFC 4180 with a header, as `--relation` takes it
    Csv,
    /// One object
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExplainFormat {
    /// A tree
    Text,
    /// A graph for Graphviz
    Dot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FactsFormat {
    Csv,
    Souffle,
    Sqlite,
    Unit,
}
