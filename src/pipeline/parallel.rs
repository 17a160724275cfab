//! Independent work on several threads, results in order.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Stack of worker threads: lowering and the engines recurse over deeply nested expressions.
pub const STACK: usize = 512 << 20;

/// As many threads as there are cores.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// `work` on every item with up to `jobs` threads; results in the items' order. A panic of `work` goes on here.
pub fn map_parallel<T: Sync, R: Send>(items: &[T], jobs: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::with_capacity(items.len()));
    std::thread::scope(|scope| {
        let worker = || {
            while let Some((i, item)) =
                Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, items.get(i)?)))
            {
                let result = work(item);
                results.lock().expect("no holder panics").push((i, result));
            }
        };
        let threads: Vec<_> = (0..jobs.clamp(1, items.len().max(1)))
            .map(|_| std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, worker))
            .collect();
        for thread in threads {
            if let Err(panic) = thread.expect("the system starts threads").join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
    let mut results = results.into_inner().expect("no holder panics");
    results.sort_by_key(|(i, _)| *i);
    results.into_iter().map(|(_, r)| r).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_the_items_order() {
        let items: Vec<u32> = (0..100).collect();
        assert_eq!(map_parallel(&items, 3, |i| i * 2), items.iter().map(|i| i * 2).collect::<Vec<_>>());
        assert_eq!(map_parallel(&[] as &[u32], 3, |i| *i), [] as [u32; 0]);
    }

    #[test]
    #[should_panic(expected = "bad item")]
    fn panics_go_on() {
        map_parallel(&[1, 2, 3], 2, |i| assert!(*i != 2, "bad item"));
    }
}
