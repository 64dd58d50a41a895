/** Zig declarations like its `std.os.linux`: extern structs and unions, names as in C, offsets of 64-bit BTF. */
import { declarationsIn, fieldComment, type Language } from './declarations.ts';
import { shapeAlign } from './shape.ts';

const RESERVED: ReadonlySet<string> = new Set(
  (
    'addrspace align allowzero and anyframe anytype asm async await break callconv catch comptime ' +
    'const continue defer else enum errdefer error export extern fn for if inline linksection ' +
    'noalias noinline nosuspend opaque or orelse packed pub resume return struct suspend switch ' +
    'test threadlocal try union unreachable usingnamespace var volatile while ' +
    // Names of types and values, which are not keywords.
    'anyerror anyopaque bool c_char c_int c_long c_longdouble c_longlong c_short c_uint c_ulong ' +
    'c_ulonglong c_ushort comptime_float comptime_int f16 f32 f64 f80 f128 false isize noreturn ' +
    'null true type undefined usize void _'
  ).split(' '),
);

const ZIG: Language = {
  /** Any text is a valid name in Zig: `@"…"` if it is not a plain identifier. */
  spell(raw) {
    const name = raw || 'anonymous';
    const isPlain = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !/^[iu][0-9]+$/.test(name);
    if (isPlain && !RESERVED.has(name)) return name;
    const escaped = name.replace(/[^ -~]|["\\]/gu, (c) =>
      c === '"' || c === '\\' ? `\\${c}` : `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`,
    );
    return `@"${escaped}"`;
  },
  hasPointers: true,
  hasUnions: true,
  hasGlobalEnumerators: false,
  doc: '///',
  indent: '    ',
  types: {
    signed: 'i',
    unsigned: 'u',
    float: 'f',
    boolean: 'bool',
    byte: 'u8',
    // A 32-bit BTF pointer does not have the target's width: it is a number.
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
      // A value has one name; further names are constants.
      if (named.has(value)) aliases.push(`pub const ${word}: ${name} = @enumFromInt(${value});`);
      else yield `${word} = ${value},`;
      named.add(value);
    }
    yield '_,';
    if (aliases.length > 0) yield '';
    yield* aliases;
  },
  enumStart: '',
  enumEnd: '};\n',
};

/** Declares a type in Zig; a type behind a pointer is `opaque {}`. Enums are non-exhaustive. */
export const zigDeclaration = declarationsIn(ZIG);
