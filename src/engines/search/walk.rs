//! Walks: inputs that are made longer as the program reads them. What a run asks for in vain at the end of its file is put there; what it then compares the
//! new bytes with says what they could be; with one of these it is run again, until it asks for more.
//!
//! Runs are kept only where they show something new. A program that is told command after command comes to states in which each of its branches was taken
//! before, and only their order is new: a walk goes on there, too.
//!
//! See: Mathis, Gopinath, Mera, Kampmann, Höschele, Zeller, "Parser-Directed Fuzzing", Sect. 3 (characters are appended, and replaced by what they are compared
//! with). We replace numbers of several bytes and words, too.

use super::aims::Aims;
use super::case::Case;
use super::dictionary::Dictionary;
use super::driver::Search;
use super::hints::encodings;
use super::mutate::{LONGEST_FILE, places_of};
use super::random::Random;
use super::readings::Wish;
use crate::concrete::Run;
use std::ops::Range;

/// Runs of one walk.
const STEPS: u32 = 48;
/// How often a walk begins where none is under way: once in so many times.
const BEGINS: usize = 8;
/// How often a walk leaves its file where another run went on in it, though that asks for more at its end: once in so many times.
const TURNS_BACK: usize = 3;
/// How often what was appended stays as it is: once in so many times, and the other way round for the characters of a longer text.
const STAYS: usize = 4;
/// New bytes that are a text.
const TEXT: usize = 9;
/// New bytes at least where they are numbers, and at most.
const FEW: usize = 8;
const NEW: usize = 1 << 12;
/// New bytes that numbers are looked for in.
const LOOKED_THROUGH: usize = 128;

/// A walk under way.
pub(super) struct Walk {
    /// Of its next run.
    pub case: Case,
    /// Of the file that it makes longer, the bytes that nobody has chosen yet; whether they are a text.
    fresh: Range<usize>,
    is_text: bool,
    steps: u32,
}

/// Other bytes in the place of new ones.
struct Choice {
    at: usize,
    len: usize,
    new: Vec<u8>,
}

impl Walk {
    /// One that begins at a kept case.
    fn of(case: Case) -> Walk {
        Walk { case, fresh: 0..0, is_text: false, steps: 0 }
    }

    /// Takes the step that its run suggests; whether there is one.
    fn step(&mut self, run: &Run, aims: &Aims<'_>, dictionary: &Dictionary, random: &mut Random) -> bool {
        self.steps += 1;
        if self.steps > STEPS {
            return false;
        }
        let Some(wish) = run.inputs.iter().rev().find_map(Wish::of) else { return false };
        let Some(content) = self.case.files.get_mut(wish.file) else { return false };
        while self.steps > 1
            && let Some(choices) = choices(content, &self.fresh, aims, wish.file)
            && let Some(Choice { at, len, new }) = random.pick(&choices)
        {
            let is_text = self.is_text && *len == 1;
            let stays = random.one_in(STAYS) != is_text;
            let end = self.fresh.end + new.len() - len;
            self.fresh = at + if stays { *len } else { new.len() }..if stays { self.fresh.end } else { end };
            if !stays {
                content.splice(*at..at + len, new.iter().copied());
                return true;
            }
        }
        let is_wanted = wish.at + wish.came >= content.len() && wish.asked.is_none_or(|asked| wish.came < asked);
        let asked = if self.steps == 1 && (!is_wanted || random.one_in(TURNS_BACK)) {
            // It goes on from somewhere on the way.
            let all: Vec<Wish> =
                run.inputs.iter().filter_map(Wish::of).filter(|other| other.file == wish.file).collect();
            let back = random.below(all.len()).max(random.below(all.len()));
            let Some(back) = all.into_iter().nth(back) else { return false };
            content.truncate(back.at);
            back.asked
        } else if is_wanted {
            wish.asked.map(|asked| asked - wish.came)
        } else {
            return false;
        };
        let new = match asked {
            // Numbers that stand nowhere else can be told apart.
            Some(asked) if asked < TEXT || random.one_in(2) => {
                (0..asked.clamp(FEW, NEW)).map(|_| random.bits() as u8).collect()
            }
            Some(asked) => dictionary.bytes(random, asked.min(NEW)),
            None if random.one_in(2) => (0..FEW).map(|_| dictionary.byte(random)).collect(),
            None => [dictionary.token(random), b"\n".to_vec()].concat(),
        };
        self.is_text = new.iter().all(|byte| byte.is_ascii()) && new.len() >= TEXT;
        let start = if self.fresh.end == content.len() { self.fresh.start } else { content.len() };
        content.extend(new);
        self.fresh = start.max(content.len().saturating_sub(NEW))..content.len();
        content.len() <= LONGEST_FILE
    }
}

