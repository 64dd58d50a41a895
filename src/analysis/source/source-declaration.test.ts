/** Tests of declarations in the language of a unit, on testdata/dwarf/languages.* and hostile types. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BtfKind } from '#formats/btf/kinds.ts';
import { DW_LANG } from '#formats/dwarf/constants.ts';
import type { ClassParts } from '#model/class-parts.ts';
import { type DwarfPlaces, type DwarfSource, ITEM_FLAGS } from '#model/dwarf.ts';
import { typeId } from '#model/ids.ts';
import { kindOf, lastId, nameOf, vlenOf } from '#model/type-table.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  enumeration,
  funcProto,
  int,
  ptr,
  struct,
  type TypeRecord,
  union,
} from '#testing/btf-types.ts';
import { openModel } from '#testing/open-model.ts';
import { type SourceDeclaration, sourceDeclaration } from './source-declaration.ts';
import { sourcedTypes } from './source-types.ts';
import { typeText } from './type-text.ts';

const DWARF = `${import.meta.dirname}/../../../testdata/dwarf`;

/** Opens a file. Returns a function that finds the declaration of a named type, or null. */
async function open(file: string) {
  const bytes = new Uint8Array(readFileSync(`${DWARF}/${file}`));
  const s = sourcedTypes(await openModel(file, bytes));
  if (s === null) throw new Error('no types');
  const { types: t } = s;
  return (name: string, kind?: number): SourceDeclaration | null => {
    for (let id = t.firstId; id <= lastId(t); id++) {
      const isKind = kind === undefined || kindOf(t, typeId(id)) === kind;
      if (isKind && nameOf(t, typeId(id)) === name) return sourceDeclaration(s, typeId(id));
    }
    throw new Error(`no type ${name}`);
  };
}

