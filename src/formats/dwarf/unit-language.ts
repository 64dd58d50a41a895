/** Reads the source language of the first unit in `.debug_info`. Source: DWARF 5, sections 7.5, 7.12. */
import type { ByteReader } from '#bytes/byte-reader.ts';

const DW_AT_LANGUAGE = 0x13;
const DW_UT_COMPILE = 1;
const DW_UT_PARTIAL = 3;
const LONG_LENGTH = 0xffffffff;

/** Display names by DW_LANG. Languages without a row are shown by their number. */
const LANGUAGES: ReadonlyMap<number, string> = new Map([
  ...[0x01, 0x02, 0x0c, 0x1d, 0x2c, 0x3e].map((language) => [language, 'C'] as const),
  ...[0x04, 0x1a, 0x21, 0x2b, 0x3a].map((language) => [language, 'C++'] as const),
  [0x16, 'Go'],
  [0x1c, 'Rust'],
  [0x27, 'Zig'],
  [0x8001, 'assembly'],
]);

/** Returns the name of a language: `C` for C99; `language 0x3f` for a number without a name. */
export function languageName(language: number): string {
  return LANGUAGES.get(language) ?? `language 0x${language.toString(16)}`;
}

type Form = { readonly offset: number; readonly addressSize: number; readonly offsetSize: 4 | 8 };

/** Returns DW_AT_language of the first unit; null if it has none. Throws `Malformed`. */
export function firstUnitLanguage(info: ByteReader, abbrev: ByteReader): number | null {
  const isLong = info.u32(0) === LONG_LENGTH;
  const offsetSize = isLong ? 8 : 4;
  let at = isLong ? 12 : 4;
  const version = info.u16(at);
  at += 2;
  if (version < 2 || version > 5) return null;
  let addressSize = 0;
  if (version === 5) {
    const unitType = info.u8(at);
    addressSize = info.u8(at + 1);
    at += 2;
    if (unitType !== DW_UT_COMPILE && unitType !== DW_UT_PARTIAL) return null;
  }
  const abbrevOffset = isLong ? Number(info.u64(at)) : info.u32(at);
  at += offsetSize;
  if (version < 5) addressSize = info.u8(at++);
  const code = uleb(info, at);
  at = code.end;
  for (const { attribute, form, implicit } of attributesOf(abbrev, abbrevOffset, code.value)) {
    if (attribute === DW_AT_LANGUAGE) return implicit ?? constantAt(info, at, form);
    const size = sizeOfForm(info, form, { offset: at, addressSize, offsetSize });
    if (size === null) return null;
    at += size;
  }
  return null;
}

type Attribute = {
  readonly attribute: number;
  readonly form: number;
  /** Value of DW_FORM_implicit_const; null for other forms. */
  readonly implicit: number | null;
};

/** Returns the attributes of abbreviation `code` in the table at `offset`; none if it is missing. */
function attributesOf(abbrev: ByteReader, offset: number, code: number): readonly Attribute[] {
  let at = offset;
  while (at < abbrev.length) {
    const declared = uleb(abbrev, at);
    if (declared.value === 0) return [];
    // The tag, and one byte that tells whether there are children.
    at = uleb(abbrev, declared.end).end + 1;
    const attributes: Attribute[] = [];
    for (;;) {
      const attribute = uleb(abbrev, at);
      const form = uleb(abbrev, attribute.end);
      at = form.end;
      if (attribute.value === 0 && form.value === 0) break;
      const isImplicit = form.value === DW_FORM.implicitConst;
      const value = isImplicit ? uleb(abbrev, at) : null;
      at = value?.end ?? at;
      attributes.push({
        attribute: attribute.value,
        form: form.value,
        implicit: value?.value ?? null,
      });
    }
    if (declared.value === code) return attributes;
  }
  return [];
}

const DW_FORM = {
  addr: 0x01,
  block2: 0x03,
  block4: 0x04,
  data2: 0x05,
  string: 0x08,
  block: 0x09,
  block1: 0x0a,
  data1: 0x0b,
  udata: 0x0f,
  exprloc: 0x18,
  implicitConst: 0x21,
} as const;

/** Sizes of forms in bytes. */
const FIXED: ReadonlyMap<number, number> = new Map([
  [0x05, 2],
  [0x06, 4],
  [0x07, 8],
  [0x0b, 1],
  [0x0c, 1],
  [0x11, 1],
  [0x12, 2],
  [0x13, 4],
  [0x14, 8],
  [0x19, 0],
  [0x1c, 4],
  [0x1e, 16],
  [0x20, 8],
  [0x24, 8],
  [0x25, 1],
  [0x26, 2],
  [0x27, 3],
  [0x28, 4],
  [0x29, 1],
  [0x2a, 2],
  [0x2b, 3],
  [0x2c, 4],
]);
/** Forms of the size of an offset: strp, ref_addr, sec_offset, strp_sup, line_strp. */
const OFFSETS: ReadonlySet<number> = new Set([0x0e, 0x10, 0x17, 0x1d, 0x1f]);
/** Forms that are one LEB128: sdata, udata, ref_udata, strx, addrx, loclistx, rnglistx. */
const LEBS: ReadonlySet<number> = new Set([0x0d, 0x0f, 0x15, 0x1a, 0x1b, 0x22, 0x23]);

/** Returns the number of bytes of a value; null for an unknown form. */
function sizeOfForm(info: ByteReader, form: number, place: Form): number | null {
  const { offset, addressSize, offsetSize } = place;
  const fixed = FIXED.get(form);
  if (fixed !== undefined) return fixed;
  if (OFFSETS.has(form)) return offsetSize;
  if (LEBS.has(form)) return uleb(info, offset).end - offset;
  switch (form) {
    case DW_FORM.addr:
      return addressSize;
    case DW_FORM.string: {
      const end = info.bytes.indexOf(0, offset);
      return end < 0 ? null : end + 1 - offset;
    }
    case DW_FORM.block1:
      return 1 + info.u8(offset);
    case DW_FORM.block2:
      return 2 + info.u16(offset);
    case DW_FORM.block4:
      return 4 + info.u32(offset);
    case DW_FORM.block:
    case DW_FORM.exprloc: {
      const length = uleb(info, offset);
      return length.end - offset + length.value;
    }
    default:
      return null;
  }
}

function constantAt(info: ByteReader, at: number, form: number): number | null {
  switch (form) {
    case DW_FORM.data1:
      return info.u8(at);
    case DW_FORM.data2:
      return info.u16(at);
    case DW_FORM.udata:
      return uleb(info, at).value;
    default:
      return null;
  }
}

/** Reads an unsigned LEB128 of at most 53 bits. Throws `Malformed`. */
function uleb(
  reader: ByteReader,
  offset: number,
): { readonly value: number; readonly end: number } {
  let value = 0;
  let scale = 1;
  for (let at = offset; ; at++) {
    const byte = reader.u8(at);
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return { value, end: at + 1 };
    scale *= 128;
    if (scale > Number.MAX_SAFE_INTEGER) {
      throw reader.malformed('dwarf.leb128', `${reader.region}: a number has more than 53 bits`, {
        at: [offset, at - offset],
      });
    }
  }
}
