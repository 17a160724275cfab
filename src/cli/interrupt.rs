//! Ctrl-C: the first ends the analysis with a report of what is known, the second ends the process.

use signal_hook::consts::SIGINT;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// The exit status of a process that was interrupted.
const STATUS: i32 = 130;

static RAISED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// From now on, Ctrl-C is noted first. Where the system does not allow that, it goes on ending the process.
pub fn watch() {
    RAISED.get_or_init(|| {
        let raised = Arc::new(AtomicBool::new(false));
        // In this order: the flag is looked at before it is set.
        let _ = signal_hook::flag::register_conditional_shutdown(SIGINT, STATUS, Arc::clone(&raised));
        let _ = signal_hook::flag::register(SIGINT, Arc::clone(&raised));
        raised
    });
}

/// Whether Ctrl-C was pressed.
pub fn raised() -> bool {
    RAISED.get().is_some_and(|r| r.load(Ordering::Relaxed))
}
