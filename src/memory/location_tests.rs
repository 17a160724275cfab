use super::*;
use proptest::prelude::*;

fn at(offset: i64, stride: i64) -> Location {
    Location { base: Base::Outside, offset, stride }
}

#[test]
fn different_objects_never_overlap() {
    let other = Location { base: Base::Arguments, ..at(0, 1) };
    assert!(!at(0, 1).overlaps(None, other, None));
}

#[test]
fn neighbouring_fields_do_not_overlap() {
    assert!(!at(0, 0).overlaps(Some(4), at(4, 0), Some(4)));
    assert!(at(0, 0).overlaps(Some(5), at(4, 0), Some(4)));
}

#[test]
fn fields_of_array_elements_do_not_overlap_other_fields() {
    assert!(!at(0, 16).overlaps(Some(8), at(8, 16), Some(8)));
    assert!(at(0, 16).overlaps(Some(8), at(8, 12), Some(8)));
}

proptest! {
    #[test]
    fn overlap_agrees_with_enumeration(
        a in 0i64..12, m in 0i64..7, b in 0i64..12, n in 0i64..7, s in 0u64..5, t in 0u64..5,
    ) {
        let starts = |offset: i64, stride: i64| -> Vec<i64> {
            if stride == 0 { vec![offset] } else { (-90..90).map(|k| offset + k * stride).collect() }
        };
        let common = starts(a, m).iter().any(|x| {
            starts(b, n).iter().any(|y| (*x..x + s as i64).any(|byte| (*y..y + t as i64).contains(&byte)))
        });
        prop_assert_eq!(at(a, m).overlaps(Some(s), at(b, n), Some(t)), common);
    }
}
