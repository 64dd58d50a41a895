/**
 * Rust declarations in the style of bindgen: `repr(C)`, names as in C, enums as numbers with
 * constants. Offsets are those of BTF on 64-bit targets.
 */
import { declarationsIn, fieldComment, type Language, plainIdentifier } from './declarations.ts';

/** Keywords that are valid names after `r#`. */
const RAW_KEYWORDS: ReadonlySet<string> = new Set(
  (
    'abstract as async await become box break const continue do dyn else enum extern false final ' +
    'fn for gen if impl in let loop macro match mod move mut override priv pub ref return static ' +
    'struct trait true try type typeof unsafe unsized use virtual where while yield'
  ).split(' '),
);
/** Keywords that no prefix makes a name, and the types that declarations use. */
const RESERVED: ReadonlySet<string> = new Set(
  '_ crate self super Self bool core f32 f64 i8 i16 i32 i64 u8 u16 u32 u64'.split(' '),
);

const RUST: Language = {
  /** `type` becomes `r#type`, `self` becomes `self_`; invalid characters become underscores. */
  spell(raw) {
    const name = plainIdentifier(raw);
    if (RESERVED.has(name)) return `${name}_`;
    return RAW_KEYWORDS.has(name) ? `r#${name}` : name;
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
    boolean: 'u8',
    byte: 'u8',
    // A 32-bit BTF pointer does not have the target's width: it is a number.
    pointer: ({ byteSize, readOnly }, to) =>
      byteSize === 4 ? 'u32' : `*${readOnly ? 'const' : 'mut'} ${to ?? 'core::ffi::c_void'}`,
    array: (of, count) => `[${of}; ${count}]`,
  },
  opaque: (name) => `#[repr(C)]\npub struct ${name} {\n    _opaque: [u8; 0],\n}`,
  alias: (name, type) => `pub type ${name} = ${type};`,
  variable: (name, type) => `unsafe extern "C" {\n    pub static mut ${name}: ${type};\n}`,
  composite(name, { form, fields, packed }) {
    const repr = packed === null ? 'C' : `C, packed(${packed})`;
    // A Rust union needs at least one field, a struct does not.
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
  enumStart: '',
  enumEnd: '}\n',
};

/** Declares a type in Rust; an opaque one has no bytes. A `_Bool` is a `u8`: it may be above 1. */
export const rustDeclaration = declarationsIn(RUST);
