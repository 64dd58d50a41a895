/**
 * Rust declarations as bindgen users know them: `repr(C)`, names as in C, enums as
 * numbers with constants, since a value that no enumerator has is no error in C.
 * Offsets are those of BTF on targets with 64 bits.
 */
import { declarationsIn, fieldComment, type Language, plainIdentifier } from './declarations.ts';

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

const RUST: Language = {
  /** `type` is `r#type`, `self` is `self_`; characters that Rust does not have in names are underscores. */
  spell(raw) {
    const name = plainIdentifier(raw);
    if (TAKEN.has(name)) return `${name}_`;
    return WORDS.has(name) ? `r#${name}` : name;
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
    // BTF of another width than the target's: pointers are numbers.
    pointer: ({ byteSize, readOnly }, to) =>
      byteSize === 4 ? 'u32' : `*${readOnly ? 'const' : 'mut'} ${to ?? 'core::ffi::c_void'}`,
    array: (of, count) => `[${of}; ${count}]`,
  },
  opaque: (name) => `#[repr(C)]\npub struct ${name} {\n    _opaque: [u8; 0],\n}`,
  alias: (name, type) => `pub type ${name} = ${type};`,
  variable: (name, type) => `unsafe extern "C" {\n    pub static mut ${name}: ${type};\n}`,
  composite(name, { form, fields, packed }) {
    const repr = packed === null ? 'C' : `C, packed(${packed})`;
    // A union has at least one field in Rust, a struct need not.
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

/**
 * Rust for a type; what it only points at is a struct of no bytes. A `_Bool` is a `u8`,
 * since other values than 0 and 1 may be read.
 */
export const rustDeclaration = declarationsIn(RUST);
