/** Declarations in Rust, Zig and Go. They have the offsets of BTF on 64-bit targets. */
import { declarationsIn, fieldComment, type Language, plainIdentifier } from './declarations.ts';
import { shapeAlign, shapeSize } from './shape.ts';

/** Keywords of Rust that are valid names with the prefix `r#`. */
const RAW_KEYWORDS: ReadonlySet<string> = new Set(
  (
    'abstract as async await become box break const continue do dyn else enum extern false final ' +
    'fn for gen if impl in let loop macro match mod move mut override priv pub ref return static ' +
    'struct trait true try type typeof unsafe unsized use virtual where while yield'
  ).split(' '),
);
/** Names that Rust declarations cannot use: other keywords, and types used in declarations. */
const RESERVED_IN_RUST: ReadonlySet<string> = new Set(
  '_ crate self super Self bool core f32 f64 i8 i16 i32 i64 u8 u16 u32 u64'.split(' '),
);

const RUST_AND_ZIG = {
  hasPointers: true,
  hasUnions: true,
  hasGlobalEnumerators: false,
  doc: '///',
  indent: '    ',
  enumStart: '',
} as const;

/** Rust as bindgen writes it: `repr(C)`, names of C, enums as numbers with constants. */
const RUST: Language = {
  /** Returns `r#type` for `type`, `self_` for `self`; invalid characters become underscores. */
  spell(raw) {
    const name = plainIdentifier(raw);
    if (RESERVED_IN_RUST.has(name)) return `${name}_`;
    return RAW_KEYWORDS.has(name) ? `r#${name}` : name;
  },
  ...RUST_AND_ZIG,
  types: {
    signed: 'i',
    unsigned: 'u',
    float: 'f',
    boolean: 'u8',
    byte: 'u8',
    // Pointers of 32-bit BTF are numbers: the declarations are for 64-bit machines.
    pointer: ({ byteSize, readOnly }, to) =>
      byteSize === 4 ? 'u32' : `*${readOnly ? 'const' : 'mut'} ${to ?? 'core::ffi::c_void'}`,
    array: (of, count) => `[${of}; ${count}]`,
  },
  opaque: (name) => `#[repr(C)]\npub struct ${name} {\n    _opaque: [u8; 0],\n}`,
  alias: (name, type) => `pub type ${name} = ${type};`,
  variable: (name, type) => `unsafe extern "C" {\n    pub static mut ${name}: ${type};\n}`,
  composite(name, { form, fields, packed }) {
    const repr = packed === null ? 'C' : `C, packed(${packed})`;
    // A union without fields is invalid in Rust: write a struct.
    const keyword = fields.length === 0 ? 'struct' : form;
    return `#[repr(${repr})]\n#[derive(Clone, Copy)]\npub ${keyword} ${name} {\n`;
  },
  field: (field, name, type) =>
    `${field.form === 'padding' ? '' : 'pub '}${name}: ${type}, // ${fieldComment(field)}`,
  compositeEnd: '}\n',
  enumeration: (name, number) =>
    `#[repr(transparent)]\n#[derive(Clone, Copy, Debug, PartialEq, Eq)]\npub struct ${name}(pub ${number});\n\nimpl ${name} {\n`,
  *enumerators(_name, all) {
    for (const { word, value } of all) yield `pub const ${word}: Self = Self(${value});`;
  },
  enumEnd: '}\n',
};

/** Declares a type in Rust. An opaque type has no bytes. `_Bool` is `u8`: it may exceed 1. */
export const rustDeclaration = declarationsIn(RUST);

const RESERVED_IN_ZIG: ReadonlySet<string> = new Set(
  (
    'addrspace align allowzero and anyframe anytype asm async await break callconv catch comptime ' +
    'const continue defer else enum errdefer error export extern fn for if inline linksection ' +
    'noalias noinline nosuspend opaque or orelse packed pub resume return struct suspend switch ' +
    'test threadlocal try union unreachable usingnamespace var volatile while ' +
    // Types and values: not keywords, but declarations cannot have these names.
    'anyerror anyopaque bool c_char c_int c_long c_longdouble c_longlong c_short c_uint c_ulong ' +
    'c_ulonglong c_ushort comptime_float comptime_int f16 f32 f64 f80 f128 false isize noreturn ' +
    'null true type undefined usize void _'
  ).split(' '),
);

