//! Files and other streams: which bytes of which file an input stands for, and whether what a run was given fits one file.
//!
//! To the machine, each call that reads is an input of its own. A file is more than that: what is read again is the same, and behind its
//! end nothing comes. Here a run's streams have positions; whoever chooses inputs is told where in a file he is asked
//! ([`Reading`]), and what he answers is held against what was read before. A run whose answers no file could give depends on more than its inputs
//! ([`super::Flags::astray`]).
//!
//! See: C11 7.21.3 (files), 7.21.7.1 (`fgetc`: the end stays), 7.21.9 (positions). Contents that the program writes are not followed: a file that it has
//! written to may hold anything.

use super::indicators::{CLEAR, Indicators, UNKNOWN};
use super::piece::Piece;
use crate::ir::Program;
use rustc_hash::{FxHashMap, FxHashSet};

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// So many bytes behind its start.
    Start(u64),
    /// So many bytes behind its end, which nobody has told yet.
    End(i64),
}

impl At {
    pub(super) fn moved(self, by: i64) -> Option<At> {
        Some(match self {
            At::Start(at) => At::Start(at.checked_add_signed(by)?),
            At::End(at) => At::End(at.checked_add(by)?),
        })
    }
}

/// Where in which file an input is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Files by the order in which a run first reads them; what is opened by one name is one file.
    pub file: usize,
    pub at: At,
    pub piece: Piece,
    /// Whether the stream has met its end.
    pub ended: bool,
}

/// What a run has read of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileSeen {
    /// From its start; None for what was not read.
    pub bytes: Vec<Option<u8>>,
    /// Its length, where the run came to its end.
    pub end: Option<u64>,
    /// From where on `scanf` has taken what may not stand there: nothing else that is read of it is held against that.
    free: Option<u64>,
}

impl FileSeen {
    /// A file that gives the same: zeros where nothing was read.
    pub fn content(&self) -> Vec<u8> {
        let mut content: Vec<u8> = self.bytes.iter().map(|b| b.unwrap_or(0)).collect();
        if let Some(end) = self.end.and_then(|end| usize::try_from(end).ok()).filter(|end| *end <= LONGEST) {
            content.resize(end, 0);
        }
        content
    }

    /// Learns a byte; whether it fits.
    fn learn(&mut self, at: u64, byte: u8) -> bool {
        let Ok(i) = usize::try_from(at) else { return true };
        if i >= LONGEST {
            return self.free.is_none();
        }
        if self.bytes.len() <= i {
            self.bytes.resize(i + 1, None);
        }
        let fits = self.bytes[i].is_none_or(|known| known == byte) && self.end.is_none_or(|end| at < end);
        self.bytes[i] = Some(byte);
        fits && self.free.is_none_or(|free| at < free)
    }

    /// Learns where it ends; whether that fits.
    fn learn_end(&mut self, at: u64) -> bool {
        let last = self.bytes.iter().rposition(Option::is_some).map_or(0, |i| i as u64 + 1);
        let fits = last <= at && self.end.is_none_or(|end| end == at);
        self.end = Some(at);
        fits && self.free.is_none()
    }

    /// `scanf` takes anything from there on; whether nothing speaks against it.
    fn scan_freely(&mut self, at: u64) -> bool {
        let known = self.bytes.iter().rposition(Option::is_some).map_or(0, |i| i as u64 + 1);
        let fits = known <= at && self.end.is_none() && self.free.is_none();
        self.free = Some(self.free.map_or(at, |free| free.min(at)));
        fits
    }
}

/// What lies farther behind a file's start is not kept.
const LONGEST: usize = 1 << 20;

/// What a stream is known by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    /// The object that a `FILE *` points to.
    Object(u32),
    Descriptor(i128),
}

/// What a file is known by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Name {
    Input,
    Path(Vec<u8>),
    /// What the caller of the entry function gives: the object.
    Given(u32),
    /// One without a name that is known.
    Unnamed(usize),
}

#[derive(Clone, Debug)]
pub(super) struct Stream {
    pub(super) name: Name,
    /// Its number among the files, once it was read.
    pub(super) file: Option<usize>,
    /// None where the position is not known.
    pub(super) at: Option<At>,
    /// Whether the program has written to it: what it reads then is not followed.
    pub(super) written: bool,
    /// Whether all that it may read is the program's doing: what it has written, or what cannot be read.
    pub(super) own: bool,
    pub(super) only: Option<Only>,
    pub(super) indicators: Indicators,
    /// A character that was put back and is none of the file's: it comes next.
    pub(super) put_back: Option<u8>,
    /// `scanf` has read, nobody knows how far, and nothing has been read since.
    pub(super) scanned: bool,
    /// The same, whatever has been read since.
    astray: bool,
}

