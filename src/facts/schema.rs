//! Generated from `facts/*.dl`: [`column`], [`row`], [`FactStore`], [`catalog`] and [`types`].
include!(concat!(env!("OUT_DIR"), "/schema.rs"));
