//! What library functions do with streams and descriptors, as the run comes to their calls. See [`super::streams`].

use super::indicators::CLEAR;
use super::input::Source;
use super::machine::Machine;
use super::memory::Pointee;
use super::object::Raw;
use super::piece::Piece;
use super::streams::{At, Call, Key, Name, Only, Opening, Reading, Stream};
use super::value::Value;
use crate::ir::Expr;

impl<'p> Machine<'p> {
    /// Notes what a library function that is called does with a stream.
    pub(super) fn begin_stream_call(&mut self, name: &str, args: &'p [Expr]) {
        match name {
            "fopen" | "fopen64" | "freopen" | "open" | "open64" | "creat" | "creat64" | "popen" | "tmpfile"
            | "fdopen" => {
                let path =
                    args.first().filter(|_| name != "fdopen" && name != "popen").and_then(|arg| self.text_of(arg));
                let (is_empty, only) = match name {
                    "tmpfile" => (true, None),
                    "creat" | "creat64" => (true, Some(Only::Writes)),
                    "open" | "open64" => self.opened_with(args),
                    _ => {
                        let mode = args.get(1).and_then(|arg| self.text_of(arg)).unwrap_or_default();
                        let makes_empty = mode.first() == Some(&b'w') && !matches!(name, "fdopen" | "popen");
                        let one = match mode.first() {
                            Some(b'r') => Some(Only::Reads),
                            Some(b'w' | b'a') => Some(Only::Writes),
                            _ => None,
                        };
                        (makes_empty, one.filter(|_| !mode.contains(&b'+')))
                    }
                };
                let own = name == "fdopen" && self.descriptor_key(args).is_some_and(|key| self.streams.is_own(key));
                let streams = &mut self.streams;
                streams.unnamed += 1;
                let name = path.map_or(Name::Unnamed(streams.unnamed), Name::Path);
                streams.opening = Some(Opening { name, is_empty, own, only });
            }
            "dup2" | "dup3" => {
                let second = args.get(1).and_then(|arg| self.peek(arg)).and_then(Value::as_int);
                if let Some(second) = second {
                    self.joins(second);
                }
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
                self.begin_on_descriptor(args, most);
            }
            "fseek" | "fseeko" | "fseeko64" => {
                self.begin_on(args, 0, 0, 0);
                self.set_target(args);
            }
            "lseek" | "lseek64" => {
                self.begin_on_descriptor(args, 0);
                self.set_target(args);
            }
            "rewind" => {
                if let Some(key) = self.stream_key(args, 0) {
                    let stream = self.streams.stream(key);
                    stream.rewind();
                }
            }
            "clearerr" => {
                if let Some(key) = self.stream_key(args, 0) {
                    self.streams.stream(key).indicators = CLEAR;
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
            "vscanf" | "gets" | "getwchar" | "wscanf" | "vwscanf" => {
                self.streams.call = None;
                let key = self.input_key();
                self.streams.stream(key).forget();
            }
            "vfscanf" | "vfwscanf" | "getw" | "fgetpos" | "fsetpos" | "fgetwc" | "getwc" | "fgetws" | "getdelim"
            | "fwscanf" | "ungetwc" | "pread" | "pread64" => {
                self.streams.call = None;
                for i in 0..args.len() {
                    if let Some(key) = self.stream_key(args, i)
                        && self.streams.streams.contains_key(&key)
                    {
                        self.streams.stream(key).forget();
                    }
                }
            }
            "fputc" | "putc" | "fputs" | "fwrite" | "fprintf" | "vfprintf" => self.note_writing(args),
            "write" | "pwrite" | "pwrite64" | "writev" | "ftruncate" | "ftruncate64" => {
                let key = self.descriptor_key(args);
                let stream = key.and_then(|key| self.streams.streams.get_mut(&key));
                self.flags.astray |= stream.as_ref().is_some_and(|stream| stream.only == Some(Only::Reads));
                // What goes to a terminal or a socket does not come back.
                if let Some(stream) = stream.filter(|stream| matches!(stream.name, Name::Path(_))) {
                    stream.written = true;
                    let name = stream.name.clone();
                    self.streams.owns(name);
                }
            }
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
        match name {
            "open()" | "open64()" | "creat()" | "creat64()" if value >= 0 => {
                if let Some(opened) = self.streams.opening.take() {
                    self.streams.open(Key::Descriptor(value), opened);
                }
            }
            "dup()" => self.joins(value),
            _ => {}
        }
    }

    /// A descriptor leads to what another one leads to as well, which is not followed.
    fn joins(&mut self, descriptor: i128) {
        self.streams.unnamed += 1;
        let name = Name::Unnamed(self.streams.unnamed);
        let opening = Opening { name, is_empty: false, own: true, only: None };
        if descriptor == 0 {
            let key = self.input_key();
            self.streams.open(key, opening.clone());
        }
        self.streams.open(Key::Descriptor(descriptor), opening);
    }

    /// Whether the flags of `open` make a file empty, or a new one, and what they allow. They have the values of Linux, which `<fcntl.h>` gives.
    fn opened_with(&mut self, args: &'p [Expr]) -> (bool, Option<Only>) {
        const READ_ONLY: i128 = 0;
        const WRITE_ONLY: i128 = 1;
        const ACCESS: i128 = 3;
        const CREATE_NEW: i128 = 0o300;
        const TRUNCATE: i128 = 0o1000;
        let Some(flags) = args.get(1).and_then(|arg| self.peek(arg)).and_then(Value::as_int) else {
            return (false, None);
        };
        let only = match flags & ACCESS {
            READ_ONLY => Some(Only::Reads),
            WRITE_ONLY => Some(Only::Writes),
            _ => None,
        };
        (flags & CREATE_NEW == CREATE_NEW || flags & TRUNCATE != 0, only)
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

    fn begin_on_descriptor(&mut self, args: &'p [Expr], most: u64) {
        let key = self.descriptor_key(args);
        self.streams.call = key.map(|key| Call { key, size: 0, most, target: None, count: 0, descriptor: true });
    }

    fn descriptor_key(&mut self, args: &'p [Expr]) -> Option<Key> {
        args.first().and_then(|arg| self.peek(arg)).and_then(Value::as_int).map(Key::Descriptor)
    }

    /// Notes where the call of `fseek` or `lseek` goes.
    fn set_target(&mut self, args: &'p [Expr]) {
        let target = self.target(args);
        if let Some(call) = &mut self.streams.call {
            call.target = target;
        }
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
        stream.indicators.goes_on();
        if same {
            stream.at = before.map(At::Start);
        } else {
            (stream.at, stream.put_back) = (None, character.map(|c| c as u8));
        }
    }

    /// A stream that is written to is not followed; one that is open for reading takes nothing, and what the call gives then is not followed either.
    fn note_writing(&mut self, args: &'p [Expr]) {
        for i in [0, 1, 3] {
            if let Some(key) = self.stream_key(args, i)
                && self.streams.streams.contains_key(&key)
            {
                let stream = self.streams.stream(key);
                self.flags.astray |= stream.only == Some(Only::Reads);
                stream.written = true;
                stream.indicators.may_have_failed();
                let name = stream.name.clone();
                self.streams.owns(name);
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
