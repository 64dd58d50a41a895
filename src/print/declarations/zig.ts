/**
 * Zig declarations in the style of its `std.os.linux`: extern structs and unions,
 * names as in C. Offsets are those of BTF on targets with 64 bits.
 */
import { declarationsIn, fieldComment, type Language } from './declarations.ts';
import { shapeAlign } from './shape.ts';

const WORDS: ReadonlySet<string> = new Set(
  (
    'addrspace align allowzero and anyframe anytype asm async await break callconv catch comptime ' +
    'const continue defer else enum errdefer error export extern fn for if inline linksection ' +
    'noalias noinline nosuspend opaque or orelse packed pub resume return struct suspend switch ' +
    'test threadlocal try union unreachable usingnamespace var volatile while ' +
    // Not keywords, but names of types and values.
    'anyerror anyopaque bool c_char c_int c_long c_longdouble c_longlong c_short c_uint c_ulong ' +
    'c_ulonglong c_ushort comptime_float comptime_int f16 f32 f64 f80 f128 false isize noreturn ' +
    'null true type undefined usize void _'
  ).split(' '),
);

const ZIG: Language = {
  /** Any text is a name in Zig: `@"…"` where it is no plain one. */
  spell(raw) {
    const name = raw || 'anonymous';
    const isPlain = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !/^[iu][0-9]+$/.test(name);
    if (isPlain && !WORDS.has(name)) return name;
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
    // BTF of another width than the target's: pointers are numbers.
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
    const first = new Set<bigint>();
    const again: string[] = [];
    for (const { word, value } of all) {
      // A value has one name; further ones are constants.
      if (first.has(value)) again.push(`pub const ${word}: ${name} = @enumFromInt(${value});`);
      else yield `${word} = ${value},`;
      first.add(value);
    }
    yield '_,';
    if (again.length > 0) yield '';
    yield* again;
  },
  enumStart: '',
  enumEnd: '};\n',
};

/** Zig for a type; what it only points at is `opaque {}`. Enums have all values open. */
export const zigDeclaration = declarationsIn(ZIG);
