//! Objects: partial maps from offsets to bytes.
//!
//! A byte is one that nothing was written to, a number, a byte of an object's address, a number of which only some bits are
//! determined (bit-fields), unknown because another unit defines the object, indeterminate because such a value was stored,
//! or one whose value C leaves open (padding, the rest of a union: C11 6.2.6.1p6, p7). See: Milanese, Miné, Under-approximating Memory Abstractions, Sect. 2.1.

use super::cow::Cow;
use super::value::{ObjectId, Origin};
use crate::ir::{AllocId, AllocKind, BitRange, ConstantBytes, FuncId, VarId};

/// Nothing was written. In a copy the origin names the byte that it is a copy of, where runs ask for that ([`Region::name_from`]).
const UNINIT: u8 = 0;
const CONCRETE: u8 = 1;
/// `POINTER + i` is byte `i` of an address.
const POINTER: u8 = 2;
/// The tags of the bytes of a whole address.
const ALL_OF_AN_ADDRESS: u64 = u64::from_le_bytes([
    POINTER,
    POINTER + 1,
    POINTER + 2,
    POINTER + 3,
    POINTER + 4,
    POINTER + 5,
    POINTER + 6,
    POINTER + 7,
]);
/// Some bits are determined; the origin's slot holds their mask, its generation that of the bits that C leaves open.
const PARTIAL: u8 = 32;
const EXTERNAL: u8 = 33;
/// An indeterminate value was stored.
const INDETERMINATE: u8 = 34;
/// C leaves the value open, but it is one.
const OPEN: u8 = 35;

/// What an object is.
#[derive(Clone, Debug, PartialEq)]
pub enum ObjectKind {
    /// A variable or literal; for locals with the depth of its frame (from 1), 0 for static ones.
    Variable(VarId, u32),
    /// A block of an allocation site.
    Allocated(AllocId, AllocKind),
    /// A function; address 0 is the function's, `1 + b` is label `b`'s.
    Function(FuncId),
    /// The strings and arrays that `main` is given.
    Arguments,
    /// What an opaque pointer of the environment points to.
    Environment,
    /// What a parameter of the entry function points to; whether another parameter counts its elements.
    Given { counted: bool },
    /// The arguments that a `va_list` walks; its index in the machine.
    VarArgs(u32),
}

/// Where an object is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    Live,
    /// Freed, or its scope or frame has ended.
    Dead,
}

/// What bytes hold that nothing was stored to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    Indeterminate,
    Zero,
    /// Defined in a unit that is not part of the program.
    External,
}

/// What reading some bytes as a number gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Raw {
    /// The number, little endian, and its origin.
    Number(u128, Origin),
    /// The number of bytes that mix address bytes of several kinds.
    Mixed(u128),
    /// Some byte is indeterminate.
    Indeterminate,
    /// C leaves the value of some byte open, and none is indeterminate.
    Open,
    /// Some byte is unknown.
    External,
}

/// What one byte holds, for observers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Byte {
    /// A number, that of an address's byte too.
    Number(u8),
    /// C leaves the value of some bits open; these are the bits that are determined, and their mask.
    Open { number: u8, known: u8 },
    /// Some bit is indeterminate.
    Indeterminate,
    /// Another unit defines it.
    External,
}

impl Byte {
    /// The numbers that it may be; None where nothing is said of them.
    pub fn numbers(self) -> Option<impl Iterator<Item = u8>> {
        let (number, known) = match self {
            Byte::Number(number) => (number, 0xff),
            Byte::Open { number, known } => (number & known, known),
            Byte::Indeterminate | Byte::External => return None,
        };
        Some((0..=u8::MAX).filter(move |n| n & known == number))
    }
}

/// A byte that is a number, or that nothing was written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plain {
    Number(u8),
    /// Nothing was written to it.
    Own,
    /// A copy of the byte with this name, which nothing was written to.
    Copy(u64),
}

/// An object. Bytes past `data` (which grows on demand) hold `fill`.
#[derive(Clone, Debug)]
pub struct Object {
    pub kind: ObjectKind,
    pub generation: u32,
    pub life: Life,
    /// Bytes.
    pub size: u64,
    /// Its first byte's virtual address; 0 while nobody has asked.
    pub address: u64,
    /// Must not be written by the program.
    pub constant: ConstantBytes,
    pub fill: Fill,
    /// The name of its first byte; 0 while none has been copied that nothing was written to.
    pub first_name: u64,
    data: Cow<u8>,
    tags: Cow<u8>,
    /// As long as `data`, or empty while no byte needs an entry.
    origins: Cow<ObjectId>,
}