/// What the run suggests for the first of the new bytes for which it suggests anything; all that it may be. Numbers that were read there come before those that
/// are looked for.
fn choices(content: &[u8], fresh: &Range<usize>, aims: &Aims<'_>, file: usize) -> Option<Vec<Choice>> {
    let new = content.get(fresh.clone())?;
    let looked = &new[..new.len().min(LOOKED_THROUGH)];
    let first_of = |new: &[u8], found: &[u8], wanted: &[u8]| {
        let at = fresh.start + places_of(new, found).next()?;
        Some(Choice { at, len: found.len(), new: wanted.to_vec() })
    };
    let (mut read, mut alike) = (Vec::new(), Vec::new());
    for (_, found, wanted) in aims.texts.iter().filter(|(_, found, _)| !found.is_empty()) {
        read.extend(first_of(new, found, wanted));
    }
    for aim in &aims.numbers {
        if let Some((place, _)) = aim.read {
            let Some(new) = aim.wanted.to_le_bytes().get(..place.len).map(<[u8]>::to_vec) else { continue };
            if place.file == file && fresh.contains(&place.at) && place.at + place.len <= fresh.end {
                read.push(Choice { at: place.at, len: place.len, new });
            }
            continue;
        }
        // A small number in one byte may stand there for anything.
        let tells = |found: &[u8]| found.len() > 1 || found.iter().any(|byte| *byte >= b' ');
        for (found, wanted) in encodings(aim.found, aim.wanted).filter(|(found, _)| tells(found)) {
            alike.extend(first_of(looked, &found, &wanted));
        }
    }
    let mut all = if read.is_empty() { alike } else { read };
    let first = all.iter().map(|choice| choice.at).min()?;
    all.retain(|choice| choice.at == first);
    Some(all)
}

impl Search<'_> {
    /// The next case of the walk that is under way, or of one that begins at a kept case that `pick` chooses.
    pub(super) fn walked(&mut self, after: &[Vec<usize>; 2]) -> Option<Case> {
        if self.walk.is_none() && self.random.one_in(BEGINS) {
            let number = self.pick(after);
            let case = &self.kept[number];
            self.walk = (!case.files.is_empty()).then(|| Walk::of(Case { from: Some(number), ..case.clone() }));
        }
        self.walk.as_ref().map(|walk| walk.case.clone())
    }

    /// Has the walk take its next step, or end; its run was kept under this number, if it was.
    pub(super) fn walk_on(&mut self, run: &Run, aims: &Aims<'_>, kept: Option<usize>) {
        let Some(mut walk) = self.walk.take() else { return };
        walk.case.from = kept.or(walk.case.from);
        if walk.step(run, aims, self.dictionary, &mut self.random) {
            self.walk = Some(walk);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{certain, options};
    use crate::engines::search::SearchOptions;
    use crate::ir::CheckKind;

    #[test]
    fn errors_that_need_one_command_after_the_other_are_found() {
        // Each side of each branch is taken by a single command; only their order is new, and what has to stand between them.
        let source = |check: &str| {
            format!(
                "long read(int, void *, unsigned long);
                 void exit(int);
                 static unsigned get(void) {{
                     unsigned char bytes[4];
                     for (int i = 0; i < 4; i++)
                         if (read(0, bytes + i, 1) != 1) exit(0);
                     return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (unsigned)bytes[3] << 24;
                 }}
                 int main(void) {{
                     int table[8] = {{0}}, is_open = 0;
                     unsigned mark = 77;
                     for (;;) {{
                         if (get() != mark) return 1;
                         mark = mark * 1103515245u + 12345u;
                         switch (get()) {{
                         case 70001: is_open = 1; break;
                         case 80002: {{
                             unsigned at = get();
                             if (!is_open) break;
                             if ({check}) table[at] = 1;
                             break;
                         }}
                         default: return 2;
                         }}
                     }}
                 }}"
            )
        };
        let options = SearchOptions { statements: 3_000_000, ..options(0) };
        assert_eq!(certain(&source("at != 9"), &options), [CheckKind::OutOfBounds]);
        assert_eq!(certain(&source("at < 8"), &options), []);
    }
}
