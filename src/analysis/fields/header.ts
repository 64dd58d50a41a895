/** Creates the fields of the header blocks in the model. */
import type { Endian } from '#bytes/span.ts';
import type { HeaderBlock, HeaderField } from '#model/object-model.ts';
import { makeField, paddingField, pieces, type ReadBytes, type StructureField } from './field.ts';
import { BTF_EXT_SOURCE, BTF_HEADER_SOURCE, gabi } from './sources.ts';
import { readNumber } from './struct-fields.ts';

/** Document that defines a header, and the header's type in C. */
export type HeaderAbout = { readonly source: string; readonly cType: string };

export type HeaderPlace = {
  readonly endian: Endian;
  readonly read: ReadBytes;
  readonly addressBits: 32 | 64;
  /** Source and C type of a header that `HEADERS` does not contain. */
  readonly about?: HeaderAbout;
};

const HEADERS: ReadonlyMap<string, HeaderAbout> = new Map([
  ['ELF header', { source: gabi('ELF Header'), cType: 'Elf_Ehdr' }],
  ['BTF header', { source: BTF_HEADER_SOURCE, cType: 'struct btf_header' }],
  ['.BTF.ext header', { source: BTF_EXT_SOURCE, cType: 'struct btf_ext_header' }],
]);

/** Returns the field of a header. `span` may be longer than the fields: the rest is padding. */
export function headerField(
  block: HeaderBlock,
  place: HeaderPlace,
  span = block.span,
): StructureField {
  const { source, cType } = place.about ?? HEADERS.get(block.title) ?? { source: '', cType: '' };
  const isElf = cType === 'Elf_Ehdr';
  return makeField('header', block.title, span, {
    cType: isElf ? `Elf${place.addressBits}_Ehdr` : cType,
    source,
    parts: () =>
      pieces(
        span,
        block.fields.map((field) => ({
          ...field.span,
          make: () => fieldField(field, isElf, source, place),
        })),
        paddingField,
      ),
  });
}

function fieldField(
  field: HeaderField,
  isElf: boolean,
  source: string,
  { endian, read, addressBits }: HeaderPlace,
): StructureField {
  const size = field.span.end - field.span.start;
  // Fields that are not a single number, such as unknown trailing bytes, have an empty value.
  const isNumber = field.value !== '' && readNumber(read, field.span, endian) !== null;
  return makeField('field', field.name, field.span, {
    name: field.name,
    cType: isElf ? elfType(field.name, size, addressBits) : `__u${8 * size}`,
    value: isNumber ? field.value : null,
    meaning: field.meaning,
    source,
  });
}

function elfType(name: string, size: number, addressBits: 32 | 64): string {
  if (size === 1) return 'unsigned char';
  if (size === 2) return `Elf${addressBits}_Half`;
  if (name === 'e_entry') return `Elf${addressBits}_Addr`;
  return name === 'e_phoff' || name === 'e_shoff'
    ? `Elf${addressBits}_Off`
    : `Elf${addressBits}_Word`;
}