/// A copy of some bytes of an object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Region {
    data: Vec<u8>,
    tags: Vec<u8>,
    origins: Vec<ObjectId>,
}

impl Region {
    /// Bytes.
    pub fn len(&self) -> usize {
        self.data.len()
    }
    /// Whether it holds no bytes.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }
    /// The objects of whose addresses it holds bytes.
    pub fn addresses(&self) -> impl Iterator<Item = ObjectId> + '_ {
        addresses(&self.tags, &self.origins)
    }
    /// Whether it holds bytes that nothing was written to and that have no name.
    pub fn has_nameless(&self) -> bool {
        let is_nameless = |i: usize| self.origins.get(i).is_none_or(|name| *name == Origin::NONE.object);
        (0..self.len()).any(|i| self.tags[i] == UNINIT && is_nameless(i))
    }
    /// Names such bytes, which were copied from behind the byte called `first`; None: they have no value that can be named.
    pub fn name_from(&mut self, first: Option<u64>) {
        self.origins.resize(self.data.len(), Origin::NONE.object);
        for i in 0..self.data.len() {
            if self.tags[i] == UNINIT && self.origins[i] == Origin::NONE.object {
                match first {
                    Some(first) => self.origins[i] = name_of(first + i as u64),
                    None => self.tags[i] = INDETERMINATE,
                }
            }
        }
    }
}

