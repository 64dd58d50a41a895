/** Terms of a BTF blob as a whole: its header and its sections. */
import { BtfKind } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { refOf } from '#model/type-table.ts';
import { headerBlock, headerField } from './find-records.ts';
import { bytesAt, typeOf } from './find-types.ts';
import { bytes, flow, type Picture, record } from './picture.ts';
import { BTF_HEADER, btfHeaderFile, btfRst, TYPE_ENCODING } from './sources.ts';
import type { TermCard } from './term.ts';

const HEADER = 'magic:2 version:1 flags:1 hdr_len:4 type_off:4 type_len:4 str_off:4 str_len:4';

function header(lit: string): Picture {
  return record('struct btf_header', HEADER, lit);
}

export const BTF_HEADER_CARDS: readonly TermCard[] = [
  {
    id: 'btf-section',
    says: [
      'BTF is the debug information of BPF programs and maps: .BTF holds the types of a program, a module or a kernel in a compact form that the kernel reads.',
      'It consists of a header, the type records, and the strings that the records refer to by offset.',
    ],
    picture: flow(['header', 'types', 'strings'], 0),
    source: btfRst('4.1 .BTF section', 'btf-section'),
    related: ['magic', 'hdr-len', 'btf-type', 'string-section', 'btf-ext'],
    find: headerBlock('BTF header'),
  },
  {
    id: 'magic',
    says: [
      'The first two bytes of a BTF blob are the number 0xeb9f.',
      'The bytes 9f eb mean little-endian, eb 9f big-endian.',
    ],
    picture: bytes('9f eb 01 00 18 00 00 00', 0, 2, '0xeb9f, little-endian'),
    source: BTF_HEADER,
    related: ['btf-section', 'endianness', 'hdr-len'],
    find: headerField('BTF header', 'magic'),
  },
  {
    id: 'hdr-len',
    says: [
      'The length of the header in bytes: 24, or 32 with the fields of a layout section.',
      'All offsets in the header count from its end, so a reader must use this number.',
    ],
    picture: header('hdr_len'),
    source: BTF_HEADER,
    related: ['type-off', 'str-off', 'layout-section'],
    find: headerField('BTF header', 'hdr_len'),
  },
  {
    id: 'type-off',
    says: [
      'The offset of the type records from the end of the header, in bytes.',
      'The offset must be a multiple of 4, since records consist of 32-bit words.',
    ],
    picture: header('type_off'),
    source: BTF_HEADER,
    related: ['type-len', 'hdr-len', 'btf-type', 'str-off'],
    find: headerField('BTF header', 'type_off'),
  },
  {
    id: 'type-len',
    says: [
      'The length of all type records together, in bytes.',
      'It does not give the number of types, since records differ in length.',
    ],
    picture: header('type_len'),
    source: BTF_HEADER,
    related: ['type-off', 'btf-type', 'str-len'],
    find: headerField('BTF header', 'type_len'),
  },
  {
    id: 'str-off',
    says: [
      'The offset of the strings from the end of the header, in bytes.',
      'The kernel accepts a blob only if the strings come last and their first and last byte are 0.',
    ],
    picture: header('str_off'),
    source: BTF_HEADER,
    related: ['str-len', 'string-section', 'name-off', 'hdr-len'],
    find: headerField('BTF header', 'str_off'),
  },
  {
    id: 'str-len',
    says: [
      'The length of the string section in bytes, with the zero byte of each string.',
      'An offset of a name must be less than it; in split BTF, offsets count on from the strings of the base.',
    ],
    picture: header('str_len'),
    source: BTF_HEADER,
    related: ['str-off', 'string-section', 'type-len'],
    find: headerField('BTF header', 'str_len'),
  },
  {
    id: 'string-section',
    says: [
      'All names of a BTF blob, each ended by a zero byte; records refer to them by offset.',
      'The string at offset 0 is empty: a type without a name has offset 0.',
    ],
    picture: bytes('00 69 6e 74 00 66 6f 6f 00', 1, 5, '“int” at offset 1'),
    source: btfRst('2.1 String Encoding', 'string-encoding'),
    related: ['name-off', 'str-off', 'access-str-off'],
    find: (model) => {
      const { types } = model;
      if (types?.fileOffset == null) return null;
      return bytesAt(model, types.fileOffset + types.strStart, types.strEnd - types.strStart);
    },
  },
  {
    id: 'layout-section',
    says: [
      'A table with, for each kind, the bytes that follow the record once and the bytes per item.',
      'With it a reader can skip unknown kinds; kernels without support for it reject the blob.',
    ],
    picture: record('entry of one kind', 'info_sz:1 elem_sz:1 flags:2', 'info_sz'),
    source: btfHeaderFile('struct btf_layout'),
    related: ['hdr-len', 'info-wide', 'kind'],
    find: headerField('BTF header', 'layout_off'),
  },
  {
    id: 'type-id',
    says: [
      'The number of a type: the position of its record, counted from 1.',
      'A record does not contain its id, so adding or removing a record shifts all later ids.',
    ],
    picture: flow(['[1] INT', '[2] PTR', '[3] STRUCT'], 1),
    source: TYPE_ENCODING,
    related: ['void', 'btf-type', 'split-btf'],
    find: ({ types }) =>
      types === null || types.count === 0
        ? null
        : { selection: typeSelection(typeId(types.firstId)), view: 'types' },
  },
  {
    id: 'void',
    says: [
      'Type id 0 is void; it has no record.',
      'A pointer to void has type 0; so has the result of a function that returns nothing, and the last parameter of a variadic function.',
    ],
    picture: flow(['PTR', 'type 0', 'void'], 2),
    source: TYPE_ENCODING,
    related: ['type-id', 'kind-ptr', 'kind-func-proto'],
    find: typeOf([BtfKind.PTR, BtfKind.FUNC_PROTO], (t, id) => refOf(t, id) === 0),
  },
];