impl Stream {
    /// One that was just opened.
    pub(super) fn new(name: Name) -> Stream {
        Stream {
            name,
            file: None,
            at: Some(At::Start(0)),
            written: false,
            own: false,
            only: None,
            indicators: CLEAR,
            put_back: None,
            scanned: false,
            astray: false,
        }
    }

    /// It goes back to its start.
    pub(super) fn rewind(&mut self) {
        (self.at, self.indicators, self.put_back, self.astray) = (Some(At::Start(0)), CLEAR, None, false);
    }

    /// Something is done to it that is not followed.
    pub(super) fn forget(&mut self) {
        (self.at, self.indicators, self.put_back) = (None, UNKNOWN, None);
    }
}

/// A library call under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    pub(super) key: Key,
    /// Bytes of an element of `fread`.
    pub(super) size: u64,
    /// The most characters of a line, or bytes of a transfer.
    pub(super) most: u64,
    /// Where `fseek` goes.
    pub(super) target: Option<At>,
    /// What the last `length` or count was.
    pub(super) count: u64,
    /// Whether it is about a descriptor: these may give less than there is.
    pub(super) descriptor: bool,
}

/// The streams of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Streams {
    /// What is opened next: the name that the library call under way has given.
    pub(super) opening: Option<Opening>,
    pub(super) call: Option<Call>,
    pub(super) streams: FxHashMap<Key, Stream>,
    pub(super) files: FxHashMap<Name, usize>,
    pub(super) seen: Vec<FileSeen>,
    /// Of each file, whether a reading has given nothing but its end.
    pub(super) ended: Vec<bool>,
    pub(super) unnamed: usize,
    /// Files that hold what the program has written to them.
    own: FxHashSet<Name>,
}

/// A stream that is being opened.
#[derive(Clone, Debug)]
pub(super) struct Opening {
    pub name: Name,
    /// What the file held is gone, or it is a new one.
    pub is_empty: bool,
    /// What it gives is the program's doing, or not followed.
    pub own: bool,
    pub only: Option<Only>,
}

/// What alone is allowed on a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Only {
    Reads,
    Writes,
}

/// What each input of a program says of a stream.
pub(super) fn pieces(program: &Program) -> Vec<Option<Piece>> {
    program.inputs.iter().map(Piece::of).collect()
}

impl Streams {
    /// What was read, file by file.
    pub fn into_files(self) -> Vec<FileSeen> {
        self.seen
    }

    /// A handle was made: of the file that is being opened, if there is one.
    pub fn opened(&mut self, slot: u32) {
        if let Some(opening) = self.opening.take() {
            self.open(Key::Object(slot), opening);
        }
    }

    pub(super) fn open(&mut self, key: Key, Opening { name, is_empty, own, only }: Opening) {
        if is_empty {
            self.owns(name.clone());
        }
        let own = own || is_empty || only == Some(Only::Writes);
        self.streams.insert(key, Stream { own, only, ..Stream::new(name) });
    }

    /// The file holds what the program writes to it. What is written to a device does not come back.
    pub(super) fn owns(&mut self, name: Name) {
        if matches!(&name, Name::Path(path) if !path.starts_with(b"/dev/")) {
            self.own.insert(name);
        }
    }

    /// Whether what a stream reads is the program's doing.
    pub(super) fn is_own(&self, key: Key) -> bool {
        let stream = self.streams.get(&key);
        stream.is_some_and(|stream| stream.own || (!self.own.is_empty() && self.own.contains(&stream.name)))
    }

    pub(super) fn stream(&mut self, key: Key) -> &mut Stream {
        let unnamed = &mut self.unnamed;
        self.streams.entry(key).or_insert_with(|| {
            *unnamed += 1;
            let name = if key == Key::Descriptor(0) { Name::Input } else { Name::Unnamed(*unnamed) };
            Stream { indicators: UNKNOWN, ..Stream::new(name) }
        })
    }

    /// The bytes of an object that the caller gives, which are chosen as those of files are.
    pub fn given(&mut self, slot: u32) -> Reading {
        let file = self.files.len();
        self.files.insert(Name::Given(slot), file);
        self.seen.push(FileSeen::default());
        Reading { file, at: At::Start(0), piece: Piece::Bytes, ended: false }
    }

    /// Learns all of the bytes that such an object got.
    pub fn gave_whole(&mut self, reading: Reading, bytes: &[u8]) {
        let end = Some(bytes.len() as u64);
        self.seen[reading.file] = FileSeen { bytes: bytes.iter().copied().map(Some).collect(), end, free: None };
    }

    /// The file that a stream is of.
    pub(super) fn file(&mut self, key: Key) -> usize {
        if let Some(file) = self.stream(key).file {
            return file;
        }
        let name = self.stream(key).name.clone();
        let next = self.files.len();
        let file = *self.files.entry(name).or_insert(next);
        if file == self.seen.len() {
            self.seen.push(FileSeen::default());
        }
        self.stream(key).file = Some(file);
        file
    }

