import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TypeId, typeId } from '#model/ids.ts';
import { isComposite } from '#model/type-items.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  enum64,
  enumeration,
  float,
  func,
  funcProto,
  fwd,
  int,
  modifier,
  ptr,
  struct,
  type TypeRecord,
  typedef,
  union,
  variable,
} from '#testing/btf-types.ts';
import { layoutComplaints } from '#testing/declared-layouts.ts';
import { runs } from '#testing/runs.ts';
import { sampleModel } from '#testing/samples.ts';
import { tableOf } from '#testing/type-table.ts';
import { goDeclaration, rustDeclaration, zigDeclaration } from './languages.ts';

const members = (
  ...list: (readonly [name: string, type: number, bitOffset: number, bits?: number])[]
) =>
  list.map(([name, type, bitOffset, bitfieldSize]) =>
    bitfieldSize === undefined
      ? { name, type, bitOffset }
      : { name, type, bitOffset, bitfieldSize },
  );

/** Returns the declarations of the last type in Rust, Zig and Go. */
function declared(...types: TypeRecord[]) {
  const t = tableOf(btfBlob({ types }).bytes);
  const id = typeId(types.length);
  if (isComposite(kindOf(t, id))) expect(layoutComplaints(t, id, false)).toEqual([]);
  return { zig: zigDeclaration(t, id), rust: rustDeclaration(t, id), go: goDeclaration(t, id) };
}

const u32 = int('unsigned int', 4);

it('declares contained types first, and pointed-to types as opaque', () => {
  const { zig, rust, go } = declared(
    int('long', 8, { encoding: 1 }),
    fwd('far'),
    ptr(2),
    struct('near', 8, members(['next', 6, 0])),
    struct('s', 24, members(['near', 4, 0], ['far', 3, 64], ['count', 1, 128])),
    ptr(4),
    typedef('s_t', 5),
  );
  expect(zig).toBe(`/// struct far
pub const far = opaque {};

/// struct near, 8 bytes
pub const near = extern struct {
    next: ?*near, // 0: struct near *
};

/// struct s, 24 bytes
pub const s = extern struct {
    near: near, // 0: struct near
    far: ?*far, // 8: struct far *
    count: i64, // 16: long
};

/// s_t
pub const s_t = s;
`);
  expect(rust).toContain(`#[repr(C)]
pub struct far {
    _opaque: [u8; 0],
}
`);
  expect(rust).toContain(`#[repr(C)]
#[derive(Clone, Copy)]
pub struct s {
    pub near: near, // 0: struct near
    pub far: *mut far, // 8: struct far *
    pub count: i64, // 16: long
}

/// s_t
pub type s_t = s;
`);
  expect(go).toBe(`// struct near, 8 bytes
type Near struct {
	Next uint64 // 0: struct near *
}

// struct s, 24 bytes
type S struct {
	Near Near // 0: struct near
	Far uint64 // 8: struct far *
	Count int64 // 16: long
}

// s_t
type S_t = S
`);
});

it('stores bit-fields in a unit and lists them', () => {
  const fields = members(['a', 1, 0, 3], ['b', 1, 3, 17], ['c', 2, 64, 0], ['d', 1, 72, 7]);
  const { zig, rust, go } = declared(u32, int('u8', 1), struct('s', 12, fields));
  expect(zig).toContain(`    _bits0: u32, // 0: bit-fields
    //   a: unsigned int, bits 0-2
    //   b: unsigned int, bits 3-19
    _pad0: [4]u8, // 4
    c: u8, // 8: u8
    _bits1: u8, // 9: bit-fields
    //   d: unsigned int, bits 0-6
    _pad1: [2]u8, // 10
`);
  expect(rust).toContain('    pub _bits0: u32, // 0: bit-fields\n');
  expect(go).toContain('\tX_bits0 uint32 // 0: bit-fields\n');
  expect(go).toContain('\t_ [4]byte // 4\n');
});

