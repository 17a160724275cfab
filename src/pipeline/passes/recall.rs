//! What earlier runs have found out instead of this one, and what this one keeps for later ones.

use super::ground::{Ground, Keys, Next};
use crate::pipeline::cache::key::KeyMaker;
use crate::pipeline::cache::moved::MovedRecord;
use crate::pipeline::cache::record::Record;
use crate::pipeline::cache::remarks::REMARK;
use crate::pipeline::cache::whole::WholeRecord;
use crate::pipeline::error::Error;
use crate::pipeline::sources::load::{ReadUnits, content_asked};
use crate::pipeline::sources::lowering::lower_options;

/// Hands over the whole report of an earlier run, unless this one has time for more.
pub fn recall_report(ground: &Ground, read: &ReadUnits) -> bool {
    let Ground { request, .. } = ground;
    let key = || {
        let mut key = content_asked(read, &request.sources, lower_options(&request.checks))?;
        request.add_options(&mut key);
        key.add(&"report");
        Some(key.finish_key())
    };
    let Some(key) = ground.whole.then(key).flatten() else { return false };
    let kept = request.cache.get::<WholeRecord>(&key).filter(|kept| !kept.wants(request.seconds()));
    let restored = kept.and_then(|kept| kept.restore(read.folders.clone()));
    let mut results = ground.results();
    let Some((whole, remarks)) = restored else {
        results.whole_key = Some(key);
        return false;
    };
    results.whole = Some(whole);
    results.remarks = remarks;
    results.remarks.push(REMARK.to_owned());
    true
}

/// Hands over what the engines of an earlier run found of this program, or of one whose lines stood elsewhere.
pub fn recall_results(ground: &Ground) -> Result<Next, Error> {
    let (request, program) = (&ground.request, ground.program());
    let Some(exact) = ground.key().map(KeyMaker::finish_key) else { return Ok(Next::Go) };
    let restore = |record: Record| {
        // This run may have time for more.
        !record.wants(request.seconds()) && record.restore(program, &mut ground.results())
    };
    if request.cache.get::<Record>(&exact).is_some_and(restore) {
        return Ok(Next::PastEngines);
    }
    let Some(mut moved) = KeyMaker::new().filter(|_| request.cache.is_there()) else { return Ok(Next::Go) };
    request.add_options(&mut moved);
    let spans = moved.add_program(program);
    let moved = moved.finish_key();
    // The text has changed; perhaps only lines have moved.
    let kept = request.cache.get::<MovedRecord>(&moved).and_then(|kept| kept.for_program(program, &spans));
    let recalled = kept.is_some_and(restore);
    let _ = ground.keys.set(Keys { exact, moved, spans });
    Ok(if recalled { Next::PastEngines } else { Next::Go })
}

/// Keeps what the engines have found for the next run.
pub fn keep_results(ground: &Ground) -> Result<Next, Error> {
    let Some(Keys { exact, moved, spans }) = ground.keys.get() else { return Ok(Next::Go) };
    let mut results = ground.results();
    // They are gone when somebody could not wait for all of them.
    if results.loaded.is_none() {
        return Ok(Next::Go);
    }
    let cache = &ground.request.cache;
    let record = Record::of(&results);
    let kept = cache.put(exact, &record);
    let kept = kept.and_then(|()| cache.put(moved, &MovedRecord::of(record, ground.program(), spans)));
    if let Err(why) = kept {
        results.remarks.push(format!("the results are not kept for the next run: {why}"));
    }
    Ok(Next::Go)
}
