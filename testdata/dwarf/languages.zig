const Color = enum(u8) { red = 1, green = 5 };
const Point = struct { x: i32, y: ?*const Point, name: []const u8, flag: bool, opt: ?u32, grid: [2][3]u16 };
const Packed = packed struct { a: u3, b: u5, c: u8 };
const Shape = union(enum) { empty: void, circle: f64, rect: Point };
const Raw = extern union { i: u32, f: f32 };
const Wire = extern struct { a: u16, b: [4]u8, call: *const fn (u32) callconv(.C) i8 };
var point: Point = .{ .x = 1, .y = null, .name = "a", .flag = true, .opt = 3, .grid = undefined };
fn fail(a: u32) error{Bad}!u32 {
    if (a == 3) return error.Bad;
    return a;
}
export fn use(p: *Packed, w: *Wire, r: *Raw, s: *anyopaque, c: u8) u32 {
    const shape: *Shape = @ptrCast(@alignCast(s));
    const color: Color = @enumFromInt(c);
    const v = fail(w.a) catch 0;
    if (v == 7) point.x = 3;
    return p.c + r.i + v + @intFromEnum(color) + switch (shape.*) {
        .rect => |q| @as(u32, @intCast(q.x)),
        else => 2,
    };
}
