//! Files and other streams: which bytes of which file an input stands for, and whether what a run was given fits one file.
//!
//! To the machine, each call that reads is an input of its own. A file is more than that: what is read again is the same, and behind its
//! end nothing comes. Here a run's streams have positions; whoever chooses inputs is told where in a file he is asked
//! ([`Reading`]), and what he answers is held against what was read before. A run whose answers no file could give depends on more than its inputs
//! ([`super::Flags::astray`]).
//!
//! See: C11 7.21.3 (files), 7.21.7.1 (`fgetc`: the end stays), 7.21.9 (positions). Contents that the program writes are not followed: a file that it has
//! written to may hold anything.

use super::input::Source;
use super::machine::Machine;
use super::memory::Pointee;
use super::object::Raw;
use super::piece::Piece;
use super::value::Value;
use crate::ir::{Expr, Program};
use rustc_hash::FxHashMap;

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// So many bytes behind its start.
    Start(u64),
    /// So many bytes behind its end, which nobody has told yet.
    End(i64),
}

impl At {
    fn moved(self, by: i64) -> Option<At> {
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
            return true;
        }
        if self.bytes.len() <= i {
            self.bytes.resize(i + 1, None);
        }
        let fits = self.bytes[i].is_none_or(|known| known == byte) && self.end.is_none_or(|end| at < end);
        self.bytes[i] = Some(byte);
        fits
    }

    /// Learns where it ends; whether that fits.
    fn learn_end(&mut self, at: u64) -> bool {
        let last = self.bytes.iter().rposition(Option::is_some).map_or(0, |i| i as u64 + 1);
        let fits = last <= at && self.end.is_none_or(|end| end == at);
        self.end = Some(at);
        fits
    }
}

/// What lies farther behind a file's start is not kept.
const LONGEST: usize = 1 << 20;

/// What a stream is known by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    /// The object that a `FILE *` points to.
    Object(u32),
    Descriptor(i128),
}

/// What a file is known by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Name {
    Input,
    Path(Vec<u8>),
    /// What the caller of the entry function gives: the object.
    Given(u32),
    /// One without a name that is known.
    Unnamed(usize),
}

#[derive(Clone, Debug)]
struct Stream {
    name: Name,
    /// Its number among the files, once it was read.
    file: Option<usize>,
    /// None where the position is not known.
    at: Option<At>,
    ended: bool,
    /// `feof` has said that it was no end, so that it was an error.
    error_owed: bool,
    /// `scanf` has read, nobody knows how far, and nothing has been read since.
    scanned: bool,
}

impl Stream {
    /// One that nothing was read of.
    fn new(name: Name) -> Stream {
        Stream { name, file: None, at: Some(At::Start(0)), ended: false, error_owed: false, scanned: false }
    }
}

/// A library call under way.
#[derive(Clone, Copy, Debug)]
struct Call {
    key: Key,
    /// Bytes of an element of `fread`.
    size: u64,
    /// The most characters of a line, or bytes of a transfer.
    most: u64,
    /// Where `fseek` goes.
    target: Option<At>,
    /// What the last `length` or count was.
    count: u64,
    /// Whether it is about a descriptor: these may give less than there is.
    descriptor: bool,
}

