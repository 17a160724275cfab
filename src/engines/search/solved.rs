//! What a solver suggests for the inputs of a run, as changes of the case that the run was made from.

use super::case::Case;
use super::mutate::{LONGEST_FILE, places_of};
use crate::concrete::{InputRecord, InputValue, Source};
use crate::engines::backward::Change;

/// Makes the changes.
pub(super) fn make(changes: &[Change], case: &mut Case) {
    let is_end = |change: &&Change| change.value < 0 && matches!(change.record.source, Source::File { .. });
    let (ends, others): (Vec<&Change>, Vec<&Change>) = changes.iter().partition(is_end);
    for change in others {
        match change.record.source {
            Source::Chosen | Source::Usual => choose(change, &mut case.inputs),
            Source::Scanned => write_number(change, case),
            Source::File { file, at } => {
                write_byte(case, file, at + u64::from(change.byte.unwrap_or(0)), change.value as u8)
            }
            Source::Length { file, at, unit } => {
                let end =
                    u64::try_from(change.value).ok().and_then(|n| n.checked_mul(unit)).and_then(|n| n.checked_add(at));
                resize(case, file, end.unwrap_or(u64::MAX));
            }
            Source::Follows => {}
        }
    }
    for change in ends {
        if let Source::File { file, at } = change.record.source
            && let Some(content) = case.files.get_mut(file)
        {
            content.truncate(usize::try_from(at).unwrap_or(usize::MAX));
        }
    }
}

/// Has an input that is no part of a file be what the change says.
fn choose(change: &Change, inputs: &mut Vec<InputRecord>) {
    let Change { record, byte, value } = change;
    let at = inputs.iter().position(|r| (r.place, r.occurrence) == (record.place, record.occurrence));
    let at = at.unwrap_or_else(|| {
        inputs.push(record.clone());
        inputs.len() - 1
    });
    match (&mut inputs[at].value, byte) {
        (InputValue::Int(number), _) => *number = *value,
        (InputValue::Fails(fails), _) => *fails = *value != 0,
        (InputValue::Bytes(bytes), Some(i)) => {
            if let Some(byte) = bytes.get_mut(*i as usize) {
                *byte = *value as u8;
            }
        }
        _ => {}
    }
}

/// Has a file be so long; files do not grow beyond all bounds.
fn resize(case: &mut Case, file: usize, length: u64) {
    while case.files.len() <= file {
        case.files.push(Vec::new());
    }
    case.files[file].resize(usize::try_from(length).unwrap_or(usize::MAX).min(LONGEST_FILE), 0);
}

/// Puts a byte into a file, behind its end, too.
fn write_byte(case: &mut Case, file: usize, at: u64, byte: u8) {
    if case.files.get(file).is_none_or(|content| content.len() as u64 <= at) {
        resize(case, file, at + 1);
    }
    if let Some(old) = usize::try_from(at).ok().and_then(|at| case.files[file].get_mut(at)) {
        *old = byte;
    }
}

/// Writes another number where the one that was scanned stands first.
fn write_number(change: &Change, case: &mut Case) {
    let InputValue::Int(found) = change.record.value else { return };
    let found = found.to_string().into_bytes();
    for content in &mut case.files {
        let at = places_of(content, &found).next();
        if let Some(at) = at {
            content.splice(at..at + found.len(), change.value.to_string().into_bytes());
            return;
        }
    }
}