    /// Where an input that says `piece` is; None where that is not known.
    pub fn reading(&mut self, piece: Piece) -> Option<Reading> {
        let call = self.call?;
        let piece = match piece {
            Piece::Elements(_) => Piece::Elements(call.size),
            piece => piece,
        };
        if self.stream(call.key).written || self.is_own(call.key) {
            return None;
        }
        let stream = self.stream(call.key);
        let at = match piece {
            Piece::Tell if call.descriptor => call.target?,
            Piece::Seek => stream.at.or(call.target)?,
            _ => stream.at?,
        };
        let file = self.file(call.key);
        Some(Reading { file, at, piece, ended: self.stream(call.key).indicators.stopped })
    }

    /// Notes that a reading gives nothing but the end of a file; whether one did before.
    pub fn meets_end(&mut self, file: usize) -> bool {
        if self.ended.len() <= file {
            self.ended.resize(file + 1, false);
        }
        std::mem::replace(&mut self.ended[file], true)
    }

    /// The character that was put back, where an input that says `piece` is it.
    pub fn comes(&mut self, piece: Piece) -> Option<u8> {
        let call = self.call.filter(|_| piece == Piece::Character)?;
        self.stream(call.key).put_back
    }

    /// Takes the answer to an input that says `piece`; whether one file can give this and what was read before.
    pub fn answered(&mut self, piece: Piece, reading: Option<Reading>, value: i128) -> bool {
        self.is_free(piece, value)
            & self.indicated(piece, value)
            & reading.is_none_or(|reading| self.told(reading, value))
    }

    /// Whether nothing that is not followed says what the answer is: what the program has written, and where a `scanf` has stopped.
    fn is_free(&mut self, piece: Piece, value: i128) -> bool {
        let Some(call) = self.call else { return true };
        let is_own = self.is_own(call.key);
        let stream = self.stream(call.key);
        match piece {
            Piece::Tell => value < 0 || !(is_own || stream.astray),
            Piece::Character => piece.is_end(value) || !is_own || stream.put_back.is_some(),
            Piece::Line | Piece::Elements(_) | Piece::Count => value <= 0 || !is_own,
            _ => true,
        }
    }

    /// The same of the stream's indicators alone, wherever it is in its file.
    fn indicated(&mut self, piece: Piece, value: i128) -> bool {
        if piece == Piece::PutBack {
            return value == 0;
        }
        let Some(call) = self.call else { return true };
        let stream = self.stream(call.key);
        let indicators = &mut stream.indicators;
        match piece {
            Piece::Character | Piece::Line if piece.is_end(value) => {
                indicators.met_nothing();
                // Nothing is asked for where there is room for the terminator alone.
                stream.put_back.is_none() && (piece == Piece::Character || call.most > 0)
            }
            Piece::Character => {
                let comes = stream.put_back.take();
                comes.is_none_or(|byte| i128::from(byte) == value) && indicators.went_on()
            }
            Piece::Line => !indicators.stopped,
            Piece::Elements(_) => {
                let count = (value as u64).saturating_mul(call.size);
                let fits = if count == 0 {
                    call.size > 1 || call.most == 0 || stream.put_back.is_none()
                } else {
                    !indicators.stopped
                };
                if count < call.most {
                    indicators.met_nothing();
                }
                fits
            }
            Piece::Seek if value == 0 => {
                indicators.goes_on();
                (stream.put_back, stream.astray) = (None, stream.astray && call.target.is_none());
                true
            }
            Piece::AtEnd => indicators.told_end(value != 0),
            Piece::Failed => indicators.told_error(value != 0),
            _ => true,
        }
    }

    /// Takes the result of a `scanf` whose text is not known; whether there can be one. `may_be_none`: nothing has to be there.
    pub fn scan_gave(&mut self, value: i128, may_be_none: bool) -> bool {
        let Some(call) = self.call else { return true };
        let is_own = self.is_own(call.key);
        let stream = self.stream(call.key);
        let indicators = &mut stream.indicators;
        let comes = stream.put_back.take();
        if value >= 0 && (comes.is_some() || is_own) {
            return false;
        }
        if value < 0 {
            indicators.met_nothing();
            return comes.is_none_or(|byte| byte.is_ascii_whitespace());
        }
        let fits = !indicators.stopped || (value == 0 && may_be_none);
        indicators.may_have_stopped();
        fits
    }

