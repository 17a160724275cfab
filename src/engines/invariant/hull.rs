//! Linear inequalities over two numbers that all observed points satisfy: the edges of their convex hull.

use crate::domains::congruence::gcd;

/// `a * x + b * y <= c` with a common divisor of 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    pub a: i128,
    pub b: i128,
    pub c: i128,
}

/// Factors larger than this say nothing that a person would.
const STEEPEST: i128 = 8;
/// Points with larger numbers are not looked at.
const FARTHEST: i128 = 1 << 40;

/// The hull's edges that are neither level nor upright, as far as their factors are small; nothing where a point is far off.
pub fn edges(points: &[(i128, i128)]) -> Vec<Edge> {
    let mut points = points.to_vec();
    points.sort_unstable();
    points.dedup();
    if points.len() < 3 || points.iter().any(|(x, y)| x.abs() > FARTHEST || y.abs() > FARTHEST) {
        return Vec::new();
    }
    let mut all = chain(points.iter().copied());
    all.extend(chain(points.iter().rev().copied()));
    all.sort_unstable();
    all.dedup();
    all
}

/// The edges of one side of the hull, of points in the order of walking along it with the hull to the left.
fn chain(points: impl Iterator<Item = (i128, i128)>) -> Vec<Edge> {
    let mut side: Vec<(i128, i128)> = Vec::new();
    for point in points {
        while let [.., p, q] = side[..]
            && (q.0 - p.0) * (point.1 - p.1) - (q.1 - p.1) * (point.0 - p.0) <= 0
        {
            side.pop();
        }
        side.push(point);
    }
    side.windows(2).filter_map(|w| edge(w[0], w[1])).collect()
}

/// The half-plane to the left of the way from `p` to `q`.
fn edge(p: (i128, i128), q: (i128, i128)) -> Option<Edge> {
    let (a, b) = (q.1 - p.1, p.0 - q.0);
    let divisor = gcd(a, b);
    let (a, b) = (a / divisor.max(1), b / divisor.max(1));
    let small = a != 0 && b != 0 && a.abs() <= STEEPEST && b.abs() <= STEEPEST;
    small.then(|| Edge { a, b, c: a * p.0 + b * p.1 })
}

#[cfg(test)]
mod tests {
    use super::{Edge, edges};

    #[test]
    fn a_wedge_has_its_two_sides() {
        let points: Vec<(i128, i128)> = (0..6).flat_map(|x| (x..=2 * x).map(move |y| (x, y))).collect();
        // x <= y, y <= 2 x; the third side is upright.
        assert_eq!(edges(&points), [Edge { a: -2, b: 1, c: 0 }, Edge { a: 1, b: -1, c: 0 }]);
    }

    #[test]
    fn every_point_is_on_the_right_side() {
        let points: Vec<(i128, i128)> = (0..40).map(|n| ((n * 7) % 11 - 5, (n * n) % 13)).collect();
        for e in edges(&points) {
            assert!(points.iter().all(|(x, y)| e.a * x + e.b * y <= e.c), "{e:?}");
            assert!(points.iter().filter(|(x, y)| e.a * x + e.b * y == e.c).count() >= 2, "{e:?}");
        }
    }

    #[test]
    fn few_points_and_far_points_have_no_edges() {
        assert_eq!(edges(&[(0, 0), (1, 1)]), []);
        assert_eq!(edges(&[(0, 0), (1, 1), (1 << 50, 3)]), []);
    }
}
