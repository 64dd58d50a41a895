/** What the tables of an ELF file have in common: entries of one size, fields one behind the other. */
import type { CStruct } from '#bytes/c-struct.ts';
import { type Span, spanOf } from '#bytes/span.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { FileStructure } from './context.ts';
import { type FieldList, makeField, type StructureField, sequence } from './field.ts';
import type { FieldSpec, StructPlace } from './struct-fields.ts';

/** Entries of one size, and the bytes at the end that are too few for one. */
export function table(
  span: Span,
  size: number,
  count: number,
  make: (index: number, at: Span) => StructureField,
  rest: (at: Span) => StructureField = notRead,
): FieldList {
  const end = span.start + size * count;
  return sequence(
    end < span.end ? count + 1 : count,
    (i) => (i > count ? span.end : span.start + size * i),
    (i) =>
      i < count
        ? make(i, spanOf(span.start + size * i, size))
        : rest({ start: end, end: span.end }),
  );
}

function notRead(at: Span): StructureField {
  const meaning = 'Rest of the table, not read';
  return makeField('undescribed', 'not read', at, { meaning });
}

/** Where an entry is, in the byte order of the file. */
export function placeOf({ model, read }: FileStructure, span: Span, source: string): StructPlace {
  return { span, endian: model.endian, read, source };
}

/** `Elf64_Word` and the like, by the class of the file. */
export function elf(model: ObjectModel, name: string): string {
  return `Elf${model.addressBits}_${name}`;
}

/** The number types of the file's class, with their sizes in bytes; `wide` is as long as an address. */
export function elfTypes(model: ObjectModel) {
  const size = model.addressBits / 8;
  return {
    word: { cType: elf(model, 'Word'), size: 4 },
    wide: { cType: elf(model, size === 8 ? 'Xword' : 'Word'), size },
    addr: { cType: elf(model, 'Addr'), size, notation: 'hex' },
    off: { cType: elf(model, 'Off'), size, notation: 'hex' },
  } as const;
}

/** Fields one behind the other; widths in bytes. */
export function inRow(
  fields: readonly (Omit<FieldSpec, 'offset'> & { readonly size: number })[],
): readonly FieldSpec[] {
  let offset = 0;
  return fields.map((field) => {
    const placed = { ...field, offset };
    offset += field.size;
    return placed;
  });
}

const COFF_TYPES: Readonly<Record<number, string>> = {
  2: 'coff_ushort',
  4: 'coff_uint',
  8: 'coff_ulong',
};

/** The fields of a struct of eCOFF; `meanings` tells of values, the table of the struct of all else. */
export function cStructFields<Key extends string>(
  { fields }: Pick<CStruct<Readonly<Record<Key, 'x64'>>>, 'fields'>,
  meanings?: Readonly<Partial<Record<Key, (value: bigint) => string>>>,
): readonly FieldSpec[] {
  return fields.map(({ key, name, offset, size, isHex, isNumber, meaning }) => ({
    name,
    cType: isNumber ? (COFF_TYPES[size] ?? '') : `char[${size}]`,
    offset,
    size,
    notation: isHex || !isNumber ? 'hex' : 'decimal',
    meaning: meanings?.[key] ?? (() => meaning),
  }));
}
