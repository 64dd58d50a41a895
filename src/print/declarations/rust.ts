/**
 * Rust declarations as bindgen users know them: `repr(C)`, names as in C, enums as
 * numbers with constants, since a value that no enumerator has is no error in C.
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
  NameSet,
  plainIdentifier,
  titleOf,
} from './declarations.ts';
import type { FieldList } from './fields.ts';
import type { Declaration, Named } from './plan.ts';
import type { Shape } from './shape.ts';

/**
 * Rust for type `id` and all that it holds by value; what it only points at is a
 * struct of no bytes. A `_Bool` is a `u8`, since other values than 0 and 1 may
 * be read. Ends in a newline; a comment where there is nothing to declare.
 */
export function rustDeclaration(t: TypeTable, id: TypeId): string {
  return declarationText(t, id, { spell: rustIdentifier, hasPointers: true, write: writeRust });
}

/** Keywords that are names with `r#` before them. */
const WORDS: ReadonlySet<string> = new Set(
  (
    'abstract as async await become box break const continue do dyn else enum extern false final ' +
    'fn for gen if impl in let loop macro match mod move mut override priv pub ref return static ' +
    'struct trait true try type typeof unsafe unsized use virtual where while yield'
  ).split(' '),
);
/** Keywords that no prefix makes a name of, and the types that declarations here use. */
const TAKEN: ReadonlySet<string> = new Set(
  '_ crate self super Self bool core f32 f64 i8 i16 i32 i64 u8 u16 u32 u64'.split(' '),
);

/** `type` is `r#type`, `self` is `self_`; characters that Rust does not have in names are underscores. */
function rustIdentifier(raw: string): string {
  const name = plainIdentifier(raw);
  if (TAKEN.has(name)) return `${name}_`;
  return WORDS.has(name) ? `r#${name}` : name;
}

function writeRust(context: Context, named: Named, name: string): void {
  const { out, nameOf } = context;
  const { declaration } = named;
  out.write(`/// ${titleOf(named)}\n`);
  switch (declaration.form) {
    case 'struct':
    case 'union':
      writeComposite(context, declaration, name);
      break;
    case 'enum':
      writeEnum(context, declaration, name);
      break;
    case 'opaque':
      out.write(`#[repr(C)]\npub struct ${name} {\n    _opaque: [u8; 0],\n}\n`);
      break;
    case 'alias':
      out.write(`pub type ${name} = ${typeText(declaration.shape, nameOf)};\n`);
      break;
    case 'variable':
      out.write(`unsafe extern "C" {\n    pub static mut ${name}: `);
      out.write(`${typeText(declaration.shape, nameOf)};\n}\n`);
      break;
    default:
      declaration satisfies never;
  }
}

function writeComposite(
  { out, nameOf }: Context,
  { form, fields, packed, notes }: FieldList & { readonly form: 'struct' | 'union' },
  name: string,
): void {
  // A union has at least one field in Rust, a struct need not.
  const keyword = fields.length === 0 ? 'struct' : form;
  out.write(`#[repr(C${packed === null ? '' : `, packed(${packed})`})]\n#[derive(Clone, Copy)]\n`);
  out.write(`pub ${keyword} ${name} {\n`);
  const names = fieldNames(fields, rustIdentifier);
  for (const [i, field] of fields.entries()) {
    const visibility = field.form === 'padding' ? '' : 'pub ';
    const type = typeText(field.shape, nameOf);
    out.write(`    ${visibility}${names[i]}: ${type}, // ${fieldComment(field)}\n`);
    for (const line of bitLines(field)) out.write(`    // ${line}\n`);
    if (out.full) return;
  }
  for (const note of notes) out.write(`    // ${comment(note)}\n`);
  out.write('}\n');
}

function writeEnum(
  { out }: Context,
  { byteSize, signed, values }: Declaration & { readonly form: 'enum' },
  name: string,
): void {
  const names = new NameSet(rustIdentifier);
  const number = `${signed ? 'i' : 'u'}${8 * byteSize}`;
  out.write('#[repr(transparent)]\n#[derive(Clone, Copy, Debug, PartialEq, Eq)]\n');
  out.write(`pub struct ${name}(pub ${number});\n\nimpl ${name} {\n`);
  for (const enumerator of values) {
    const value = enumValue(enumerator.value, byteSize, signed);
    out.write(`    pub const ${names.add(enumerator.name)}: Self = Self(${value});\n`);
    if (out.full) return;
  }
  out.write('}\n');
}

/** Calls itself as deep as a shape can be: some 16 levels. */
function typeText(shape: Shape, nameOf: (id: TypeId) => string): string {
  switch (shape.form) {
    case 'integer':
      return `${shape.signed ? 'i' : 'u'}${8 * shape.byteSize}`;
    case 'boolean':
      return 'u8';
    case 'float':
      return `f${8 * shape.byteSize}`;
    case 'pointer': {
      // BTF of another width than the target's: pointers are numbers.
      if (shape.byteSize === 4) return 'u32';
      const to = shape.to === null ? 'core::ffi::c_void' : typeText(shape.to, nameOf);
      return `*${shape.readOnly ? 'const' : 'mut'} ${to}`;
    }
    case 'array':
      return `[${typeText(shape.of, nameOf)}; ${shape.count}]`;
    case 'named':
      return nameOf(shape.id);
    case 'bytes':
      return `[u8; ${shape.count}]`;
    default:
      return shape satisfies never;
  }
}
