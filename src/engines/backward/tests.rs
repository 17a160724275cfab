//! Boxes of small programs, each point of which must err; random programs among them.

mod generate;
mod joined;
mod library;
mod paths;
mod random_programs;
mod run;
mod tally;
