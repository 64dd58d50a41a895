/** Shared parts of tables: entries of equal size, and fields without gaps. */
import type { CStruct } from '#bytes/c-struct.ts';
import { type Span, spanOf } from '#bytes/span.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { FileStructure } from './context.ts';
import { type FieldList, makeField, type StructureField, sequence } from './field.ts';
import type { FieldSpec, StructPlace } from './struct-fields.ts';

/** Returns `count` entries of equal size, then one part for the remaining bytes of `span`. */
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

/** Returns the place of an entry, with the file's byte order. */
export function placeOf({ model, read }: FileStructure, span: Span, source: string): StructPlace {
  return { span, endian: model.endian, read, source };
}

/** Returns the ELF type name for the file's class: `Elf64_Word` or `Elf32_Word`. */
export function elf(model: ObjectModel, name: string): string {
  return `Elf${model.addressBits}_${name}`;
}

/** Returns the names of number types in the file's class; `wide` is as long as an address. */
export function elfTypes(model: ObjectModel) {
  const size = model.addressBits / 8;
  return {
    word: { cType: elf(model, 'Word'), size: 4 },
    wide: { cType: elf(model, size === 8 ? 'Xword' : 'Word'), size },
    addr: { cType: elf(model, 'Addr'), size, notation: 'hex' },
    off: { cType: elf(model, 'Off'), size, notation: 'hex' },
  } as const;
}

/** Returns the specifications of fields without gaps; widths are in bytes. */
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

/** Returns the fields of an eCOFF struct; `meanings` take precedence over the struct's own. */
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
