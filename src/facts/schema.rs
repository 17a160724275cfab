//! Generated from `facts/*.dl`: [`column`](mod@column), [`row`], [`FactStore`], [`catalog`] and [`types`].
include!(concat!(env!("OUT_DIR"), "/schema.rs"));