it('packs no more than the offsets require', () => {
  const fields = members(['a', 1, 0], ['b', 2, 32]);
  const { zig, rust, go } = declared(u32, int('u64', 8), struct('s', 12, fields));
  expect(zig).toContain('    b: u64 align(4), // 4: u64\n');
  expect(rust).toContain('#[repr(C, packed(4))]\n');
  expect(go).toContain('\tB [8]byte // 4: u64\n');
  const { rust: tight } = declared(
    u32,
    int('u8', 1),
    struct('s', 5, members(['a', 2, 0], ['b', 1, 8])),
  );
  expect(tight).toContain('#[repr(C, packed(1))]\n');
});

it('places a struct inside a packed one', () => {
  const inner = struct('inner', 8, members(['x', 2, 0]));
  const { zig, go } = declared(
    int('u8', 1),
    int('u64', 8),
    inner,
    struct('outer', 9, members(['a', 1, 0], ['i', 3, 8])),
  );
  expect(zig).toContain('    i: inner align(1), // 1: struct inner\n');
  expect(go).toContain('\tI [8]byte // 1: struct inner\n');
});

it('overlaps the members of a union, in Go by bytes', () => {
  const { zig, rust, go } = declared(
    u32,
    int('u8', 1),
    array(2, 1, 5),
    union('u', 8, members(['n', 1, 0], ['b', 3, 0])),
  );
  expect(zig).toContain(`pub const u = extern union {
    n: u32, // 0: unsigned int
    b: [5]u8, // 0: u8 [5]
    _pad0: [8]u8, // 0
};
`);
  expect(rust).toContain('pub union u {\n    pub n: u32,');
  expect(go).toContain(`type U struct {
	_ [0]uint32 // for the alignment
	Data [8]byte // one of these:
	//   N: *(*uint32)(unsafe.Pointer(&u.Data)), 0: unsigned int
	//   B: *(*[5]uint8)(unsafe.Pointer(&u.Data)), 0: u8 [5]
}
`);
});

it('includes a flexible array if the language can', () => {
  const { zig, rust, go } = declared(
    u32,
    array(1, 1, 0),
    struct('s', 4, members(['len', 1, 0], ['data', 2, 32])),
  );
  expect(zig).toContain('    data: [0]u32, // 4: unsigned int [0]\n');
  expect(rust).toContain('    pub data: [u32; 0], // 4: unsigned int [0]\n');
  expect(go).toContain('\t// Data [0]uint32 // 4: unsigned int [0]\n');
});

it('names anonymous members and types', () => {
  const { zig } = declared(
    u32,
    union('', 4, members(['a', 1, 0])),
    struct('', 4, members(['b', 1, 0])),
    typedef('wrapped', 3),
    struct('s', 16, members(['', 2, 0], ['named', 2, 32], ['w', 4, 64], ['', 3, 96])),
  );
  expect(zig).toContain('pub const s_anon0 = extern union {');
  expect(zig).toContain('    anon0: s_anon0, // 0: union {…}\n');
  expect(zig).toContain('    named: s_anon0, // 4: union {…}\n');
  expect(zig).toContain('pub const wrapped = extern struct {');
  expect(zig).toContain('    anon1: wrapped, // 12: struct {…}\n');
});

it('writes non-exhaustive enums', () => {
  const values = [
    ['A', 0],
    ['B', 5],
    ['C', 5],
  ] as const;
  const { zig, rust, go } = declared(enumeration('e', values));
  expect(zig).toBe(`/// enum e, 4 bytes
pub const e = enum(u32) {
    A = 0,
    B = 5,
    _,

    pub const C: e = @enumFromInt(5);
};
`);
  expect(rust).toBe(`/// enum e, 4 bytes
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct e(pub u32);

impl e {
    pub const A: Self = Self(0);
    pub const B: Self = Self(5);
    pub const C: Self = Self(5);
}
`);
  expect(go).toBe(`// enum e, 4 bytes
type E uint32

const (
	A E = 0
	B E = 5
	C E = 5
)
`);
  const wide = declared(enum64('w', [['MIN', -(1n << 63n)]], { signed: true }));
  expect(wide.zig).toContain('enum(i64) {\n    MIN = -9223372036854775808,');
  // The value does not fit into the enum's size in the file.
  expect(declared(enumeration('n', [['A', 256]], { size: 1 })).rust).toContain('A: Self = Self(0)');
});

