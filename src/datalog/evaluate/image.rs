//! Rules that turn each element of a set into others by itself, whatever the key that the set belongs to:
//! `moved(v, m) :- shift(v, s, k), at(s, l), after(l, k, m)`. What new elements become is found once for every set
//! of them and every choice of parameters (here `k`), and handed on as a set.
use super::fixpoint::{BATCH, Deltas, Run, Work};
use super::id_set::IdSet;
use super::join::Machine;
use super::plan::{Image, Plan};
use super::value::Word;
use crate::datalog::language::core::RelationId;
use crate::datalog::limits::RunError;
use rustc_hash::FxHashMap;

/// What an element became.
#[derive(Clone, Copy)]
enum Became {
    Nothing,
    One(Word),
    /// Several, to be found again each time.
    More,
}

/// What elements became in earlier rounds, by the number of the parameters and the element.
#[derive(Default)]
pub struct Memory {
    parameters: FxHashMap<Vec<Word>, u32>,
    known: FxHashMap<(u32, Word), Became>,
}

impl Run<'_> {
    /// Runs such a plan over what is new of its entry's sets, and adds what comes out to sets of `head`.
    pub(super) fn images(
        &mut self,
        work: &Work,
        head: RelationId,
        (plan, image): (&Plan, &Image),
        deltas: &Deltas,
    ) -> Result<(), RunError> {
        let entry = plan.entry.as_ref().expect("images are of what is new");
        let keys = &deltas.keys[entry.relation];
        let mut at = 0;
        while at < keys.len() {
            let mut machine = self.machine();
            machine.registers.resize(plan.registers, 0);
            let rows = &machine.tables.tables[entry.relation].rows;
            while at < keys.len() && machine.found.len() < BATCH {
                let (row, group) = keys[at];
                machine.enter_image(plan, entry, rows.row(row), image, group);
                at += 1;
            }
            self.hand_on(work, head, image, deltas)?;
        }
        Ok(())
    }

    /// Takes uses (the number of a set, parameters, a key of `head`), those of the same image together.
    fn hand_on(&mut self, work: &Work, head: RelationId, image: &Image, deltas: &Deltas) -> Result<(), RunError> {
        let found = std::mem::take(&mut self.found);
        let of_image = 1 + image.parameters.len();
        let mut uses: Vec<&[Word]> = found.chunks_exact(of_image + work.width - 2).collect();
        uses.sort_unstable();
        uses.dedup();
        for sharing in uses.chunk_by(|left, right| left[..of_image] == right[..of_image]) {
            let (group, parameters) = (sharing[0][0], &sharing[0][1..of_image]);
            let set = self.image_of(image, &deltas.groups[group as usize], parameters);
            if set.is_empty() {
                continue;
            }
            for used in sharing {
                let target = self.tables.node(head, &used[of_image..]);
                self.tables.graph.add_set(target, &set);
            }
            self.check_limits(work)?;
        }
        self.found = found;
        self.found.clear();
        Ok(())
    }

    fn image_of(&mut self, image: &Image, set: &IdSet, parameters: &[Word]) -> IdSet {
        let mut memory = std::mem::take(&mut self.memories[image.number]);
        let next = u32::try_from(memory.parameters.len()).expect("fewer parameters than words");
        let number = *memory.parameters.entry(parameters.to_vec()).or_insert(next);
        let mut all: Vec<Word> = Vec::with_capacity(set.len());
        let mut machine = self.machine();
        machine.registers.resize(image.registers, 0);
        image.parameters.iter().zip(parameters).for_each(|(register, word)| machine.registers[*register] = *word);
        set.for_each(|element| match memory.known.get(&(number, element)) {
            Some(Became::Nothing) => {}
            Some(Became::One(word)) => all.push(*word),
            Some(Became::More) => machine.image(image, element, &mut all),
            None => {
                let start = all.len();
                machine.image(image, element, &mut all);
                if image.lasting {
                    let became = match all[start..] {
                        [] => Became::Nothing,
                        [word] => Became::One(word),
                        _ => Became::More,
                    };
                    memory.known.insert((number, element), became);
                }
            }
        });
        self.memories[image.number] = memory;
        all.sort_unstable();
        all.dedup();
        IdSet::from_ascending(&all)
    }
}

impl Machine<'_> {
    /// Appends what `element` becomes.
    fn image(&mut self, image: &Image, element: Word, all: &mut Vec<Word>) {
        self.registers[image.element] = element;
        self.go(&image.operations, &mut |machine| {
            machine.guard.derive();
            all.extend(machine.value(&image.output));
        });
    }
}
