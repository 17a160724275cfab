//! `--shard I/N`: the findings of a program in N parts, by their ids.
//!
//! Every shard reads the whole program and asks the engines that look at all of it; what is done for one site alone, it does for
//! its own. So what it says of a site is what a run without shards says.

use crate::ir::{Program, SiteId};
use crate::verdict::{Analysis, Finding, Part, Reason, Verdict, assign_ids, part_digest, sort_findings};
use std::collections::BTreeSet;
use std::str::FromStr;

/// One of several parts, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shard {
    index: u32,
    of: u32,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((index, of)) if (1..=of).contains(&index) => Ok(Shard { index, of }),
            _ => Err("a part and how many there are is needed, as in 1/4".to_owned()),
        }
    }
}

impl Shard {
    /// Whether the finding with this id belongs to it.
    fn has(self, id: &str) -> bool {
        let number = u64::from_str_radix(id, 16).expect("ids are hexadecimal numbers of 64 bits");
        number % u64::from(self.of) == u64::from(self.index - 1)
    }

    /// The sites of `program` whose findings belong to it.
    pub fn sites(self, program: &Program) -> BTreeSet<SiteId> {
        let undecided = || Verdict::Unknown(Reason::Unsupported(String::new()));
        let mut findings: Vec<Finding> =
            program.sites.indices().map(|site| Finding::new(program, site, undecided(), "none")).collect();
        sort_findings(&mut findings);
        assign_ids(&mut findings);
        findings.iter().filter(|finding| self.has(&finding.id)).filter_map(|finding| finding.site).collect()
    }

    /// Leaves in `analysis` the findings that belong to it, and notes which part of all they are.
    pub fn cut(self, analysis: &mut Analysis) {
        let all = std::mem::take(&mut analysis.findings);
        let digest = part_digest(all.iter().map(|f| (f.id.as_str(), f.check.name(), f.location.line, f.message())));
        let findings = all.len();
        let own = all.into_iter().enumerate().filter(|(_, finding)| self.has(&finding.id));
        let (ranks, own) = own.unzip();
        analysis.findings = own;
        analysis.part = Some(Part { index: self.index, of: self.of, findings, ranks, digest });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_counted_from_one() {
        assert_eq!("2/4".parse(), Ok(Shard { index: 2, of: 4 }));
        for bad in ["0/4", "5/4", "1", "1/0", "a/2", "-1/2", "1/2/3"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }

    #[test]
    fn every_site_belongs_to_one_part() {
        let program = crate::ir::sample::counting_loop().program;
        let mut seen = BTreeSet::new();
        for index in 1..=3 {
            for site in (Shard { index, of: 3 }).sites(&program) {
                assert!(seen.insert(site), "{site:?} twice");
            }
        }
        assert_eq!(seen.len(), program.sites.len());
    }
}
