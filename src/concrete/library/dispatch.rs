//! From a library statement to the function that does it.

use crate::concrete::execute::Observer;
use crate::concrete::machine::{Argument, Machine, Step};
use crate::concrete::memory::Pointee;
use crate::concrete::value::Value;
use crate::ir::{Expr, LibFn, Place, Type, TypeId};

impl<'p> Machine<'p> {
    /// Runs `dest = function(args)`.
    pub(in crate::concrete) fn library<O: Observer>(
        &mut self,
        function: LibFn,
        dest: Option<&'p Place>,
        args: &'p [Expr],
        observer: &mut O,
    ) -> Step<()> {
        let mut arguments = Vec::with_capacity(args.len());
        for arg in args {
            arguments.push(self.argument(arg, None)?);
        }
        let resolved = match dest {
            Some(place) => Some(self.resolve_place(place)?),
            None => None,
        };
        let result_ty = dest.map(|d| d.ty);
        let result = self.apply(function, &arguments, result_ty, observer)?;
        if let Some(dest) = resolved {
            let Some(value) = result else { return self.undecided(format!("the result of {function:?}")) };
            let scalar = self.prepared.scalar(dest.ty);
            let value = match value {
                Value::Int(v, origin) if scalar.is_integral() => Value::Int(scalar.wrap(v), origin),
                Value::Int(..) => self.cast(value, scalar, scalar)?,
                other => other,
            };
            self.store(dest, value)?;
        }
        Ok(())
    }

    fn apply<O: Observer>(
        &mut self,
        function: LibFn,
        arguments: &[Argument],
        result_ty: Option<TypeId>,
        observer: &mut O,
    ) -> Step<Option<Value>> {
        use LibFn::*;
        let arg = |i: usize| match arguments.get(i) {
            Some(Argument::Scalar(value, _)) => *value,
            _ => Value::Undef,
        };
        let length = |machine: &mut Self, i: usize| u64::try_from(machine.observe(arg(i))).unwrap_or(u64::MAX);
        Ok(Some(match function {
            MemCopy => {
                let len = length(self, 2);
                self.mem_copy(arg(0), arg(1), len)?;
                return Ok(None);
            }
            MemSet | WMemSet => {
                let count = length(self, 2);
                self.mem_set(arg(0), arg(1), if function == MemSet { 1 } else { 4 }, count)?;
                return Ok(None);
            }
            LeaveOpen | Unsettle => {
                let len = length(self, 1);
                self.leave_open(arg(0), len, function == LeaveOpen)?;
                return Ok(None);
            }
            MemCmp(size) => {
                let len = length(self, 2);
                Value::sign(self.compare_text((arg(0), arg(1)), size, len, false, false)?)
            }
            StrCmp(size) => Value::sign(self.compare_text((arg(0), arg(1)), size, u64::MAX, true, false)?),
            StrNCmp(size) => {
                let len = length(self, 2);
                Value::sign(self.compare_text((arg(0), arg(1)), size, len, true, false)?)
            }
            StrCompared(_) | StrCaseCompared => {
                let max = if arguments.len() > 2 { length(self, 2) } else { u64::MAX };
                let (size, fold) = if let StrCompared(size) = function { (size, false) } else { (1, true) };
                Value::int(i128::from(self.compared_characters((arg(0), arg(1)), size, max, fold)?))
            }
            StrCaseCmp => Value::sign(self.compare_text((arg(0), arg(1)), 1, u64::MAX, true, true)?),
            StrNCaseCmp => {
                let len = length(self, 2);
                Value::sign(self.compare_text((arg(0), arg(1)), 1, len, true, true)?)
            }
            MemChr(size) => {
                let (wanted, len) = (self.observe(arg(1)), length(self, 2));
                self.find_char(arg(0), size, wanted, len, false)?
            }
            MemSearched(size) => {
                let (wanted, len) = (self.observe(arg(1)), length(self, 2));
                Value::int(i128::from(self.searched_characters(arg(0), size, wanted, len)?))
            }
            StrChr(size) => {
                let wanted = self.observe(arg(1));
                self.find_char(arg(0), size, wanted, u64::MAX, true)?
            }
            StrRChr(size) => {
                let wanted = self.observe(arg(1));
                self.find_last_char(arg(0), size, wanted)?
            }
            StrLen(size) => {
                let text = self.text(arg(0), size)?;
                Value::int(i128::from(self.string_length(text, u64::MAX)?))
            }
            StrNLen(size) => match length(self, 1) {
                0 => Value::int(0),
                max => {
                    let text = self.text(arg(0), size)?;
                    Value::int(i128::from(self.string_length(text, max)?))
                }
            },
            StrStr(size) => self.find_string(arg(0), arg(1), size)?,
            StrSpn(size) => Value::int(i128::from(self.span_of(arg(0), arg(1), size, true)?)),
            StrCSpn(size) => Value::int(i128::from(self.span_of(arg(0), arg(1), size, false)?)),
            StrPBrk(size) => {
                let n = self.span_of(arg(0), arg(1), size, false)?;
                let text = self.text(arg(0), size)?;
                if self.char_at(text, n)? == 0 { Value::int(0) } else { self.char_pointer(text, n)? }
            }
            Atoi => self.atoi(arg(0), result_ty)?,
            StrToInt | StrToIntEnd => {
                let base = self.observe(arg(1));
                self.string_to_int(arg(0), base, function == StrToIntEnd, result_ty)?
            }
            StrToFloat | StrToFloatEnd => self.string_to_float(arg(0), function == StrToFloatEnd, result_ty)?,
            ToUpper | ToLower => {
                let c = self.observe(arg(0));
                Value::int(super::numbers::classify(function, c))
            }
            IsAlpha | IsDigit | IsAlnum | IsSpace | IsUpper | IsLower | IsPunct | IsPrint | IsGraph | IsCntrl
            | IsXDigit | IsBlank => {
                let c = self.observe(arg(0));
                Value::truth(super::numbers::classify(function, c))
            }
            Abs => Value::int(self.observe(arg(0)).wrapping_abs()),
            FormatLength(size) => {
                let text = self.format(arg(0), size, &arguments[1.min(arguments.len())..])?;
                Value::int(text.len() as i128)
            }
            FormatWrite(size) => {
                let count = length(self, 1);
                let text = self.format(arg(2), size, &arguments[3.min(arguments.len())..])?;
                self.write_formatted(arg(0), count, size, &text)?;
                return Ok(None);
            }
            Print(size) => {
                let text = self.format(arg(1), size, &arguments[2.min(arguments.len())..])?;
                let stream = self.observe(arg(0));
                self.print(stream, &text, size)?;
                return Ok(None);
            }
            PutString(size) => {
                let text = self.string(arg(1), size, u64::MAX)?;
                let stream = self.observe(arg(0));
                self.print(stream, &text, size)?;
                return Ok(None);
            }
            PutChar => {
                let c = self.observe(arg(1)) as u8;
                let stream = self.observe(arg(0));
                self.print(stream, &[u32::from(c)], 1)?;
                return Ok(None);
            }
            PopCount | Clz | Ctz | Ffs | Parity => {
                let bits = self.argument_bits(arguments);
                let x = self.observe(arg(0));
                // Of 0 the compilers leave it open.
                self.flags.indeterminate |= x == 0 && matches!(function, Clz | Ctz);
                Value::int(super::numbers::count_bits(function, x, bits))
            }
            ByteSwap => {
                let bits = result_ty.map_or(0, |ty| self.scalar(ty).bits());
                let x = self.observe(arg(0)) as u128;
                if bits == 0 { Value::int(0) } else { Value::int((x.swap_bytes() >> (128 - bits)) as i128) }
            }
            OverflowResult | OverflowFlag => {
                let target = match (function, arguments.get(3), result_ty) {
                    (OverflowFlag, Some(Argument::Scalar(_, ty)), _) => *ty,
                    (OverflowResult, _, Some(ty)) => ty,
                    _ => return self.undecided("checked arithmetic without a type"),
                };
                self.checked_arithmetic(arguments, target, function == OverflowFlag)?
            }
            ObjectSize => match self.pointee(arg(0)) {
                Pointee::Object { slot, offset } => {
                    let left = i128::from(self.memory.object(slot).size) - offset;
                    Value::int(left.max(0))
                }
                _ => Value::int(-1),
            },
            Sort => {
                let (count, size) = (length(self, 1), length(self, 2));
                self.sort(arg(0), count, size, arg(3), observer)?;
                return Ok(None);
            }
            Sqrt | Fabs | Floor | Ceil | Round | Trunc | Fmod | Pow | Exp | Exp2 | Exp10 | Expm1 | Log | Log10
            | Log2 | Log1p | Sin | Cos | Tan | Asin | Acos | Atan | Atan2 | Sinh | Cosh | Tanh | Cbrt | Hypot
            | Fmin | Fmax | Copysign | Fdim | Remainder | Rint | ModfWhole | ModfRest | FrexpFraction | Exponent
            | NextAfter | Fma | Scale | RoundToInt | RintToInt | IntExponent | FrexpExponent | IsNan | IsInf
            | IsFinite | IsNormal | SignBit => self.mathematics(function, arguments, result_ty)?,
        }))
    }

