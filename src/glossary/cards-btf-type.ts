/** Terms of `struct btf_type`, the twelve bytes that every record begins with. */
import { BtfKind } from '#formats/btf/kinds.ts';
import { kindFlagOf, vlenOf } from '#model/type-table.ts';
import { COMPOSITES, recordBytes, typeOf } from './find-types.ts';
import { type Picture, record, word } from './picture.ts';
import { btfHeaderFile, TYPE_ENCODING } from './sources.ts';
import type { TermCard } from './term.ts';

const INFO = 'kind_flag:1 _:2 kind:5 _:8 vlen:16';
const INFO_2026 = 'kind_flag:1 kind:7 vlen:24';

function typeRecord(lit: string): Picture {
  return record('struct btf_type', 'name_off:4 info:4 size/type:4', lit);
}

const ANY = Object.values(BtfKind).filter((kind) => kind !== BtfKind.UNKN);

export const BTF_TYPE_CARDS: readonly TermCard[] = [
  {
    id: 'btf-type',
    says: [
      'Every type record begins with these twelve bytes: the name, the info word, and a size or a type id.',
      'Some kinds have nothing more; others have one item for each member, enumerator, parameter or variable.',
    ],
    picture: record('struct btf_type', 'name_off:4 info:4 size/type:4 items…:8', 'info'),
    source: TYPE_ENCODING,
    related: ['name-off', 'info', 'size-or-type', 'type-id'],
    find: typeOf(ANY),
  },
  {
    id: 'name-off',
    says: [
      'The offset of the name in the string section; 0 means no name.',
      'In split BTF, offsets continue after the end of the base’s strings.',
    ],
    picture: typeRecord('name_off'),
    source: TYPE_ENCODING,
    related: ['string-section', 'btf-type', 'split-btf'],
    find: recordBytes(ANY, 0, 4),
  },
  {
    id: 'info',
    says: [
      'The second word of a record contains the kind, a flag whose meaning depends on the kind, and a count.',
      'The kernel rejects a blob if unused bits are not 0.',
    ],
    picture: word(32, INFO, 'kind'),
    source: TYPE_ENCODING,
    related: ['kind', 'kind-flag', 'vlen', 'info-wide'],
    find: recordBytes(ANY, 4, 4),
  },
  {
    id: 'vlen',
    says: [
      'The low bits of the info word: how many members, enumerators, parameters or variables follow the record.',
      'In a FUNC it is the linkage.',
    ],
    picture: word(32, INFO, 'vlen'),
    source: TYPE_ENCODING,
    related: ['info', 'info-wide', 'member', 'linkage'],
    find: recordBytes(
      [...COMPOSITES, BtfKind.ENUM, BtfKind.FUNC_PROTO],
      4,
      4,
      (t, id) => vlenOf(t, id) > 0,
    ),
  },
  {
    id: 'kind',
    says: [
      'The kind of type that a record describes: a number from 1, INT, to 22, LOCSEC.',
      'It determines the meaning of the third word and what follows, so a reader cannot find the record after an unknown kind.',
    ],
    picture: word(32, INFO, 'kind'),
    source: TYPE_ENCODING,
    related: ['info', 'layout-section', 'kind-flag'],
    find: recordBytes(ANY, 4, 4),
  },
  {
    id: 'kind-flag',
    says: [
      'Bit 31 of the info word; its meaning depends on the kind.',
      'It means: members may be bit-fields (STRUCT, UNION), a union (FWD), signed values (ENUM, ENUM64), or that the name is an attribute itself (DECL_TAG, TYPE_TAG).',
    ],
    picture: word(32, INFO, 'kind_flag'),
    source: TYPE_ENCODING,
    related: ['info', 'bitfield-size', 'kind-fwd', 'kind-enum'],
    find: recordBytes([...COMPOSITES, BtfKind.FWD, BtfKind.ENUM], 4, 4, kindFlagOf),
  },
  {
    id: 'info-wide',
    says: [
      'The encoding of 2026 uses the spare bits of the info word: vlen has 24 bits and kind 7.',
      'Blobs that do not need them are the same in both encodings; older readers reject or misread the others.',
    ],
    picture: word(32, INFO_2026, 'vlen'),
    source: btfHeaderFile('struct btf_type'),
    related: ['info', 'vlen', 'kind', 'layout-section'],
    find: null,
  },
  {
    id: 'size-or-type',
    says: [
      'The third word of a record is a size in bytes for types that have one, such as INT, STRUCT and ENUM.',
      'For kinds that refer to another type, such as PTR, CONST and FUNC, it is the id of that type.',
    ],
    picture: typeRecord('size/type'),
    source: TYPE_ENCODING,
    related: ['btf-type', 'type-id', 'kind'],
    find: recordBytes(ANY, 8, 4),
  },
];
