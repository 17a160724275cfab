//! The `facts` room.
