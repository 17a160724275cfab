//! Work on the elements of a slice by several threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Stack of each thread: address space that is used only as deep as syntax trees are. See `nesting`.
pub(super) const STACK_BYTES: usize = 1 << 30;

/// `work` of every item, by up to `jobs` threads with deep stacks; results in the items' order.
pub(super) fn map<T: Sync, R: Send>(items: &[T], jobs: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::new(None)).collect();
    let run = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { break };
            let result = work(item);
            *results[at].lock().expect("nothing panics while it holds a result's lock") = Some(result);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, items.len().max(1)) {
            let builder = std::thread::Builder::new().stack_size(STACK_BYTES);
            builder.spawn_scoped(scope, run).expect("a thread can be started");
        }
    });
    let result = |slot: Mutex<Option<R>>| {
        let value = slot.into_inner().expect("nothing panics while it holds a result's lock");
        value.expect("every item was worked on")
    };
    results.into_iter().map(result).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_keep_the_order() {
        let items: Vec<u32> = (0..100).collect();
        assert_eq!(super::map(&items, 4, |i| i * 2), (0..200).step_by(2).collect::<Vec<u32>>());
        assert_eq!(super::map(&[] as &[u32], 4, |i| *i), Vec::<u32>::new());
    }
}