/** Zig in the style of `std.os.linux`: extern structs and unions, names of C. */
const ZIG: Language = {
  /** Returns the name, or `@"…"` for a name that is not a plain identifier. */
  spell(raw) {
    const name = raw || 'anonymous';
    const isPlain = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !/^[iu][0-9]+$/.test(name);
    if (isPlain && !RESERVED_IN_ZIG.has(name)) return name;
    const escaped = name.replace(/[^ -~]|["\\]/gu, (c) =>
      c === '"' || c === '\\' ? `\\${c}` : `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`,
    );
    return `@"${escaped}"`;
  },
  ...RUST_AND_ZIG,
  types: {
    signed: 'i',
    unsigned: 'u',
    float: 'f',
    boolean: 'bool',
    byte: 'u8',
    // Pointers of 32-bit BTF are numbers: the declarations are for 64-bit machines.
    pointer: ({ byteSize, readOnly }, to) =>
      byteSize === 4 ? 'u32' : `?*${readOnly ? 'const ' : ''}${to ?? 'anyopaque'}`,
    array: (of, count) => `[${count}]${of}`,
  },
  opaque: (name) => `pub const ${name} = opaque {};`,
  alias: (name, type) => `pub const ${name} = ${type};`,
  variable: (name, type) => `pub extern var ${name}: ${type};`,
  composite: (name, { form }) => `pub const ${name} = extern ${form} {\n`,
  field(field, name, type, { packed }) {
    const align = packed !== null && shapeAlign(field.shape) > packed ? ` align(${packed})` : '';
    return `${name}: ${type}${align}, // ${fieldComment(field)}`;
  },
  compositeEnd: '};\n',
  enumeration: (name, number) => `pub const ${name} = enum(${number}) {\n`,
  *enumerators(name, all) {
    const named = new Set<bigint>();
    const aliases: string[] = [];
    for (const { word, value } of all) {
      // In Zig, a value has only one name: other names of the value are constants.
      if (named.has(value)) aliases.push(`pub const ${word}: ${name} = @enumFromInt(${value});`);
      else yield `${word} = ${value},`;
      named.add(value);
    }
    yield '_,';
    if (aliases.length > 0) yield '';
    yield* aliases;
  },
  enumEnd: '};\n',
};

/** Declares a type in Zig. Types behind pointers are `opaque {}`, enums are non-exhaustive. */
export const zigDeclaration = declarationsIn(ZIG);

/**
 * Go in the style of cgo. Names begin with a capital letter or `X`, so that other packages can use
 * them. Pointers are numbers, which the garbage collector does not follow. Unions, and fields with
 * too little alignment, are bytes.
 */
const GO: Language = {
  spell(raw) {
    const name = plainIdentifier(raw);
    return name.startsWith('_') ? `X${name}` : name.charAt(0).toUpperCase() + name.slice(1);
  },
  hasPointers: false,
  hasUnions: false,
  hasGlobalEnumerators: true,
  doc: '//',
  indent: '\t',
  types: {
    signed: 'int',
    unsigned: 'uint',
    float: 'float',
    boolean: 'bool',
    byte: 'byte',
    pointer: ({ byteSize }) => `uint${8 * byteSize}`,
    array: (of, count) => `[${count}]${of}`,
  },
  opaque: (name) => `type ${name} struct{}`,
  alias: (name, type) => `type ${name} = ${type}`,
  variable: (name, type) => `var ${name} ${type}`,
  composite(name, { form, byteSize, align }) {
    const head = `type ${name} struct {\n`;
    if (form === 'struct' || byteSize === 0) return head;
    const aligner = align > 1 ? `\t_ [0]uint${8 * align} // for the alignment\n` : '';
    return `${head}${aligner}\tData [${byteSize}]byte // one of these:\n`;
  },
  field(field, name, type, composite) {
    const { form, shape } = field;
    if (composite.form === 'union') {
      if (form === 'padding') return null;
      return `//   ${name}: *(*${type})(unsafe.Pointer(&u.Data)), ${fieldComment(field)}`;
    }
    const isPacked = composite.packed !== null && shapeAlign(shape) > composite.packed;
    // Comment out a final field of size 0: Go would add a byte after it.
    const start = shapeSize(shape) === 0 ? '// ' : '';
    const goType = isPacked ? `[${shapeSize(shape)}]byte` : type;
    return `${start}${form === 'padding' ? '_' : name} ${goType} // ${fieldComment(field)}`;
  },
  compositeEnd: '}\n',
  enumeration: (name, number) => `type ${name} ${number}\n`,
  *enumerators(name, all) {
    for (const { word, value } of all) yield `${word} ${name} = ${value}`;
  },
  enumStart: '\nconst (\n',
  enumEnd: ')\n',
};

export const goDeclaration = declarationsIn(GO);