    /// Width in bits of the first argument's type.
    fn argument_bits(&self, arguments: &[Argument]) -> u32 {
        match arguments.first() {
            Some(Argument::Scalar(_, ty)) => self.scalar(*ty).bits(),
            _ => 32,
        }
    }

    /// Writes to a stream: 1 is kept, others go nowhere.
    fn print(&mut self, stream: i128, text: &[u32], char_size: u8) -> Step<()> {
        if stream != 1 {
            return Ok(());
        }
        if self.output.len() + text.len() > self.output_limit {
            return self.out_of(crate::concrete::outcome::Fuel::Output);
        }
        for &c in text {
            if char_size != 1 && c > 127 {
                return self.undecided("a wide character outside ASCII written to a stream");
            }
            self.output.push(c as u8);
        }
        Ok(())
    }

    /// Writes at most `count` characters of `text`, the terminator included.
    fn write_formatted(&mut self, dst: Value, count: u64, char_size: u8, text: &[u32]) -> Step<()> {
        if count == 0 {
            return Ok(());
        }
        let kept = (text.len() as u64).min(count - 1) as usize;
        let unit = usize::from(char_size);
        let (slot, at) = self.writable(dst, ((kept + 1) * unit) as u64)?;
        let object = &mut self.memory.objects[slot as usize];
        for (i, &c) in text[..kept].iter().chain(std::iter::once(&0)).enumerate() {
            object.store(at + i * unit, unit, u128::from(c), crate::concrete::value::Origin::NONE);
        }
        Ok(())
    }

    /// Whether a type is an integer type, and which.
    pub(super) fn int_kind(&self, ty: TypeId) -> Option<crate::ir::IntKind> {
        match self.program.types.get(ty) {
            Type::Int(k) => Some(*k),
            _ => None,
        }
    }
}
