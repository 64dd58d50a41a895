/**
 * Go declarations. Names begin with a capital letter, so that other packages and
 * `encoding/binary` see them, and with `X` where there is no letter to capitalise,
 * as cgo does it: `_count` is `X_count`. Pointers are numbers, since the garbage
 * collector must not follow those of a kernel. Go can neither overlap nor pack
 * fields: unions, and fields that lie below their alignment, are bytes.
 * Offsets are those of BTF on targets with 64 bits.
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
  isEmpty,
  plainIdentifier,
  titleOf,
} from './declarations.ts';
import type { FieldList } from './fields.ts';
import type { Declaration, Named } from './plan.ts';
import { type Shape, shapeAlign, shapeSize } from './shape.ts';

/**
 * Go for type `id` and all that it holds by value. Ends in a newline; a comment
 * where there is nothing to declare. Raw text: escape it when drawn.
 */
export function goDeclaration(t: TypeTable, id: TypeId): string {
  return declarationText(t, id, { spell: goIdentifier, hasPointers: false, write: writeGo });
}

function goIdentifier(raw: string): string {
  const name = plainIdentifier(raw);
  return name.startsWith('_') ? `X${name}` : name.charAt(0).toUpperCase() + name.slice(1);
}

function writeGo(context: Context, named: Named, name: string): void {
  const { out, nameOf } = context;
  const { declaration } = named;
  out.write(`// ${titleOf(named)}\n`);
  switch (declaration.form) {
    case 'struct':
      out.write(`type ${name} struct {\n`);
      writeFields(context, declaration);
      out.write('}\n');
      break;
    case 'union':
      out.write(`type ${name} struct {\n`);
      writeUnion(context, declaration);
      out.write('}\n');
      break;
    case 'enum':
      writeEnum(context, declaration, name);
      break;
    case 'opaque':
      out.write(`type ${name} struct{}\n`);
      break;
    case 'alias':
      out.write(`type ${name} = ${typeText(declaration.shape, nameOf)}\n`);
      break;
    case 'variable':
      out.write(`var ${name} ${typeText(declaration.shape, nameOf)}\n`);
      break;
    default:
      declaration satisfies never;
  }
}

function writeFields({ out, nameOf }: Context, { fields, packed, notes }: FieldList): void {
  const names = fieldNames(fields, goIdentifier);
  for (const [i, field] of fields.entries()) {
    const { form, shape } = field;
    const isPacked = packed !== null && shapeAlign(shape) > packed;
    const type = isPacked ? `[${shapeSize(shape)}]byte` : typeText(shape, nameOf);
    const name = form === 'padding' ? '_' : names[i];
    // Go adds a byte behind a last field that has none.
    const start = isEmpty(field) ? '// ' : '';
    out.write(`\t${start}${name} ${type} // ${fieldComment(field)}\n`);
    for (const line of bitLines(field)) out.write(`\t// ${line}\n`);
    if (out.full) return;
  }
  for (const note of notes) out.write(`\t// ${comment(note)}\n`);
}

function writeUnion(
  { out, nameOf }: Context,
  { fields, align, notes, byteSize }: FieldList & { readonly byteSize: number },
): void {
  const names = fieldNames(fields, goIdentifier);
  if (byteSize === 0) return;
  if (align > 1) out.write(`\t_ [0]uint${8 * align} // for the alignment\n`);
  out.write(`\tData [${byteSize}]byte // one of these:\n`);
  for (const [i, field] of fields.entries()) {
    if (field.form === 'padding') continue;
    const type = typeText(field.shape, nameOf);
    const access = `*(*${type})(unsafe.Pointer(&u.Data))`;
    out.write(`\t//   ${names[i]}: ${access}, ${fieldComment(field)}\n`);
    for (const line of bitLines(field)) out.write(`\t//   ${line}\n`);
    if (out.full) return;
  }
  for (const note of notes) out.write(`\t// ${comment(note)}\n`);
}

function writeEnum(
  { out, names }: Context,
  { byteSize, signed, values }: Declaration & { readonly form: 'enum' },
  name: string,
): void {
  out.write(`type ${name} ${signed ? 'int' : 'uint'}${8 * byteSize}\n`);
  if (values.length === 0) return;
  out.write('\nconst (\n');
  for (const enumerator of values) {
    const value = enumValue(enumerator.value, byteSize, signed);
    out.write(`\t${names.add(enumerator.name)} ${name} = ${value}\n`);
    if (out.full) return;
  }
  out.write(')\n');
}

/** Calls itself as deep as a shape can be: some 16 levels. */
function typeText(shape: Shape, nameOf: (id: TypeId) => string): string {
  switch (shape.form) {
    case 'integer':
      return `${shape.signed ? 'int' : 'uint'}${8 * shape.byteSize}`;
    case 'boolean':
      return 'bool';
    case 'float':
      return `float${8 * shape.byteSize}`;
    case 'pointer':
      return `uint${8 * shape.byteSize}`;
    case 'array':
      return `[${shape.count}]${typeText(shape.of, nameOf)}`;
    case 'named':
      return nameOf(shape.id);
    case 'bytes':
      return `[${shape.count}]byte`;
    default:
      return shape satisfies never;
  }
}