    fn told(&mut self, reading: Reading, value: i128) -> bool {
        let Some(mut call) = self.call else { return true };
        let Reading { file, at, .. } = reading;
        let mut fits = true;
        match reading.piece {
            Piece::Character if value < 0 => fits = self.end_at(file, at),
            Piece::Character => fits = self.take(&call, file, &[value as u8]),
            Piece::Line if value == 0 => fits = self.end_at(file, at),
            Piece::LineLength => call.count = value as u64,
            Piece::Elements(size) => {
                call.count = (value as u64).saturating_mul(size);
                if call.count < call.most {
                    // It ends behind these, if no part of another one comes.
                    let moved = i64::try_from(call.count).ok().and_then(|count| at.moved(count));
                    fits = moved.is_none_or(|end| self.end_at(file, end));
                }
            }
            Piece::Part if value != 0 => {
                // How much of one is not told.
                self.stream(call.key).at = None;
                self.seen[file].end = None;
            }
            Piece::Seek if value == 0 => {
                let end = self.seen[file].end;
                self.stream(call.key).at = call.target.map(|target| resolved(target, end));
            }
            Piece::Tell if value >= 0 => {
                let told = value as u64;
                match at {
                    At::Start(at) => fits = at == told,
                    At::End(behind) => {
                        fits = told
                            .checked_add_signed(behind.saturating_neg())
                            .is_some_and(|end| self.seen[file].learn_end(end));
                    }
                }
                self.stream(call.key).at = Some(At::Start(told));
            }
            Piece::Line | Piece::Part | Piece::Count | Piece::Bytes | Piece::Seek | Piece::Tell => {}
            Piece::AtEnd | Piece::Failed | Piece::PutBack => {}
        }
        self.call = Some(call);
        fits
    }

    /// Takes the bytes that an input gave; whether they fit.
    pub fn gave(&mut self, reading: Option<Reading>, bytes: &[u8]) -> bool {
        let Some(call) = self.call else { return true };
        let stream = self.stream(call.key);
        let mut fits = stream.put_back.take().is_none_or(|byte| bytes.first() == Some(&byte));
        let is_line = call.size == 0 && !call.descriptor;
        let is_short = is_line && (bytes.len() as u64) < call.most && bytes.last() != Some(&b'\n');
        if is_short {
            stream.indicators.met_nothing();
        }
        if let Some(Reading { file, .. }) = reading {
            fits &= self.take(&call, file, bytes);
            if let Some(at) = self.stream(call.key).at.filter(|_| is_short) {
                fits &= self.end_at(file, at);
            }
        }
        fits
    }

    /// A `scanf` begins to take what is chosen without the text that stands there; whether nothing is known of that.
    pub fn scan_freely(&mut self, reading: Option<Reading>) -> bool {
        reading.is_none_or(|reading| {
            let at = if let At::Start(at) = reading.at { at } else { 0 };
            self.seen[reading.file].scan_freely(at)
        })
    }

    /// A `scanf` under way has left its stream somewhere; `freely`: by what it took, nobody can tell where.
    pub fn lose_position(&mut self, freely: bool) {
        if let Some(call) = self.call {
            let stream = self.stream(call.key);
            (stream.at, stream.scanned, stream.astray) = (None, freely, freely);
        }
    }

    /// Whether `first`, which an input that says `piece` gave, may stand where a `scanf` has stopped. White space or nothing does where a
    /// number or a word ends; what else does depends on the format.
    pub fn may_follow_scan(&mut self, piece: Piece, first: Option<u8>) -> bool {
        let Some(call) = self.call.filter(|_| matches!(piece, Piece::Character | Piece::Bytes)) else { return true };
        let scanned = std::mem::take(&mut self.stream(call.key).scanned);
        !scanned || first.is_none_or(|byte| byte.is_ascii_whitespace())
    }

    /// The call under way has met the end of its stream.
    pub fn met_end(&mut self) {
        if let Some(call) = self.call {
            self.stream(call.key).indicators.met_end();
        }
    }

    /// Takes bytes that are read over; whether they fit.
    pub fn passed(&mut self, reading: Reading, bytes: &[u8]) -> bool {
        self.call.is_none_or(|call| self.take(&call, reading.file, bytes))
    }

    fn take(&mut self, call: &Call, file: usize, bytes: &[u8]) -> bool {
        let Some(at) = self.stream(call.key).at else { return true };
        let mut fits = true;
        if let At::Start(start) = at {
            for (i, byte) in bytes.iter().enumerate() {
                fits &= self.seen[file].learn(start.saturating_add(i as u64), *byte);
            }
        }
        self.stream(call.key).at = at.moved(bytes.len() as i64);
        fits
    }

    fn end_at(&mut self, file: usize, at: At) -> bool {
        match at {
            At::Start(at) => self.seen[file].learn_end(at),
            At::End(_) => true,
        }
    }
}

/// The same place, told from the start where the file's length is known.
fn resolved(at: At, end: Option<u64>) -> At {
    match (at, end) {
        (At::End(behind), Some(end)) => end.checked_add_signed(behind).map_or(at, At::Start),
        _ => at,
    }
}
