//! The commands and their options.
//!
//! * [`command`]: the commands. [`shared`]: options of several of them.
//! * [`verify`], [`stages`], [`record`], [`measure`]: the options of `verify`, of `link` and `merge`, of `record`, of measurements; [`fix`]: those of `fix`.
mod command;
mod fix;
mod measure;
mod record;
mod shared;
mod stages;
#[cfg(test)]
mod tests;
mod verify;

pub use command::{
    AnswerFormat, BaseArgs, CheckArgs, CheckEngine, Cli, Command, ExplainArgs, ExplainFormat, FactsArgs, FactsFormat,
    FailOn, LspArgs, ManualCommand, QueryArgs, ReplayArgs, ReportFormat, RulesCommand, SummarizeArgs, SummaryFormat,
};
pub use fix::FixArgs;
pub use measure::MeasureCommand;
pub use record::RecordArgs;
pub use shared::{Allocation, Arch, CacheArgs, Effort, InputArgs, LeftShift, LimitArgs};
pub use stages::{LinkArgs, MergeArgs};
pub use verify::{ArgFormat, EngineName, PropertyName, VerifyArgs};
