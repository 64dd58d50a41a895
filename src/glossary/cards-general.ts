/** Terms that are not of one format: byte order, and what C leaves between members. */
import { structLayout } from '#analysis/types/struct-layout.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { membersOf } from '#model/type-items.ts';
import { arrayData, kindOf, type TypeTable } from '#model/type-table.ts';
import { headerField } from './find-records.ts';
import { bitfieldIndex, COMPOSITES, memberOf, typeOf } from './find-types.ts';
import { bytes, layout } from './picture.ts';
import { btfKind, gabi } from './sources.ts';
import type { TermCard } from './term.ts';

const MEMBERS = btfKind(4, 'STRUCT');

/** The last member, where it is an array without elements; else -1. */
function flexibleIndex(t: TypeTable, id: TypeId): number {
  const last = membersOf(t, id).at(-1);
  if (last === undefined || kindOf(t, last.type) !== BtfKind.ARRAY) return -1;
  return arrayData(t, last.type).nelems === 0 ? last.index : -1;
}

export const GENERAL_CARDS: readonly TermCard[] = [
  {
    id: 'endianness',
    says: [
      'The byte order of numbers: little-endian has the least significant byte first, big-endian the most significant.',
      'The object’s header states it; a program loads only on machines of the same byte order.',
    ],
    picture: bytes('12 34 56 78', 0, 4, 'big-endian 0x12345678, little-endian 0x78563412'),
    source: gabi('ELF Identification', 'eheader'),
    related: ['magic', 'dst-src'],
    find: (model) =>
      headerField('ELF header', 'e_ident[EI_DATA]')(model) ??
      headerField('BTF header', 'magic')(model),
  },
  {
    id: 'padding',
    says: [
      'Bytes after the last member that round the size of a struct up to a multiple of its alignment.',
      'They keep the elements of an array aligned.',
    ],
    picture: layout('struct of 8 bytes', 'byte', 'a:4 b:1 _:3', ''),
    source: MEMBERS,
    related: ['hole', 'kind-struct'],
    find: typeOf([BtfKind.STRUCT], (t, id) => structLayout(t, id).paddingBits > 0),
  },
  {
    id: 'hole',
    says: [
      'Unused bytes or bits between two members, mostly for the alignment of the second.',
      'Their content is undefined, so copying a struct out of the kernel can leak old data.',
    ],
    picture: layout('struct of 8 bytes', 'byte', 'a:1 _:3 b:4', ''),
    source: MEMBERS,
    related: ['padding', 'bit-field', 'member'],
    find: typeOf([BtfKind.STRUCT], (t, id) => structLayout(t, id).holes > 0),
  },
  {
    id: 'flexible-array',
    says: [
      'An array without a size as the last member of a struct: its elements follow the struct.',
      'In BTF it has 0 elements; access strings may have any index.',
    ],
    picture: layout('struct with a tail', 'byte', 'len:4 data[]:8', 'data[]'),
    source: btfKind(3, 'ARRAY'),
    related: ['nelems', 'kind-array', 'access-string'],
    find: memberOf([BtfKind.STRUCT], flexibleIndex),
  },
  {
    id: 'bit-field',
    says: [
      'A member with a width in bits that need not be aligned to bytes.',
      'No single load reads it, so CO-RE has extra kinds for the load and the two shifts.',
    ],
    picture: layout('unsigned int', 'bit', 'a:4 b:15 _:13', 'b'),
    source: MEMBERS,
    related: ['bitfield-size', 'lshift-u64', 'rshift-u64', 'byte-sz'],
    find: memberOf(COMPOSITES, bitfieldIndex),
  },
];