impl Object {
    /// A live object.
    pub fn new(kind: ObjectKind, size: u64, fill: Fill) -> Object {
        Object {
            kind,
            generation: 0,
            life: Life::Live,
            size,
            address: 0,
            constant: ConstantBytes::None,
            fill,
            first_name: 0,
            data: Cow::default(),
            tags: Cow::default(),
            origins: Cow::default(),
        }
    }
    /// Copies of it share its content from now on, until they are written; bytes that it had to itself before.
    pub fn share(&mut self) -> u64 {
        self.data.share() + self.tags.share() + self.origins.share()
    }
    /// Makes it another object of the same slot, keeping its buffers.
    pub fn renew(&mut self, kind: ObjectKind, size: u64, fill: Fill) {
        self.kind = kind;
        self.generation = self.generation.wrapping_add(1);
        self.life = Life::Live;
        self.size = size;
        self.address = 0;
        self.constant = ConstantBytes::None;
        self.fill = fill;
        self.forget();
    }
    /// All bytes hold `fill` again.
    pub fn forget(&mut self) {
        self.first_name = 0;
        self.data.clear();
        self.tags.clear();
        self.origins.clear();
    }
    /// Ends its life and drops its content.
    pub fn die(&mut self) {
        self.life = Life::Dead;
        self.data = Cow::default();
        self.tags = Cow::default();
        self.origins = Cow::default();
    }
    /// The objects of whose addresses it holds bytes.
    pub fn addresses(&self) -> impl Iterator<Item = ObjectId> + '_ {
        addresses(&self.tags, &self.origins)
    }
    /// Whether some byte at `from..to` is one of an object's address.
    pub fn has_addresses(&self, from: i128, to: i128) -> bool {
        let at = |place: i128| place.clamp(0, self.origins.len() as i128) as usize;
        let (from, to) = (at(from), at(to));
        from < to && addresses(&self.tags[from..to], &self.origins[from..to]).next().is_some()
    }
    /// Bytes of memory that its content takes.
    pub fn committed(&self) -> usize {
        self.data.len()
    }
    /// How many bytes `data` would grow by to hold `end` bytes.
    #[inline]
    pub fn growth(&self, end: usize) -> usize {
        if end <= self.data.len() { 0 } else { self.grown(end) - self.data.len() }
    }
    fn grown(&self, end: usize) -> usize {
        let doubled = end.max(self.data.len() * 2).max(64);
        if (doubled as u64) < self.size { doubled } else { self.size as usize }
    }
    #[inline]
    fn commit(&mut self, end: usize) {
        if end > self.data.len() {
            let len = self.grown(end);
            let tag = match self.fill {
                Fill::Indeterminate => UNINIT,
                Fill::Zero => CONCRETE,
                Fill::External => EXTERNAL,
            };
            self.data.resize(len, 0);
            self.tags.resize(len, tag);
            if !self.origins.is_empty() {
                self.origins.resize(len, Origin::NONE.object);
            }
        }
    }
    fn byte(&self, at: usize) -> (u8, u8, ObjectId) {
        match self.data.get(at) {
            Some(&b) => (b, self.tags[at], self.origins.get(at).copied().unwrap_or(Origin::NONE.object)),
            None => match self.fill {
                Fill::Indeterminate => (0, UNINIT, Origin::NONE.object),
                Fill::Zero => (0, CONCRETE, Origin::NONE.object),
                Fill::External => (0, EXTERNAL, Origin::NONE.object),
            },
        }
    }
    /// What the byte at `at` holds, which lies in the object.
    pub fn seen(&self, at: usize) -> Byte {
        let (number, tag, object) = self.byte(at);
        match tag {
            UNINIT | INDETERMINATE => Byte::Indeterminate,
            EXTERNAL => Byte::External,
            OPEN => Byte::Open { number: 0, known: 0 },
            PARTIAL if (object.slot | object.generation) & 0xff != 0xff => Byte::Indeterminate,
            PARTIAL => Byte::Open { number, known: object.slot as u8 },
            _ => Byte::Number(number),
        }
    }
    /// `len <= 16` bytes from `at`, which lie in the object, as a number.
    #[inline]
    pub fn load(&self, at: usize, len: usize) -> Raw {
        if let Some(tags) = self.tags.get(at..at + len)
            && tags.iter().all(|&t| t == CONCRETE)
        {
            return Raw::Number(little_endian(&self.data[at..at + len]), Origin::NONE);
        }
        self.load_slowly(at, len)
    }
    /// The number of 1, 2, 4 or 8 bytes from `at`, where all of them are plain.
    #[inline]
    pub(super) fn plain(&self, at: usize, len: usize) -> Option<u64> {
        match (self.tags.get(at..at + len), self.data.get(at..at + len)) {
            (Some(tags), Some(data)) => {
                (small(tags)? == 0x0101_0101_0101_0101 >> (64 - 8 * len)).then(|| small(data))?
            }
            _ if self.fill == Fill::Zero && at >= self.data.len() => Some(0),
            _ => None,
        }
    }
    /// The address that so many bytes from `at` are, where they are all of one, and its object.
    #[inline]
    pub(super) fn pointer(&self, at: usize, len: usize) -> Option<(u64, ObjectId)> {
        let (tags, origins) = (self.tags.get(at..at + len)?, self.origins.get(at..at + len)?);
        let is_whole = small(tags)? == ALL_OF_AN_ADDRESS & (u64::MAX >> (64 - 8 * len));
        let object = origins[0];
        let is_one = is_whole && origins.iter().all(|origin| *origin == object);
        is_one.then(|| Some((small(self.data.get(at..at + len)?)?, object)))?
    }
    fn load_slowly(&self, at: usize, len: usize) -> Raw {
        let mut number = 0u128;
        let mut origin = Origin::NONE;
        let (mut mixed, mut open) = (false, false);
        for i in 0..len {
            let (byte, tag, object) = self.byte(at + i);
            number |= u128::from(byte) << (8 * i);
            match tag {
                CONCRETE => {}
                UNINIT | INDETERMINATE => return Raw::Indeterminate,
                PARTIAL if object.slot == 0xff => {}
                PARTIAL if object.slot | object.generation == 0xff => open = true,
                PARTIAL => return Raw::Indeterminate,
                OPEN => open = true,
                EXTERNAL => return Raw::External,
                _ if i == 0 => origin = Origin { object, first: tag - POINTER, len: 1 },
                _ if origin.len as usize == i
                    && object == origin.object
                    && tag - POINTER == origin.first + origin.len =>
                {
                    origin.len += 1;
                }
                _ => mixed = true,
            }
        }
        match (open, mixed) {
            (true, _) => Raw::Open,
            (false, true) => Raw::Mixed(number),
            (false, false) => Raw::Number(number, origin),
        }
    }
    /// Stores the low `len <= 16` bytes of `number`.
    #[inline]
    pub fn store(&mut self, at: usize, len: usize, number: u128, origin: Origin) {
        self.commit(at + len);
        self.data[at..at + len].copy_from_slice(&number.to_le_bytes()[..len]);
        self.tags[at..at + len].fill(CONCRETE);
        if !origin.is_none() {
            if self.origins.is_empty() {
                self.origins.resize(self.data.len(), Origin::NONE.object);
            }
            for i in 0..len.min(origin.len as usize) {
                self.tags[at + i] = POINTER + origin.first + i as u8;
                self.origins[at + i] = origin.object;
            }
        }
    }
    /// A byte's number, or that nothing was written to it; None for all else.
    pub fn unwritten_or_number(&self, at: usize) -> Option<Plain> {
        match self.byte(at) {
            (number, CONCRETE, _) => Some(Plain::Number(number)),
            (_, UNINIT, name) if name == Origin::NONE.object => Some(Plain::Own),
            (_, UNINIT, name) => Some(Plain::Copy(number_of(name))),
            _ => None,
        }
    }
    /// Makes `len` bytes indeterminate.
    pub fn store_indeterminate(&mut self, at: usize, len: usize) {
        self.commit(at + len);
        self.tags[at..at + len].fill(INDETERMINATE);
    }
    /// `len` bytes get values that C leaves open.
    pub fn store_open(&mut self, at: usize, len: usize) {
        self.commit(at + len);
        self.tags[at..at + len].fill(OPEN);
    }
    /// The same of all bits in them that hold something.
    pub fn unsettle(&mut self, at: usize, len: usize) {
        self.commit(at + len);
        for at in at..at + len {
            let (known, open) = self.settled(at);
            if known | open != 0 {
                self.store_mask(at, 0, known | open);
            }
        }
    }
    /// Which bits of a byte are determined, and of which C leaves the value open.
    fn settled(&self, at: usize) -> (u8, u8) {
        let (_, tag, object) = self.byte(at);
        match tag {
            UNINIT | INDETERMINATE | EXTERNAL => (0, 0),
            PARTIAL => (object.slot as u8, object.generation as u8),
            OPEN => (0, 0xff),
            _ => (0xff, 0),
        }
    }
    /// The bits of `mask` in a byte get values that C leaves open.
    pub fn open_bits(&mut self, at: usize, mask: u8) {
        self.commit(at + 1);
        let (known, open) = self.settled(at);
        self.store_mask(at, known & !mask, open | mask);
    }
    /// Which bits of a byte are determined, and of which C leaves the value open.
    fn store_mask(&mut self, at: usize, known: u8, open: u8) {
        self.tags[at] = match (known, open) {
            (0xff, _) => CONCRETE,
            (_, 0xff) => OPEN,
            (0, 0) => INDETERMINATE,
            _ => {
                if self.origins.is_empty() {
                    self.origins.resize(self.data.len(), Origin::NONE.object);
                }
                self.origins[at] = ObjectId { slot: u32::from(known), generation: u32::from(open) };
                PARTIAL
            }
        };
    }
    /// The bits of a bit-field of the storage unit at `at`, unsigned.
    pub fn load_bits(&self, at: usize, bits: BitRange) -> Raw {
        let (first, last) = bit_bytes(bits);
        let mut number = 0u128;
        let (mut mixed, mut open) = (false, false);
        for i in first..last {
            let (byte, tag, object) = self.byte(at + i);
            let wanted = byte_mask(bits, i);
            match tag {
                CONCRETE => {}
                UNINIT | INDETERMINATE => return Raw::Indeterminate,
                PARTIAL if object.slot as u8 & wanted == wanted => {}
                PARTIAL if (object.slot | object.generation) as u8 & wanted == wanted => open = true,
                PARTIAL => return Raw::Indeterminate,
                OPEN => open = true,
                EXTERNAL => return Raw::External,
                _ => mixed = true,
            }
            number |= u128::from(byte) << (8 * i);
        }
        let number = (number >> bits.offset) & low_mask(bits.width);
        match (open, mixed) {
            (true, _) => Raw::Open,
            (false, true) => Raw::Mixed(number),
            (false, false) => Raw::Number(number, Origin::NONE),
        }
    }
    /// Stores the low bits of `number` (None: indeterminate ones) into a bit-field; other bits stay.
    pub fn store_bits(&mut self, at: usize, bits: BitRange, number: Option<u128>) {
        let (first, last) = bit_bytes(bits);
        self.commit(at + last);
        let shifted = (number.unwrap_or(0) & low_mask(bits.width)) << bits.offset;
        for i in first..last {
            let mask = byte_mask(bits, i);
            let (byte, tag, object) = self.byte(at + i);
            let (known, open) = match tag {
                UNINIT | INDETERMINATE => (0, 0),
                PARTIAL => (object.slot as u8, object.generation as u8),
                OPEN => (0, 0xff),
                _ => (0xff, 0),
            };
            let known = if number.is_some() { known | mask } else { known & !mask };
            self.data[at + i] = (byte & !mask) | ((shifted >> (8 * i)) as u8 & mask);
            self.store_mask(at + i, known, open & !mask);
        }
    }
    /// Stores plain bytes.
    pub fn store_bytes(&mut self, at: usize, bytes: &[u8]) {
        self.commit(at + bytes.len());
        self.data[at..at + bytes.len()].copy_from_slice(bytes);
        self.tags[at..at + bytes.len()].fill(CONCRETE);
    }
    /// Stores one plain byte `len` times.
    pub fn fill_bytes(&mut self, at: usize, len: usize, byte: u8) {
        self.commit(at + len);
        self.data[at..at + len].fill(byte);
        self.tags[at..at + len].fill(CONCRETE);
    }
    /// Copies `len` bytes out, as they are.
    pub fn region(&self, at: usize, len: usize) -> Region {
        let mut region = Region::default();
        self.region_into(at, len, &mut region);
        region
    }
    /// The same into an existing buffer.
    pub fn region_into(&self, at: usize, len: usize, region: &mut Region) {
        region.data.clear();
        region.tags.clear();
        region.origins.clear();
        if at + len <= self.data.len() {
            region.data.extend_from_slice(&self.data[at..at + len]);
            region.tags.extend_from_slice(&self.tags[at..at + len]);
            if !self.origins.is_empty() {
                region.origins.extend_from_slice(&self.origins[at..at + len]);
            }
            return;
        }
        for i in at..at + len {
            let (byte, tag, object) = self.byte(i);
            region.data.push(byte);
            region.tags.push(tag);
            region.origins.push(object);
        }
    }
    /// Copies a region in, as it is.
    pub fn store_region(&mut self, at: usize, region: &Region) {
        let end = at + region.len();
        self.commit(end);
        self.data[at..end].copy_from_slice(&region.data);
        self.tags[at..end].copy_from_slice(&region.tags);
        if !region.origins.is_empty() {
            if self.origins.is_empty() {
                self.origins.resize(self.data.len(), Origin::NONE.object);
            }
            self.origins[at..end].copy_from_slice(&region.origins);
        } else if !self.origins.is_empty() {
            self.origins[at..end].fill(Origin::NONE.object);
        }
    }
}