/// The streams of a run.
#[derive(Debug, Default)]
pub(super) struct Streams {
    /// What is opened next: the name that the library call under way has given.
    opening: Option<Name>,
    call: Option<Call>,
    streams: FxHashMap<Key, Stream>,
    files: FxHashMap<Name, usize>,
    seen: Vec<FileSeen>,
    unnamed: usize,
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
        if let Some(name) = self.opening.take() {
            self.open(Key::Object(slot), name);
        }
    }

    fn open(&mut self, key: Key, name: Name) {
        self.streams.insert(key, Stream::new(name));
    }

    fn stream(&mut self, key: Key) -> &mut Stream {
        let unnamed = &mut self.unnamed;
        self.streams.entry(key).or_insert_with(|| {
            *unnamed += 1;
            let name = if key == Key::Descriptor(0) { Name::Input } else { Name::Unnamed(*unnamed) };
            Stream::new(name)
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
        self.seen[reading.file] = FileSeen { bytes: bytes.iter().copied().map(Some).collect(), end };
    }

    /// The file that a stream is of.
    fn file(&mut self, key: Key) -> usize {
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
        let at = match piece {
            Piece::Tell if call.descriptor => call.target?,
            _ => self.stream(call.key).at?,
        };
        let file = self.file(call.key);
        Some(Reading { file, at, piece, ended: self.stream(call.key).ended })
    }

    /// Takes the answer to an input; whether one file can give this and what was read before.
    pub fn answered(&mut self, reading: Reading, value: i128) -> bool {
        let Some(mut call) = self.call else { return true };
        let Reading { file, at, .. } = reading;
        let mut fits = true;
        match reading.piece {
            Piece::Character if value < 0 => fits = self.end_at(&call, file, at),
            Piece::Character => fits = !reading.ended && self.take(&call, file, &[value as u8]),
            Piece::Line if value == 0 => fits = self.end_at(&call, file, at),
            Piece::Line => fits = !reading.ended,
            Piece::LineLength => call.count = value as u64,
            Piece::Elements(size) => {
                call.count = (value as u64).saturating_mul(size);
                fits = value == 0 || !reading.ended;
                if call.count < call.most {
                    // It ends behind these, if no part of another one comes.
                    let moved = i64::try_from(call.count).ok().and_then(|count| at.moved(count));
                    fits &= moved.is_none_or(|end| self.end_at(&call, file, end));
                }
            }
            Piece::Part if value != 0 => {
                // How much of one is not told.
                self.stream(call.key).at = None;
                self.seen[file].end = None;
            }
            Piece::Part | Piece::Count | Piece::Bytes => {}
            Piece::Seek if value == 0 => {
                let end = self.seen[file].end;
                let stream = self.stream(call.key);
                stream.at = call.target.map(|target| resolved(target, end));
                (stream.ended, stream.error_owed) = (false, false);
            }
            Piece::Seek => {}
            Piece::Tell if value < 0 => {}
            Piece::Tell => {
                let told = value as u64;
                match at {
                    At::Start(at) => fits = at == told,
                    At::End(behind) => {
                        fits = told
                            .checked_add_signed(behind.saturating_neg())
                            .is_some_and(|end| self.seen[file].learn_end(end));
                    }
                }
                let stream = self.stream(call.key);
                stream.at = Some(At::Start(told));
                stream.ended &= !call.descriptor;
            }
            Piece::AtEnd => {
                fits = value == 0 || reading.ended;
                self.stream(call.key).error_owed = value == 0 && reading.ended;
            }
            Piece::Failed => fits = value != 0 || !self.stream(call.key).error_owed,
        }
        self.call = Some(call);
        fits
    }

    /// Takes the bytes that an input gave; whether they fit.
    pub fn gave(&mut self, reading: Reading, bytes: &[u8]) -> bool {
        let Some(call) = self.call else { return true };
        let fits = self.take(&call, reading.file, bytes);
        let is_line = call.size == 0 && !call.descriptor;
        if is_line && (bytes.len() as u64) < call.most && bytes.last() != Some(&b'\n') {
            let at = self.stream(call.key).at;
            return fits & at.is_none_or(|at| self.end_at(&call, reading.file, at));
        }
        fits
    }

    /// A `scanf` under way has left its stream somewhere.
    pub fn lose_position(&mut self) {
        if let Some(call) = self.call {
            let stream = self.stream(call.key);
            (stream.at, stream.scanned) = (None, true);
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
            self.stream(call.key).ended = true;
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

    fn end_at(&mut self, call: &Call, file: usize, at: At) -> bool {
        self.stream(call.key).ended = true;
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

impl<'p> Machine<'p> {
    /// Notes what a library function that is called does with a stream.
    pub(super) fn begin_stream_call(&mut self, name: &str, args: &'p [Expr]) {
        match name {
            "fopen" | "fopen64" | "freopen" | "open" | "open64" | "popen" | "tmpfile" | "fdopen" => {
                let path = args.first().filter(|_| name != "fdopen").and_then(|arg| self.text_of(arg));
                let streams = &mut self.streams;
                streams.unnamed += 1;
                streams.opening = Some(path.map_or(Name::Unnamed(streams.unnamed), Name::Path));
            }
            "getchar" | "getchar_unlocked" => {
                let key = self.input_key();
                self.begin_reading(key, 0, 0);
            }
            "getc" | "fgetc" | "getc_unlocked" | "feof" | "feof_unlocked" | "ferror" | "ferror_unlocked" | "ftell"
            | "ftello" | "ftello64" => self.begin_on(args, 0, 0, 0),
            "fgets" | "fgets_unlocked" => {
                let most = self.count_of(args, 1).map_or(u64::MAX, |n| n.saturating_sub(1));
                self.begin_on(args, 2, 0, most);
            }
            "getline" => self.begin_on(args, 2, 0, u64::MAX),
            "fread" | "fread_unlocked" => match (self.count_of(args, 1), self.count_of(args, 2)) {
                (Some(size @ 1..), Some(n)) => self.begin_on(args, 3, size, size.saturating_mul(n)),
                _ => self.streams.call = None,
            },
            "read" => {
                let most = self.count_of(args, 2).unwrap_or(0);
                self.begin_on_descriptor(args, most, None);
            }
            "fseek" | "fseeko" | "fseeko64" => {
                self.begin_on(args, 0, 0, 0);
                let target = self.target(args);
                if let Some(call) = &mut self.streams.call {
                    call.target = target;
                }
            }
            "lseek" | "lseek64" => {
                self.begin_on_descriptor(args, 0, None);
                let target = self.target(args);
                if let Some(call) = &mut self.streams.call {
                    call.target = target;
                }
            }
            "rewind" => {
                if let Some(key) = self.stream_key(args, 0) {
                    let stream = self.streams.stream(key);
                    (stream.at, stream.ended, stream.error_owed) = (Some(At::Start(0)), false, false);
                }
            }
            "clearerr" => {
                if let Some(key) = self.stream_key(args, 0) {
                    let stream = self.streams.stream(key);
                    (stream.ended, stream.error_owed) = (false, false);
                }
            }
            "ungetc" => self.put_back(args),
            "sscanf" => self.begin_scan_of_text(args),
            "scanf" => {
                let key = self.input_key();
                self.begin_reading(key, 0, u64::MAX);
                self.begin_scan_of_file(args.first());
            }
            "fscanf" => {
                self.begin_on(args, 0, 0, u64::MAX);
                self.begin_scan_of_file(args.get(1));
            }
            // What these do to the position is not followed.
            "vscanf" | "gets" => {
                self.streams.call = None;
                let key = self.input_key();
                self.streams.stream(key).at = None;
            }
            "vfscanf" | "getw" | "fgetpos" | "fsetpos" | "fgetwc" | "getwc" | "fgetws" | "getdelim" | "fwscanf"
            | "pread" | "pread64" => {
                self.streams.call = None;
                for i in 0..args.len() {
                    if let Some(key) = self.stream_key(args, i)
                        && self.streams.streams.contains_key(&key)
                    {
                        self.streams.stream(key).at = None;
                    }
                }
            }
            "fputc" | "putc" | "fputs" | "fwrite" | "fprintf" | "vfprintf" => self.note_writing(args),
            _ => {}
        }
    }

    /// Notes where the input that was just recorded comes from: `reading` of a file, or `known` from a text.
    pub(super) fn note_source(&mut self, reading: Option<Reading>, known: bool) {
        let source = match reading {
            _ if known => Source::Scanned,
            Some(Reading { file, at: At::Start(at), piece, .. }) => match piece {
                Piece::Character | Piece::Bytes => Source::File { file, at },
                Piece::Elements(unit) => Source::Length { file, at, unit },
                Piece::Count => Source::Length { file, at, unit: 1 },
                _ => Source::Follows,
            },
            Some(_) => Source::Follows,
            None => Source::Chosen,
        };
        if let Some(record) = self.log.last_mut() {
            record.source = source;
        }
    }

    /// Notes that the input that was just recorded is what it is in most executions.
    pub(super) fn note_usual(&mut self) {
        if let Some(record) = self.log.last_mut() {
            record.source = Source::Usual;
        }
    }

    /// A descriptor was given for what is being opened.
    pub(super) fn descriptor_given(&mut self, name: &str, value: i128) {
        if matches!(name, "open()" | "open64()")
            && value >= 0
            && let Some(opened) = self.streams.opening.take()
        {
            self.streams.open(Key::Descriptor(value), opened);
        }
    }

    fn begin_reading(&mut self, key: Key, size: u64, most: u64) {
        self.streams.call = Some(Call { key, size, most, target: None, count: 0, descriptor: false });
    }

    fn begin_on(&mut self, args: &'p [Expr], stream: usize, size: u64, most: u64) {
        match self.stream_key(args, stream) {
            Some(key) => self.begin_reading(key, size, most),
            None => self.streams.call = None,
        }
    }

    fn begin_on_descriptor(&mut self, args: &'p [Expr], most: u64, target: Option<At>) {
        let key = args.first().and_then(|arg| self.peek(arg)).and_then(Value::as_int).map(Key::Descriptor);
        self.streams.call = key.map(|key| Call { key, size: 0, most, target, count: 0, descriptor: true });
    }

    /// Where `fseek` or `lseek` goes.
    fn target(&mut self, args: &'p [Expr]) -> Option<At> {
        let offset = i64::try_from(args.get(1).and_then(|arg| self.peek(arg)).and_then(Value::as_int)?).ok()?;
        let whence = args.get(2).and_then(|arg| self.peek(arg)).and_then(Value::as_int)?;
        let key = self.streams.call?.key;
        match whence {
            0 => u64::try_from(offset).ok().map(At::Start),
            1 => self.streams.stream(key).at?.moved(offset),
            2 => Some(At::End(offset)),
            _ => None,
        }
    }

    /// `ungetc`: the position is one less where the character is the one that was read.
    fn put_back(&mut self, args: &'p [Expr]) {
        let character = args.first().and_then(|arg| self.peek(arg)).and_then(Value::as_int);
        let Some(key) = self.stream_key(args, 1) else { return };
        if character == Some(-1) {
            return;
        }
        let file = self.streams.file(key);
        let at = self.streams.stream(key).at;
        let before = match at {
            Some(At::Start(at)) => at.checked_sub(1),
            _ => None,
        };
        let read = before.and_then(|at| *self.streams.seen[file].bytes.get(usize::try_from(at).ok()?)?);
        let same = read.map(i128::from) == character.map(|c| c & 0xff) && read.is_some();
        let stream = self.streams.stream(key);
        stream.at = if same { before.map(At::Start) } else { None };
        stream.ended = false;
    }

    /// A stream that is written to has a position that is not followed.
    fn note_writing(&mut self, args: &'p [Expr]) {
        for i in [0, 1, 3] {
            if let Some(key) = self.stream_key(args, i)
                && self.streams.streams.contains_key(&key)
            {
                self.streams.stream(key).at = None;
            }
        }
    }

    fn count_of(&mut self, args: &'p [Expr], i: usize) -> Option<u64> {
        args.get(i).and_then(|arg| self.peek(arg)).and_then(Value::as_int).and_then(|n| u64::try_from(n).ok())
    }

    fn stream_key(&mut self, args: &'p [Expr], i: usize) -> Option<Key> {
        let pointer = args.get(i).and_then(|arg| self.peek(arg))?;
        let Pointee::Object { slot, .. } = self.memory.resolve(pointer) else { return None };
        let input = Some(slot) == self.prepared.input_slot;
        Some(if input { self.input_key() } else { Key::Object(slot) })
    }

    /// Standard input, by what its descriptor is.
    fn input_key(&mut self) -> Key {
        let key = Key::Object(self.prepared.input_slot.unwrap_or(u32::MAX));
        self.streams.streams.entry(key).or_insert_with(|| Stream::new(Name::Input));
        key
    }

    /// The string that an argument points to, if it is all there.
    pub(super) fn text_of(&mut self, arg: &'p Expr) -> Option<Vec<u8>> {
        const LONGEST_PATH: usize = 4096;
        let pointer = self.peek(arg)?;
        let Pointee::Object { slot, offset } = self.memory.resolve(pointer) else { return None };
        let object = self.memory.object(slot);
        let mut text = Vec::new();
        let mut at = usize::try_from(offset).ok()?;
        while text.len() < LONGEST_PATH && (at as u64) < object.size {
            match object.load(at, 1) {
                Raw::Number(0, _) => return Some(text),
                Raw::Number(byte, _) => text.push(byte as u8),
                _ => return None,
            }
            at += 1;
        }
        None
    }
}