it('makes identifiers of any text', () => {
  const odd = [
    'type',
    'fn',
    'self',
    'u32',
    'a b',
    'a.b',
    '"\\',
    '_',
    '_x',
    '9',
    'é\u202e',
    '_pad0',
  ];
  const { zig, rust, go } = declared(
    u32,
    struct(
      'struct',
      4 * odd.length + 4,
      members(...odd.map((name, i) => [name, 1, 32 * i] as const)),
    ),
  );
  const names = (text: string, pattern: RegExp) =>
    [...text.matchAll(pattern)].map((match) => match[1]).join(' ');
  expect(names(zig, /^ {4}(.*): (?:u32|\[)/gm)).toBe(
    '@"type" @"fn" self @"u32" @"a b" @"a.b" @"\\"\\\\" @"_" _x @"9" @"\\u{e9}\\u{202e}" _pad0 _pad0_2',
  );
  expect(names(rust, /^ {4}(?:pub )?(.*): (?:u32|\[)/gm)).toBe(
    'r#type r#fn self_ u32_ a_b a_b_2 __ __2 _x _9 ___3 _pad0 _pad0_2',
  );
  expect(names(go, /^\t(\w+) uint32/gm)).toBe(
    'Type Fn Self U32 A_b A_b_2 X__ X_ X_x X_9 X___2 X_pad0',
  );
  expect(zig).toContain('pub const @"struct" = extern struct {');
  expect(rust).toContain('pub struct r#struct {');
});

it('declares pointers of 4 bytes as numbers', () => {
  const { zig, rust, go } = declared(
    int('long', 4, { encoding: 1 }),
    ptr(1),
    struct('s', 8, members(['p', 2, 0], ['n', 1, 32])),
  );
  expect(zig).toContain('    p: u32, // 0: long *\n');
  expect(rust).toContain('    pub p: u32, // 0: long *\n');
  expect(go).toContain('\tP uint32 // 0: long *\n');
});

it('declares other kinds as aliases and variables', () => {
  const long = int('long', 8, { encoding: 1 });
  expect(declared(long).zig).toBe('/// long\npub const long = i64;\n');
  expect(declared(long, modifier('const', 1), ptr(2)).rust).toContain('type3 = *const i64;');
  expect(declared(long, ptr(0)).zig).toContain('?*anyopaque;');
  expect(declared(long, array(1, 1, 3), array(2, 1, 4)).rust).toContain('= [[i64; 3]; 4];');
  expect(declared(float('double', 8)).go).toContain('= float64\n');
  expect(declared(int('__int128', 16)).zig).toContain('= [2]u64;');
  expect(declared(int('odd', 3)).go).toContain('= [3]byte\n');
  expect(declared(int('_Bool', 1, { encoding: 4 })).zig).toContain('= bool;');
  expect(declared(long, variable('v', 1)).rust).toContain('pub static mut v: i64;');
  expect(declared(fwd('later')).go).toBe('// struct later\ntype Later struct{}\n');
  expect(declared(funcProto(0), func('f', 1)).rust).toBe('// FUNC f(): no data to declare\n');
  expect(zigDeclaration(tableOf(btfBlob().bytes), typeId(0))).toContain('void');
  expect(zigDeclaration(tableOf(btfBlob().bytes), typeId(7))).toBe('// there is no type 7\n');
});

it('reports overlapping members', () => {
  const fields = members(['a', 1, 0], ['b', 1, 16], ['c', 1, 64], ['d', 3, 32]);
  const { zig } = declared(u32, fwd('f'), typedef('f_t', 2), struct('s', 8, fields));
  expect(zig).toContain('// no place for unsigned int b at bit 16\n');
  expect(zig).toContain('// no place for unsigned int c at bit 64\n');
});

describe('hostile files', () => {
  it('terminate on recursive structs, 10,000 levels, and names of a megabyte', () => {
    declared(struct('s', 8, members(['s', 1, 0])));
    const deep = Array.from({ length: 10_000 }, (_, i) => struct('', 4, members(['', i, 0])));
    expect(declared(u32, ...deep.slice(1)).go.length).toBeGreaterThan(100_000);
    const pointers = Array.from({ length: 10_000 }, (_, i) => ptr(i + 2));
    const t = tableOf(btfBlob({ types: [...pointers, u32] }).bytes);
    expect(zigDeclaration(t, typeId(1)).length).toBeLessThan(1000);
    declared(u32, struct('long'.repeat(1 << 18), 4, members(['long'.repeat(1 << 18), 1, 0])));
  }, 30_000);

  const anyId = fc.nat(9);
  const anyName = fc.constantFrom('', 'a', 'b', 'type', '_pad0', '\n}');
  const anyMembers = fc.array(
    fc.record({
      name: anyName,
      type: anyId,
      bitOffset: fc.oneof(
        fc.nat(40),
        fc.nat(20).map((n) => 8 * n),
      ),
      bitfieldSize: fc.constantFrom(0, 0, 1, 5, 40),
    }),
    { maxLength: 6 },
  );
  const anyType = fc.oneof(
    fc.tuple(anyName, fc.constantFrom(1, 2, 3, 4, 8, 16)).map(([name, size]) => int(name, size)),
    fc
      .tuple(anyName, fc.constantFrom(1, 4, 8))
      .map(([n, size]) => enumeration(n, [['A', 1]], { size })),
    anyId.map(ptr),
    anyId.map((id) => modifier('const', id)),
    fc.tuple(anyId, fc.constantFrom(0, 1, 3, 0xffffffff)).map(([id, n]) => array(id, 1, n)),
    fc.tuple(anyName, anyId).map(([name, id]) => typedef(name, id)),
    anyName.map((name) => fwd(name)),
    fc.tuple(anyName, fc.nat(24), anyMembers).map(([name, size, list]) => struct(name, size, list)),
    fc.tuple(anyName, fc.nat(24), anyMembers).map(([name, size, list]) => union(name, size, list)),
  );

  it('have the size of BTF, and no misplaced member', () => {
    fc.assert(
      fc.property(fc.array(anyType, { minLength: 1, maxLength: 9 }), (types) => {
        const t = tableOf(btfBlob({ types }).bytes);
        for (const [i] of types.entries()) {
          const id = typeId(i + 1);
          if (isComposite(kindOf(t, id))) expect(layoutComplaints(t, id, false)).toEqual([]);
          else for (const f of [zigDeclaration, rustDeclaration, goDeclaration]) f(t, id);
        }
      }),
      { numRuns: runs(500) },
    );
  }, 30_000);
});

function composites(t: TypeTable): TypeId[] {
  const ids: TypeId[] = [];
  for (let i = 0; i < t.count; i++) {
    const id = typeId(t.firstId + i);
    if (isComposite(kindOf(t, id))) ids.push(id);
  }
  return ids;
}

it.each([
  'kernel.btf',
  'bitfields.bpf.o',
  'kinds.bpf.o',
  'layout.bpf.o',
  'layout.be.bpf.o',
  'exec_trace.bpf.o',
])('lays out all structs of %s as BTF has them', async (sample) => {
  const { types } = await sampleModel(sample);
  if (types === null) throw new Error(`${sample} has no types`);
  const ids = composites(types);
  expect(ids.length).toBeGreaterThan(0);
  expect(ids.flatMap((id) => layoutComplaints(types, id, true))).toEqual([]);
});
