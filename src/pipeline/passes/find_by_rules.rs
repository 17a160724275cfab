//! What the rules of users, and checks that are rules, find.

use super::ground::{Ground, Next};
use crate::pipeline::cache::record::RuleRecord;
use crate::pipeline::error::Error;
use crate::verdict::Finding;

/// Runs the rules on what the passes before have handed over, and adds what they find.
pub fn find_by_rules(ground: &Ground) -> Result<Next, Error> {
    let (request, clock) = (&ground.request, &ground.clock);
    let Some(rules) = &request.rules else { return Ok(Next::Go) };
    clock.enter("running the rules");
    let key = ground.key().map(|mut engines| {
        // What engines had no time for, rules may miss.
        engines.add(&ground.results().starved_in.map(f64::to_bits));
        rules.key(engines)
    });
    if let Some(found) = key.and_then(|key| request.cache.get::<Vec<RuleRecord>>(&key)) {
        ground.results().found = found.into_iter().map(Finding::from).collect();
        return Ok(Next::Go);
    }
    let listener = clock.listener();
    let asker = rules.asker(&ground.results(), (clock.left(), &request.profile), listener);
    let found = asker.and_then(|asker| match asker {
        Some(mut asker) => rules.find(&mut asker, || clock.rule_limits(request.profile.rules.derivations)),
        None => Ok(Vec::new()),
    });
    let mut results = ground.results();
    match found {
        Ok(found) => {
            let records: Vec<RuleRecord> = found.iter().filter_map(RuleRecord::of).collect();
            if let (Some(key), Some(_)) = (key, &results.loaded) {
                // Whoever wants to know has been told of the engines' results.
                let _ = request.cache.put(&key, &records);
            }
            results.found = found;
        }
        Err(error) => {
            let text = error.to_string();
            if !text.is_empty() {
                listener.tell(&format!("cellog: {text}"));
            }
            results.rules_failed = true;
        }
    }
    Ok(Next::Go)
}
