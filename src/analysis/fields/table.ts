/** Shared parts of tables: entries of equal size, consecutive fields. */
import type { CStruct } from '#bytes/c-struct.ts';
import { type Span, spanOf } from '#bytes/span.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { FileStructure } from './context.ts';
import { type FieldList, makeField, type StructureField, sequence } from './field.ts';
import type { FieldSpec, StructPlace } from './struct-fields.ts';

/** Returns entries of equal size, and the remaining bytes at the end. */
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

/** Returns the position of an entry, in the byte order of the file. */
export function placeOf({ model, read }: FileStructure, span: Span, source: string): StructPlace {
  return { span, endian: model.endian, read, source };
}

/** Returns an ELF type name by the class of the file, such as `Elf64_Word`. */
export function elf(model: ObjectModel, name: string): string {
  return `Elf${model.addressBits}_${name}`;
}

/** Returns the number types of the file's class; `wide` has the size of an address. */
export function elfTypes(model: ObjectModel) {
  const size = model.addressBits / 8;
  return {
    word: { cType: elf(model, 'Word'), size: 4 },
    wide: { cType: elf(model, size === 8 ? 'Xword' : 'Word'), size },
    addr: { cType: elf(model, 'Addr'), size, notation: 'hex' },
    off: { cType: elf(model, 'Off'), size, notation: 'hex' },
  } as const;
}

/** Returns consecutive fields; widths in bytes. */
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

/** Returns the fields of an eCOFF struct; `meanings` replaces the meanings of its table. */
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
