//! SHA-256, by which witnesses name the files that they speak of.
//!
//! See: National Institute of Standards and Technology, FIPS 180-4, "Secure Hash Standard", Sect. 4 to 6.

/// First 32 bits of the fractional parts of the `root`-th roots of the first `N` primes.
fn constants<const N: usize>(root: u32) -> [u32; N] {
    let mut found = [0; N];
    let primes = (2u64..).filter(|n| (2..*n).take_while(|d| d * d <= *n).all(|d| n % d != 0));
    for (slot, prime) in found.iter_mut().zip(primes) {
        // The greatest x with x^root <= prime * 2^(32 root), whose low bits are the fraction.
        let power = |x: u128| if root == 2 { Some(x * x) } else { (x * x).checked_mul(x) };
        let target = u128::from(prime) << (32 * root);
        let (mut low, mut high) = (0u128, 1 << 40);
        while high - low > 1 {
            let middle = low.midpoint(high);
            if power(middle).is_some_and(|p| p <= target) { low = middle } else { high = middle }
        }
        *slot = low as u32;
    }
    found
}

/// The digest of `bytes` in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    let round: [u32; 64] = constants(3);
    let mut hash: [u32; 8] = constants(2);
    let mut message = bytes.to_vec();
    message.push(0x80);
    message.resize((message.len() + 8).div_ceil(64) * 64 - 8, 0);
    message.extend((bytes.len() as u64 * 8).to_be_bytes());
    for chunk in message.chunks_exact(64) {
        let mut w = [0u32; 64];
        for (slot, word) in w.iter_mut().zip(chunk.chunks_exact(4)) {
            *slot = u32::from_be_bytes([word[0], word[1], word[2], word[3]]);
        }
        for t in 16..64 {
            let s0 = w[t - 15].rotate_right(7) ^ w[t - 15].rotate_right(18) ^ (w[t - 15] >> 3);
            let s1 = w[t - 2].rotate_right(17) ^ w[t - 2].rotate_right(19) ^ (w[t - 2] >> 10);
            w[t] = w[t - 16].wrapping_add(s0).wrapping_add(w[t - 7]).wrapping_add(s1);
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = hash;
        for t in 0..64 {
            let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let choice = (e & f) ^ (!e & g);
            let first = h.wrapping_add(s1).wrapping_add(choice).wrapping_add(round[t]).wrapping_add(w[t]);
            let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let second = s0.wrapping_add((a & b) ^ (a & c) ^ (b & c));
            (h, g, f, e) = (g, f, e, d.wrapping_add(first));
            (d, c, b, a) = (c, b, a, first.wrapping_add(second));
        }
        for (slot, word) in hash.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *slot = slot.wrapping_add(word);
        }
    }
    hash.iter().map(|w| format!("{w:08x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::sha256;

    #[test]
    fn the_standards_examples() {
        assert_eq!(sha256(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        let long = [b'a'; 200];
        assert_eq!(sha256(&long[..64]), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
    }
}
