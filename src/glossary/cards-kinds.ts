/** The kinds of BTF that name a type of C, each with what follows its record. */
import { BtfKind, RELEASED_KIND_MAX } from '#formats/btf/kinds.ts';
import { typeOf } from './find-types.ts';
import { flow, type Picture, record } from './picture.ts';
import { btfKind, nextKind } from './sources.ts';
import type { TermCard } from './term.ts';

const FIRST = 'name_off:4 info:4';

/** The record with what follows it. */
function kindRecord(name: string, rest: string, lit: string): Picture {
  return record(`BTF_KIND_${name}`, `${FIRST} ${rest}`, lit);
}

/** The section of the document on a kind, and the first type of that kind in the file. */
function kind(name: keyof typeof BtfKind): Pick<TermCard, 'source' | 'find'> {
  const source = BtfKind[name] > RELEASED_KIND_MAX ? nextKind(name) : btfKind(BtfKind[name], name);
  return { source, find: typeOf([BtfKind[name]]) };
}

export const KIND_CARDS: readonly TermCard[] = [
  {
    id: 'kind-int',
    says: [
      'An integer, a char or a bool, with its size in bytes and one more word for its encoding and its width in bits.',
      'Enums have their own kinds; floating-point types are BTF_KIND_FLOAT.',
    ],
    picture: kindRecord('INT', 'size:4 int_data:4', 'int_data'),
    related: ['int-encoding', 'kind-float', 'kind-enum'],
    ...kind('INT'),
  },
  {
    id: 'kind-ptr',
    says: [
      'A pointer; its third word is the id of the pointed-to type, or 0 for void.',
      'It has no name and no size: a pointer has eight bytes in BPF, and the machine’s size elsewhere.',
    ],
    picture: flow(['PTR', 'CONST', 'INT char'], 0),
    related: ['void', 'kind-type-tag', 'size-or-type'],
    ...kind('PTR'),
  },
  {
    id: 'kind-array',
    says: [
      'An array: the type of an element, the type of the index and the number of elements.',
      'Its size is not stored: it is nelems times the size of an element.',
    ],
    picture: kindRecord('ARRAY', '0:4 type:4 index_type:4 nelems:4', 'nelems'),
    related: ['nelems', 'flexible-array'],
    ...kind('ARRAY'),
  },
  {
    id: 'kind-struct',
    says: [
      'A struct, with its size in bytes and one item per member: name, type and offset.',
      'Holes and padding are not stored; they follow from the offsets.',
    ],
    picture: kindRecord('STRUCT', 'size:4 member[0]:12 member[1]:12', 'member[0]'),
    related: ['member', 'kind-flag', 'hole', 'kind-union'],
    ...kind('STRUCT'),
  },
  {
    id: 'kind-union',
    says: [
      'A union; the record is the same as that of a struct.',
      'All members have offset 0; the kernel rejects others.',
    ],
    picture: kindRecord('UNION', 'size:4 member[0]:12 member[1]:12', 'size'),
    related: ['kind-struct', 'member'],
    ...kind('UNION'),
  },
  {
    id: 'kind-enum',
    says: [
      'An enum with 32-bit values, with a name and a value for each enumerator.',
      'The kind_flag says whether the values are signed.',
    ],
    picture: kindRecord('ENUM', 'size:4 enum[0]:8 enum[1]:8', 'enum[0]'),
    related: ['enumerator', 'kind-enum64', 'kind-flag'],
    ...kind('ENUM'),
  },
  {
    id: 'kind-fwd',
    says: [
      'A forward declaration: a struct or union of which only the name is known.',
      'kind_flag is 1 for a union; it has no size and no members.',
    ],
    picture: kindRecord('FWD', '0:4', 'info'),
    related: ['kind-flag', 'kind-struct', 'kind-union'],
    ...kind('FWD'),
  },
  {
    id: 'kind-typedef',
    says: [
      'A second name for a type, whose id is the third word.',
      'Access strings skip it, but a CO-RE relocation whose root is a typedef matches only typedefs in the kernel.',
    ],
    picture: flow(['TYPEDEF u32', 'TYPEDEF __u32', 'INT unsigned int'], 0),
    related: ['size-or-type', 'root-type', 'kind-const'],
    ...kind('TYPEDEF'),
  },
  {
    id: 'kind-volatile',
    says: [
      'The qualifier volatile before the type whose id is the third word.',
      'It has no name; sizes and access strings skip it.',
    ],
    picture: flow(['VOLATILE', 'INT int'], 0),
    related: ['kind-const', 'kind-restrict'],
    ...kind('VOLATILE'),
  },
  {
    id: 'kind-const',
    says: [
      'The qualifier const before the type whose id is the third word.',
      'In “const char *” the PTR refers to it; in “char *const” it refers to the PTR.',
    ],
    picture: flow(['PTR', 'CONST', 'INT char'], 1),
    related: ['kind-volatile', 'kind-restrict', 'kind-ptr'],
    ...kind('CONST'),
  },
  {
    id: 'kind-restrict',
    says: [
      'The qualifier restrict before the type whose id is the third word, which is a pointer.',
      'It has no name; sizes and access strings skip it.',
    ],
    picture: flow(['RESTRICT', 'PTR', 'INT char'], 0),
    related: ['kind-const', 'kind-volatile'],
    ...kind('RESTRICT'),
  },
  {
    id: 'kind-func',
    says: [
      'A function: its name and the id of its FUNC_PROTO.',
      'It is a subprogram, not a type; vlen is the linkage.',
    ],
    picture: flow(['FUNC', 'FUNC_PROTO', 'parameters'], 0),
    related: ['kind-func-proto', 'linkage', 'func-info'],
    ...kind('FUNC'),
  },
  {
    id: 'kind-func-proto',
    says: [
      'The type of a function: its third word is the type of the result, and one item follows for each parameter.',
      'It has no name; FUNC records and function pointers refer to it.',
    ],
    picture: kindRecord('FUNC_PROTO', 'type:4 param[0]:8 param[1]:8', 'param[0]'),
    related: ['param', 'kind-func', 'void'],
    ...kind('FUNC_PROTO'),
  },
  {
    id: 'kind-var',
    says: [
      'A global or static variable: its name, its type and one word for its linkage.',
      'The DATASEC of its section has its offset.',
    ],
    picture: kindRecord('VAR', 'type:4 linkage:4', 'linkage'),
    related: ['linkage', 'kind-datasec', 'var-secinfo'],
    ...kind('VAR'),
  },
  {
    id: 'kind-datasec',
    says: [
      'A section of variables, such as .data or .maps, with one item for each: type, offset and size.',
      'Clang writes the size, and often the offsets, as 0; libbpf fills them in from the ELF file.',
    ],
    picture: kindRecord('DATASEC', 'size:4 secinfo[0]:12 secinfo[1]:12', 'secinfo[0]'),
    related: ['var-secinfo', 'kind-var', 'global-data'],
    ...kind('DATASEC'),
  },
  {
    id: 'kind-float',
    says: [
      'A floating-point type with its size in bytes: 2, 4, 8, 12 or 16.',
      'BPF has no floating-point instructions, but structs that programs read may have such members.',
    ],
    picture: kindRecord('FLOAT', 'size:4', 'size'),
    related: ['kind-int', 'size-or-type'],
    ...kind('FLOAT'),
  },
  {
    id: 'kind-decl-tag',
    says: [
      'A string from btf_decl_tag on a struct, union, function, variable or typedef, or on a member or parameter.',
      'The name is that string, or with kind_flag the attribute itself, as aligned(4) of __attribute__((aligned(4))); component_idx is the member or parameter.',
    ],
    picture: kindRecord('DECL_TAG', 'type:4 component_idx:4', 'component_idx'),
    related: ['component-idx', 'kind-type-tag'],
    ...kind('DECL_TAG'),
  },
  {
    id: 'kind-type-tag',
    says: [
      'A string from btf_type_tag on a type, such as user, rcu or percpu.',
      'It stands between a pointer and the pointed-to type; with kind_flag its name is the attribute itself, as address_space(1) of __attribute__((address_space(1))).',
    ],
    picture: flow(['PTR', 'TYPE_TAG user', 'STRUCT'], 1),
    related: ['kind-decl-tag', 'kind-ptr'],
    ...kind('TYPE_TAG'),
  },
  {
    id: 'kind-enum64',
    says: [
      'An enum with 64-bit values, each stored as a low word and a high word.',
      'The low word comes first in both byte orders; for CO-RE, ENUM and ENUM64 match each other.',
    ],
    picture: kindRecord('ENUM64', 'size:4 name_off:4 val_lo32:4 val_hi32:4', 'val_lo32'),
    related: ['kind-enum', 'enumerator', 'kind-flag'],
    ...kind('ENUM64'),
  },
  {
    id: 'kind-loc-param',
    says: [
      'Where one parameter of an inlined function is: a register, memory, or a constant.',
      'Flags say which, and registers have the numbers of DWARF; no released kernel knows this kind yet.',
    ],
    picture: kindRecord('LOC_PARAM', 'size:4 flags:4 value:4', 'flags'),
    related: ['kind-loc-proto', 'kind-locsec', 'param'],
    ...kind('LOC_PARAM'),
  },
  {
    id: 'kind-loc-proto',
    says: [
      'Where all parameters of an inlined function are: a LOC_PARAM for each, in their order.',
      'Type 0 stands for a parameter whose location is not known.',
    ],
    picture: flow(['LOCSEC', 'LOC_PROTO', 'LOC_PARAM'], 1),
    related: ['kind-loc-param', 'kind-locsec', 'kind-func-proto'],
    ...kind('LOC_PROTO'),
  },
  {
    id: 'kind-locsec',
    says: [
      'The calls that the compiler inlined into one section, with the function and its LOC_PROTO.',
      'A function that has sites and no symbol cannot be traced: it exists only inlined.',
    ],
    picture: kindRecord('LOCSEC', 'func:4 loc_proto:4 offset:4', 'offset'),
    related: ['kind-loc-proto', 'kind-func', 'kind-datasec'],
    ...kind('LOCSEC'),
  },
];
