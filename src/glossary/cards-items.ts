/** Terms of what follows a record: members, enumerators, parameters, variables. */
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { arrayData, type TypeTable, vlenOf } from '#model/type-table.ts';
import { bitfieldIndex, COMPOSITES, memberOf, recordBytes, typeOf } from './find-types.ts';
import { flow, record, word } from './picture.ts';
import { btfKind, btfRst } from './sources.ts';
import type { TermCard } from './term.ts';

const hasItems = (t: TypeTable, id: TypeId): boolean => vlenOf(t, id) > 0;

export const ITEM_CARDS: readonly TermCard[] = [
  {
    id: 'member',
    says: [
      'One member of a struct or union: the offset of its name, the id of its type, and its offset in bits.',
      'A member without a name is an anonymous struct or union; C accesses its members directly.',
    ],
    picture: record('struct btf_member', 'name_off:4 type:4 offset:4', 'offset'),
    source: btfKind(4, 'STRUCT'),
    related: ['bit-offset', 'bitfield-size', 'kind-struct'],
    find: memberOf(COMPOSITES, (t, id) => (vlenOf(t, id) > 0 ? 0 : -1)),
  },
  {
    id: 'bit-offset',
    says: [
      'The offset of a member from the start of the struct, in bits.',
      'It is the whole offset word if kind_flag is 0, and its low 24 bits if kind_flag is 1.',
    ],
    picture: word(32, 'bitfield_size:8 bit_offset:24', 'bit_offset'),
    source: btfKind(4, 'STRUCT'),
    related: ['bitfield-size', 'kind-flag', 'member'],
    find: recordBytes(COMPOSITES, 20, 4, hasItems),
  },
  {
    id: 'bitfield-size',
    says: [
      'The width of a bit-field in bits, in the highest eight bits of the offset word; 0 for other members.',
      'Only structs and unions whose kind_flag is set have it.',
    ],
    picture: word(32, 'bitfield_size:8 bit_offset:24', 'bitfield_size'),
    source: btfKind(4, 'STRUCT'),
    related: ['bit-offset', 'bit-field', 'kind-flag'],
    find: memberOf(COMPOSITES, bitfieldIndex),
  },
  {
    id: 'int-encoding',
    says: [
      'The word after an INT: the encoding (SIGNED, CHAR or BOOL), the width in bits and the bit offset.',
      'At most one encoding may be set; none means unsigned; the width is at most 128 bits and at most that of the size.',
    ],
    picture: word(32, '_:4 encoding:4 offset:8 _:8 bits:8', 'encoding'),
    source: btfKind(1, 'INT'),
    related: ['kind-int', 'signed', 'bit-field'],
    find: recordBytes([BtfKind.INT], 12, 4),
  },
  {
    id: 'nelems',
    says: [
      'The number of elements of an array, in the last word of its record.',
      'It is 0 for a flexible array; a multi-dimensional array is an array of arrays.',
    ],
    picture: record('struct btf_array', 'type:4 index_type:4 nelems:4', 'nelems'),
    source: btfKind(3, 'ARRAY'),
    related: ['kind-array', 'flexible-array'],
    find: recordBytes([BtfKind.ARRAY], 20, 4, (t, id) => arrayData(t, id).nelems > 0),
  },
  {
    id: 'enumerator',
    says: [
      'One name of an enum with its value in 32 bits.',
      'The items of an ENUM64 have three words, since a value has two.',
    ],
    picture: record('struct btf_enum', 'name_off:4 val:4', 'val'),
    source: btfKind(6, 'ENUM'),
    related: ['kind-enum', 'kind-enum64', 'enumval-value'],
    find: recordBytes([BtfKind.ENUM], 12, 8, hasItems),
  },
  {
    id: 'param',
    says: [
      'One parameter of a function: the offset of its name and the id of its type.',
      'A last parameter without name and type means variable arguments.',
    ],
    picture: record('struct btf_param', 'name_off:4 type:4', 'type'),
    source: btfKind(13, 'FUNC_PROTO'),
    related: ['kind-func-proto', 'void'],
    find: recordBytes([BtfKind.FUNC_PROTO], 12, 8, hasItems),
  },
  {
    id: 'var-secinfo',
    says: [
      'The place of a variable in its section: the id of its VAR, its offset and its size in bytes.',
      'Clang writes the offset as a relocation of the variable’s symbol.',
    ],
    picture: record('struct btf_var_secinfo', 'type:4 offset:4 size:4', 'offset'),
    source: btfKind(15, 'DATASEC'),
    related: ['kind-datasec', 'kind-var', 'reloc-nodyld32'],
    find: recordBytes([BtfKind.DATASEC], 12, 12, hasItems),
  },
  {
    id: 'linkage',
    says: [
      'Whether a function or variable is static, global, or extern (only declared).',
      'A FUNC has it in vlen, a VAR in an extra word: 0, 1 or 2.',
    ],
    picture: record('BTF_KIND_VAR', 'name_off:4 info:4 type:4 linkage:4', 'linkage'),
    source: btfRst('2.3.1 Function Linkage Constant Values', 'function-linkage-constant-values'),
    related: ['kind-func', 'kind-var', 'vlen'],
    find: typeOf([BtfKind.FUNC, BtfKind.VAR]),
  },
  {
    id: 'type-tag-chain',
    says: [
      'A pointer leads to any number of TYPE_TAGs, then to any number of CONST, VOLATILE, RESTRICT or TYPEDEF, and at last to the base type.',
      'The base type is an INT, PTR, ARRAY, STRUCT, UNION, ENUM, FUNC_PROTO or FLOAT.',
    ],
    picture: flow(['PTR', 'TYPE_TAG', 'CONST', 'base type'], 1),
    source: btfKind(18, 'TYPE_TAG'),
    related: ['kind-type-tag', 'kind-ptr', 'kind-const'],
    find: typeOf([BtfKind.TYPE_TAG]),
  },
  {
    id: 'component-idx',
    says: [
      'The member or parameter that a decl tag is on, counted from 0, or -1 for the whole declaration.',
      'A struct or union has it for members and a function for parameters; variables and typedefs have -1 only.',
    ],
    picture: record(
      'BTF_KIND_DECL_TAG',
      'name_off:4 info:4 type:4 component_idx:4',
      'component_idx',
    ),
    source: btfKind(17, 'DECL_TAG'),
    related: ['kind-decl-tag', 'member', 'param'],
    find: recordBytes([BtfKind.DECL_TAG], 12, 4),
  },
];
