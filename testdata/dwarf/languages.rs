#![crate_type = "lib"]
#![allow(dead_code)]
pub enum Shape {
    Empty,
    Circle(f64),
    Rect { w: u32, h: u32 },
    Named(String),
}
#[repr(u8)]
pub enum Color {
    Red = 1,
    Green = 5,
}
pub struct Pair<T>(pub T, pub u8);
pub struct Node<'a> {
    pub name: &'a str,
    next: Option<Box<Node<'a>>>,
    pub(crate) id: u64,
    flag: bool,
    data: [u16; 3],
    bytes: &'a [u8],
    cb: fn(u32) -> i8,
    obj: &'a dyn Fn(u8),
    raw: *const u32,
    mraw: *mut Node<'a>,
    tup: (u8, u32),
    c: char,
    unit: (),
}
pub union Bits {
    i: u32,
    f: f32,
}
pub enum Niche {
    A(bool),
    B,
    C,
}
pub mod inner {
    pub struct Deep {
        pub x: i128,
        pub y: Option<u32>,
        pub z: Result<u8, super::Color>,
    }
}
pub static TABLE: [u32; 4] = [1, 2, 3, 4];
#[no_mangle]
pub static mut COUNTER: Option<u32> = None;
#[no_mangle]
pub fn use_all(
    s: &Shape,
    c: Color,
    p: Pair<u32>,
    n: &mut Node,
    b: Bits,
    d: &inner::Deep,
    x: Niche,
) -> u64 {
    let v: Option<u32> = if n.flag { Some(3) } else { None };
    n.id + v.unwrap_or(0) as u64
        + c as u64
        + p.0 as u64
        + unsafe { b.i as u64 }
        + d.x as u64
        + match s {
            Shape::Circle(_) => 1,
            _ => TABLE[n.id as usize & 3] as u64,
        }
        + match x {
            Niche::A(q) => q as u64,
            _ => 2,
        }
}
