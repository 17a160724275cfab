//! Boxes of small programs, each point of which must err; random programs among them.

mod joined;
mod paths;
mod random_programs;
mod run;
