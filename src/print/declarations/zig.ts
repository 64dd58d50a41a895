/**
 * Zig declarations in the style of its `std.os.linux`: extern structs and unions,
 * names as in C. Offsets are those of BTF on targets with 64 bits.
 */
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import {
  bitLines,
  type Context,
  comment,
  declarationText,
  enumValue,
  fieldComment,
  fieldNames,
  NameSet,
  titleOf,
} from './declarations.ts';
import type { FieldList } from './fields.ts';
import type { Declaration, Named } from './plan.ts';
import { type Shape, shapeAlign } from './shape.ts';

/**
 * Zig for type `id` and all that it holds by value; what it only points at is
 * `opaque {}`. Enums have all values open. Ends in a newline; a comment where
 * there is nothing to declare. Raw text: escape it when drawn.
 */
export function zigDeclaration(t: TypeTable, id: TypeId): string {
  return declarationText(t, id, { spell: zigIdentifier, hasPointers: true, write: writeZig });
}

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

/** Any text is a name in Zig: `@"…"` where it is no plain one. */
function zigIdentifier(raw: string): string {
  const name = raw || 'anonymous';
  const isPlain = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !/^[iu][0-9]+$/.test(name);
  if (isPlain && !WORDS.has(name)) return name;
  const escaped = name.replace(/[^ -~]|["\\]/gu, (c) =>
    c === '"' || c === '\\' ? `\\${c}` : `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return `@"${escaped}"`;
}

function writeZig(context: Context, named: Named, name: string): void {
  const { out, nameOf } = context;
  const { declaration } = named;
  out.write(`/// ${titleOf(named)}\n`);
  switch (declaration.form) {
    case 'struct':
    case 'union':
      out.write(`pub const ${name} = extern ${declaration.form} {\n`);
      writeFields(context, declaration);
      out.write('};\n');
      break;
    case 'enum':
      writeEnum(context, declaration, name);
      break;
    case 'opaque':
      out.write(`pub const ${name} = opaque {};\n`);
      break;
    case 'alias':
      out.write(`pub const ${name} = ${typeText(declaration.shape, nameOf)};\n`);
      break;
    case 'variable':
      out.write(`pub extern var ${name}: ${typeText(declaration.shape, nameOf)};\n`);
      break;
    default:
      declaration satisfies never;
  }
}

function writeFields({ out, nameOf }: Context, { fields, packed, notes }: FieldList): void {
  const names = fieldNames(fields, zigIdentifier);
  for (const [i, field] of fields.entries()) {
    const { shape } = field;
    const align = packed !== null && shapeAlign(shape) > packed ? ` align(${packed})` : '';
    out.write(`    ${names[i]}: ${typeText(shape, nameOf)}${align}, // ${fieldComment(field)}\n`);
    for (const line of bitLines(field)) out.write(`    // ${line}\n`);
    if (out.full) return;
  }
  for (const note of notes) out.write(`    // ${comment(note)}\n`);
}

function writeEnum(
  { out }: Context,
  { byteSize, signed, values }: Declaration & { readonly form: 'enum' },
  name: string,
): void {
  const names = new NameSet(zigIdentifier);
  const first = new Set<bigint>();
  const again: string[] = [];
  out.write(`pub const ${name} = enum(${signed ? 'i' : 'u'}${8 * byteSize}) {\n`);
  for (const enumerator of values) {
    const value = enumValue(enumerator.value, byteSize, signed);
    const word = names.add(enumerator.name);
    // A value has one name; further ones are constants.
    if (first.has(value)) again.push(`    pub const ${word}: ${name} = @enumFromInt(${value});\n`);
    else out.write(`    ${word} = ${value},\n`);
    first.add(value);
    if (out.full) return;
  }
  out.write('    _,\n');
  if (again.length > 0) out.write('\n');
  for (const line of again) out.write(line);
  out.write('};\n');
}

/** Calls itself as deep as a shape can be: some 16 levels. */
function typeText(shape: Shape, nameOf: (id: TypeId) => string): string {
  switch (shape.form) {
    case 'integer':
      return `${shape.signed ? 'i' : 'u'}${8 * shape.byteSize}`;
    case 'boolean':
      return 'bool';
    case 'float':
      return `f${8 * shape.byteSize}`;
    case 'pointer': {
      // BTF of another width than the target's: pointers are numbers.
      if (shape.byteSize === 4) return 'u32';
      const to = shape.to === null ? 'anyopaque' : typeText(shape.to, nameOf);
      return `?*${shape.readOnly ? 'const ' : ''}${to}`;
    }
    case 'array':
      return `[${shape.count}]${typeText(shape.of, nameOf)}`;
    case 'named':
      return nameOf(shape.id);
    case 'bytes':
      return `[${shape.count}]u8`;
    default:
      return shape satisfies never;
  }
}