describe.each(['clang', 'gcc'])('C++ by %s', (compiler) => {
  const file = `languages.${compiler}.o`;

  it('has classes with bases, access, references and bit-fields', async () => {
    const of = await open(file);
    expect(of('ns::derived')).toEqual({
      language: 'C++',
      text: `class ns::derived : public base, protected other {
public:
	static int count;
	int &r;
	int &&rv;
	int z;
${compiler === 'gcc' ? '\tderived(int &);\n' : ''}private:
	int hidden;
	unsigned int bits : 3;
${compiler === 'clang' ? 'public:\n\tderived(int &);\n' : ''}};`,
    });
    expect(of('last')?.text).toMatch(/^struct last : ns::derived \{\n\tns::plain p;\n\};$/);
  });

  it('has virtual bases and pointers to virtual functions', async () => {
    const of = await open(file);
    const vptr = compiler === 'gcc' ? '_vptr.left' : '_vptr$left';
    expect(of('ns::left')?.text).toBe(
      `struct ns::left : virtual shared {\n\t/* pointer to virtual functions: ${vptr} */\n\tint l;\n};`,
    );
    expect(of('ns::diamond')?.text).toMatch(/^struct ns::diamond : ns::left, ns::right \{/);
  });

  it('has pointers to members, functions, arrays and qualifiers', async () => {
    const of = await open(file);
    const text = of('ns::members')?.text;
    expect(text).toContain('\tint base::*data;\n\tint (base::*method)(int);\n');
    expect(text).toContain('\tint (*call)(const char *, ...);\n\tns::number n;\n');
    expect(text).toMatch(
      /\t(const volatile|volatile const) int \*const cv;\n\tint grid\[2\]\[3\];\n/,
    );
    expect(of('ns::box<ns::color, 3>')?.text).toBe(
      'struct ns::box<ns::color, 3> {\n\tns::color value[3];\n\tconst ns::color *first;\n};',
    );
  });

  it('has enumerations with their type, and anonymous parts', async () => {
    const of = await open(file);
    expect(of('ns::color')?.text).toBe(
      'enum class ns::color : signed char {\n\tred = -1,\n\tblue = 2,\n};',
    );
    expect(of('ns::plain')?.text).toMatch(/^enum ns::plain : unsigned int \{/);
    expect(of('ns::(anonymous namespace)::secret')?.text).toContain(
      '\tchar c;\n\tstruct {\n\t\tint in;\n\t};\n\tunion {\n\t\tint a;\n\t\tfloat b;\n\t} u;\n};',
    );
  });

  it('has functions, methods and variables', async () => {
    const of = await open(file);
    expect(of('read', BtfKind.FUNC)?.text).toBe('int read(ns::derived *d, last &l);');
    expect(of('base_read')?.text).toBe('int base_read(const base &b, int (&arr)[4]);');
    expect(of('base::f')?.text).toBe('int base::f(int v);');
    expect(of('ns::table')?.text).toBe('int ns::table[3][4];');
  });
});

it('has constructors of C++ without a result', async () => {
  const of = await open('languages.clang.o');
  expect(of('ns::derived::derived')?.text).toBe('ns::derived::derived(int &q);');
});

describe('Rust', () => {
  it('has enums with data and discriminants', async () => {
    const of = await open('languages.rust.o');
    expect(
      of('languages::Shape')?.text,
    ).toBe(`enum languages::Shape { // discriminant: u64 at byte 0
    Empty, // 0x8000000000000000
    Circle(f64), // 0x8000000000000001
    Rect { w: u32, h: u32 }, // 0x8000000000000002
    Named(alloc::string::String), // otherwise
}`);
    expect(of('core::option::Option<u32>')?.text).toBe(
      'enum core::option::Option<u32> { // discriminant: u32 at byte 0\n    None, // 0\n    Some(u32), // 1\n}',
    );
    expect(of('languages::Color')?.text).toBe(
      'enum languages::Color { // u8\n    Red = 1,\n    Green = 5,\n}',
    );
  });

  it('has structs in the order of the source, tuples and unions', async () => {
    const of = await open('languages.rust.o');
    expect(of('languages::Node')?.text).toBe(`struct languages::Node {
    pub name: &str,
    next: core::option::Option<alloc::boxed::Box<languages::Node, alloc::alloc::Global>>,
    id: u64,
    flag: bool,
    data: [u16; 3],
    bytes: &[u8],
    cb: fn(u32) -> i8,
    obj: &dyn core::ops::function::Fn<(u8), Output=()>,
    raw: *const u32,
    mraw: *mut languages::Node,
    tup: (u8, u32),
    c: char,
    unit: (),
}`);
    expect(of('languages::Pair<u32>')?.text).toBe('struct languages::Pair<u32>(pub u32, pub u8);');
    expect(of('&str')?.text).toMatch(/^\/\/ &str in memory:\nstruct \{\n {4}data_ptr: \*const u8,/);
    expect(of('languages::Bits')?.text).toMatch(/^union languages::Bits \{/);
    expect(of('languages::TABLE')?.text).toBe('static languages::TABLE: [u32; 4];');
  });
});

describe('Go', () => {
  it('has slices, strings, maps, embedded fields and function types', async () => {
    const of = await open('languages.go.debug');
    expect(of('main.Node', BtfKind.STRUCT)).toEqual({
      language: 'Go',
      text: `type main.Node struct {
	main.Base
	name string
	data []uint8
	index map[string]int
	next *main.Node
	call func(int, string) (bool, error)
	any interface {}
	named main.Named
	ch chan int
	grid [2][3]uint16
	inner struct { main.x float64; main.y float64 }
	pair main.Pair[uint32]
	color main.Color
}`,
    });
    expect(of('main.Node', BtfKind.TYPEDEF)).toEqual(of('main.Node', BtfKind.STRUCT));
    expect(of('[]uint8')?.text).toBe(
      '// []uint8 in memory:\nstruct {\n\tarray *uint8\n\tlen int\n\tcap int\n}',
    );
    expect(of('map[string]int')?.text).toBe('// map[string]int in memory:\n*hash<string,int>');
    expect(of('main.Named')?.text).toBe('type main.Named interface // in memory: runtime.iface');
    expect(of('main.Color')?.text).toBe('type main.Color uint8');
  });

  it('has functions with several results, and variables', async () => {
    const of = await open('languages.go.debug');
    expect(of('main.use')?.text).toBe('func main.use(n *main.Node, k string) (int, error)');
    expect(of('main.main')?.text).toBe('func main.main()');
    expect(of('main.global')?.text).toBe('var main.global main.Node');
  });
});

describe('Zig, whose units state C99', () => {
  it('has structs, optional types, enums and functions', async () => {
    const of = await open('languages.zig.o');
    expect(of('languages.Point')).toEqual({
      language: 'Zig',
      text: `const languages.Point = struct {
    y: *languages.Point,
    name: []u8,
    x: i32,
    opt: ?u32,
    grid: [2][3]u16,
    flag: bool,
};`,
    });
    expect(of('languages.Color')?.text).toBe(
      'const languages.Color = enum(u8) {\n    red = 1,\n    green = 5,\n};',
    );
    expect(of('?u32')?.text).toMatch(/^\/\/ \?u32 in memory:\nstruct \{/);
    expect(of('fail')?.text).toBe('fn fail(a: u32) void;');
  });
});

it('leaves C to C', async () => {
  const of = await open('clang.o');
  expect(of('int')).toBeNull();
});

const NO_PARTS: ClassParts = {
  owner: new Uint32Array(0),
  firstPart: new Uint32Array(1),
  entry: new Float64Array(0),
  flags: new Uint16Array(0),
  name: new Uint32Array(0),
  type: new Uint32Array(0),
  value: new Map(),
  firstParam: new Uint32Array(1),
  paramName: new Uint32Array(0),
  paramType: new Uint32Array(0),
  paramFlags: new Uint8Array(0),
};

type HostileSource = Partial<Pick<DwarfSource, 'parts' | 'spellings'>> & {
  readonly flags?: number;
};

/** Returns types of hostile DWARF in a language; `flags` are those of all items. */
async function hostile(
  language: number,
  records: readonly TypeRecord[],
  { flags = 0, parts = NO_PARTS, spellings = [] }: HostileSource = {},
) {
  const types = (await openModel('a.btf', btfBlob({ types: records }).bytes)).types;
  if (types === null) throw new Error('no types');
  const count = records.length;
  const firstItem = new Uint32Array(count + 1);
  for (let i = 0; i < count; i++) {
    firstItem[i + 1] = (firstItem[i] ?? 0) + vlenOf(types, typeId(i + 1));
  }
  const items = firstItem[count] ?? 0;
  const source: DwarfSource = {
    other: new Uint32Array(count),
    spelling: new Uint32Array(count),
    spellings,
    firstItem,
    itemEntry: new Float64Array(items),
    itemSize: new Uint16Array(items),
    itemFlags: new Uint8Array(items).fill(flags),
    discriminants: new Map(),
    virtualBases: new Map(),
    parts,
  };
  const places: DwarfPlaces = {
    dieSize: new Uint32Array(count),
    tag: new Uint16Array(count),
    language: new Uint16Array(count).fill(language),
    declFile: new Uint32Array(count),
    declLine: new Uint32Array(count),
    section: new Int32Array(count).fill(-1),
    sectionOffset: new Uint32Array(count),
    files: [],
    isScoped: new Uint8Array(count),
    source,
  };
  return { types, places };
}

describe('hostile types', () => {
  const MANY = 5000;
  const MOST = 1 << 23;
  const members = (type: number) =>
    Array.from({ length: MANY }, (_, i) => ({ name: `m${i}`, type, bitOffset: 0 }));

  it.each([
    ['C++', DW_LANG.C_plus_plus],
    ['Rust', DW_LANG.Rust],
    ['Go', DW_LANG.Go],
    ['Zig', DW_LANG.Zig],
  ])('%s: a long name is not written for each of many members', async (_, language) => {
    const s = await hostile(language, [
      struct('n'.repeat(50_000), 4, []),
      struct('s', 4, members(1)),
    ]);
    expect(sourceDeclaration(s, typeId(2))?.text.length).toBeLessThan(MOST);
  });

  it('C++: an enumeration without a name is not written for each of many members', async () => {
    const names = Array.from({ length: MANY }, (_, i) => [`E${i}`, i] as const);
    const s = await hostile(DW_LANG.C_plus_plus, [
      enumeration('', names),
      struct('s', 4, members(1)),
    ]);
    expect(sourceDeclaration(s, typeId(2))?.text.length).toBeLessThan(MOST);
  });

  it('Rust: the members of a struct are not written for each of many variants', async () => {
    const s = await hostile(
      DW_LANG.Rust,
      [
        int('u32', 4),
        struct('variant', 4, members(1)),
        union('', 4, members(2)),
        struct('enum', 4, [{ name: '', type: 3, bitOffset: 0 }]),
      ],
      { flags: ITEM_FLAGS.variant },
    );
    const text = sourceDeclaration(s, typeId(4))?.text ?? '';
    expect(text).toMatch(/^enum enum \{[\s\S]*\n {4}…\n\}$/);
    expect(text.length).toBeLessThan(MOST);
  });

  it('C++: parameters of long names are not written for each of many methods', async () => {
    const many = (value: number) => new Uint32Array(MANY).fill(value);
    const firstParam = Uint32Array.from({ length: MANY + 1 }, (_, i) => 20 * i);
    const parts: ClassParts = {
      ...NO_PARTS,
      owner: Uint32Array.of(2),
      firstPart: Uint32Array.of(0, MANY),
      entry: new Float64Array(MANY),
      flags: new Uint16Array(MANY),
      name: many(1),
      type: many(1),
      firstParam,
      paramName: new Uint32Array(20 * MANY).fill(1),
      paramType: new Uint32Array(20 * MANY).fill(1),
      paramFlags: new Uint8Array(20 * MANY),
    };
    const long = 'n'.repeat(50_000);
    const s = await hostile(DW_LANG.C_plus_plus, [struct(long, 4, []), struct('s', 4, [])], {
      parts,
      spellings: [long],
    });
    const text = sourceDeclaration(s, typeId(2))?.text ?? '';
    expect(text).toMatch(/^struct s \{\n\tn+ n+\(/);
    expect(text.length).toBeLessThan(MOST);
  });

  it.each([
    ['C++', DW_LANG.C_plus_plus],
    ['Rust', DW_LANG.Rust],
  ])('%s: parameters of a function type are not written in a row', async (_, language) => {
    const params = Array.from({ length: MANY }, (_, i) => [`p${i}`, 1] as const);
    const { types, places } = await hostile(language, [
      struct('n'.repeat(50_000), 4, []),
      funcProto(1, params),
      ptr(2),
    ]);
    expect(typeText({ ...types, places }, typeId(3))).toMatch(/^…/);
    expect(typeText({ ...types, places }, typeId(1))).toHaveLength(201);
  });

  const HUGE = 300_000;
  /** Parts of the type 2: `methods` with `params` each, of no name and of the type `type`. */
  const partsOfTwo = (methods: number, params: number, type: number): ClassParts => ({
    ...NO_PARTS,
    owner: Uint32Array.of(2),
    firstPart: Uint32Array.of(0, methods),
    entry: new Float64Array(methods),
    flags: new Uint16Array(methods),
    name: new Uint32Array(methods).fill(1),
    type: new Uint32Array(methods).fill(type),
    firstParam: Uint32Array.from({ length: methods + 1 }, (_, i) => params * i),
    paramName: new Uint32Array(methods * params),
    paramType: new Uint32Array(methods * params).fill(type),
    paramFlags: new Uint8Array(methods * params),
  });

  it.each([
    ['methods', HUGE, 0, 1],
    ['constructors', HUGE, 0, 0],
    ['parameters', 1, HUGE, 1],
    ['parameters of nullptr_t', 1, HUGE, 0],
  ])('C++: of %s as many as one declaration writes', async (_, methods, params, type) => {
    const s = await hostile(DW_LANG.C_plus_plus, [int('int', 4), struct('s', 4, [])], {
      parts: partsOfTwo(methods, params, type),
      spellings: ['s'],
    });
    const text = sourceDeclaration(s, typeId(2))?.text ?? '';
    expect(text).toMatch(params === 0 ? /;\n\t…\n\};$/ : /, …\);\n\};$/);
    expect(text.split(/[\n,]/).length).toBeLessThan(80_000);
  });
});