fn addresses<'o>(tags: &'o [u8], origins: &'o [ObjectId]) -> impl Iterator<Item = ObjectId> + 'o {
    tags.iter().zip(origins).filter(|(tag, _)| (POINTER..PARTIAL).contains(*tag)).map(|(_, object)| *object)
}

/// The entry of a byte that is called `name`; no name is that of no object, as names are counted from 1.
fn name_of(name: u64) -> ObjectId {
    ObjectId { slot: name as u32, generation: (name >> 32) as u32 }
}

/// The name in an entry.
fn number_of(name: ObjectId) -> u64 {
    u64::from(name.generation) << 32 | u64::from(name.slot)
}

/// 1, 2, 4 or 8 bytes as a number.
#[inline]
fn small(bytes: &[u8]) -> Option<u64> {
    Some(match *bytes {
        [a] => u64::from(a),
        [a, b] => u64::from(u16::from_le_bytes([a, b])),
        [a, b, c, d] => u64::from(u32::from_le_bytes([a, b, c, d])),
        [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => return None,
    })
}

#[inline]
fn little_endian(bytes: &[u8]) -> u128 {
    match small(bytes) {
        Some(number) => number.into(),
        None => bytes.iter().rev().fold(0, |n, &b| (n << 8) | u128::from(b)),
    }
}

/// The bytes of the storage unit that a bit-field touches: first and behind the last.
pub fn bit_bytes(bits: BitRange) -> (usize, usize) {
    let end = usize::from(bits.offset) + usize::from(bits.width);
    (usize::from(bits.offset) / 8, end.div_ceil(8))
}

/// The bits of byte `i` of the unit that belong to the bit-field.
fn byte_mask(bits: BitRange, i: usize) -> u8 {
    let all = low_mask(bits.width) << bits.offset;
    (all >> (8 * i)) as u8
}

/// The `width` lowest bits.
fn low_mask(width: u8) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}
