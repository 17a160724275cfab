//! What a program reads of files with given contents.

use crate::concrete::{At, Piece, Reading};

/// The contents of the files that a run reads, in the order in which it comes to them. Others are empty.
#[derive(Clone, Copy, Debug)]
pub(super) struct Files<'a>(pub &'a [Vec<u8>]);

impl Files<'_> {
    /// What an input says that lies between `low` and `high`.
    pub fn number(self, reading: Reading, low: i128, high: i128) -> i128 {
        let (content, at) = self.at(reading);
        let rest = &content[at.min(content.len())..];
        let value = match reading.piece {
            Piece::Character => rest.first().map_or(-1, |byte| i128::from(*byte)),
            Piece::Line => i128::from(!rest.is_empty()),
            Piece::LineLength => rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |i| i + 1) as i128,
            Piece::Elements(size) => (rest.len() as u64 / size.max(1)).into(),
            Piece::Count | Piece::Bytes => rest.len() as i128,
            Piece::Tell => at as i128,
            Piece::AtEnd => reading.ended.into(),
            Piece::Part | Piece::Seek | Piece::Failed | Piece::PutBack => 0,
        };
        value.clamp(low.min(high), high)
    }

    /// So many bytes that come next; fewer at the end.
    pub fn bytes(self, reading: Reading, len: usize) -> Vec<u8> {
        let (content, at) = self.at(reading);
        content.iter().skip(at).take(len).copied().collect()
    }

    fn at(&self, reading: Reading) -> (&[u8], usize) {
        let content = self.0.get(reading.file).map_or(&[][..], Vec::as_slice);
        let at = match reading.at {
            At::Start(at) => usize::try_from(at).unwrap_or(usize::MAX),
            At::End(behind) => content.len().saturating_add_signed(isize::try_from(behind).unwrap_or(0)),
        };
        (content, at)
    }
}
