/**
 * What follows `struct btf_type`: members, enumerators, parameters, variables,
 * or a few words that stand there once.
 *
 * Source: "BTF Type Format", sections 2.2.1 to 2.2.19.
 */

import { makeField, type StructureField } from '#analysis/fields/field.ts';
import {
  type BitSpec,
  type FieldSpec,
  readNumber,
  type StructPlace,
  structFields,
} from '#analysis/fields/struct-fields.ts';
import { BtfKind, kindLayout } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { isComposite } from '#model/type-items.ts';
import { kindFlagOf, nameOf, stringAt, type TypeTable } from '#model/type-table.ts';
import { aboutLinkage, aboutType, nameField } from './btf-text.ts';

export type ItemMaker = {
  /** Bytes of one item. */
  readonly size: number;
  readonly make: (index: number, place: StructPlace) => StructureField;
};

type ItemForm = {
  readonly word: string;
  readonly cType: string;
  readonly fields: readonly FieldSpec[];
};

/** How the items of a record are made; null for kinds that have none. */
export function itemsOf(types: TypeTable, id: TypeId, kind: number): ItemMaker | null {
  const form = formOf(types, id, kind);
  const size = kindLayout(kind)?.item ?? 0;
  if (form === null || size === 0) return null;
  return {
    size,
    make: (index, place) =>
      makeField('item', `${form.word} [${index}]${itemName(types, kind, place)}`, place.span, {
        cType: form.cType,
        source: place.source,
        selection: typeSelection(id, isComposite(kind) ? [index] : []),
        parts: () => structFields(place, form.fields),
      }),
  };
}

/** The item's own name, or for a variable of a section that of its VAR. */
function itemName(types: TypeTable, kind: number, { span, read, endian }: StructPlace): string {
  const first = readNumber(read, { start: span.start, end: span.start + 4 }, endian) ?? 0n;
  const name =
    kind === BtfKind.DATASEC
      ? nameOf(types, typeId(Number(first)))
      : stringAt(types, Number(first));
  if (first === 0n || name === '') return '';
  return ` ${name.length > 80 ? `${name.slice(0, 80)}…` : name}`;
}

function formOf(types: TypeTable, id: TypeId, kind: number): ItemForm | null {
  const flag = kindFlagOf(types, id);
  switch (kind) {
    case BtfKind.STRUCT:
    case BtfKind.UNION:
      return {
        word: 'member',
        cType: 'struct btf_member',
        fields: [nameField(types, 0), typeField(types, 4), memberOffset(flag)],
      };
    case BtfKind.ENUM:
      return {
        word: 'enumerator',
        cType: 'struct btf_enum',
        fields: [
          nameField(types, 0),
          {
            name: 'val',
            cType: '__s32',
            offset: 4,
            size: 4,
            notation: flag ? 'signed' : 'decimal',
          },
        ],
      };
    case BtfKind.ENUM64:
      return {
        word: 'enumerator',
        cType: 'struct btf_enum64',
        fields: [
          nameField(types, 0),
          u32('val_lo32', 4, 'low half'),
          u32('val_hi32', 8, 'high half'),
        ],
      };
    case BtfKind.FUNC_PROTO:
      return {
        word: 'parameter',
        cType: 'struct btf_param',
        fields: [nameField(types, 0), typeField(types, 4)],
      };
    case BtfKind.DATASEC:
      return {
        word: 'variable',
        cType: 'struct btf_var_secinfo',
        fields: [
          typeField(types, 0),
          u32('offset', 4, 'bytes from the start of the section'),
          u32('size', 8, 'bytes'),
        ],
      };
    default:
      return null;
  }
}

/** The words behind the record of a kind that has them once; none where the kind has items or nothing. */
export function fixedFields(types: TypeTable, id: TypeId, kind: number): readonly FieldSpec[] {
  switch (kind) {
    case BtfKind.INT:
      return [
        {
          name: '',
          label: 'data',
          cType: '__u32',
          offset: 0,
          size: 4,
          notation: 'hex',
          meaning: intWords,
          bits: intBits,
        },
      ];
    case BtfKind.ARRAY:
      return [typeField(types, 0), typeField(types, 4, 'index_type'), u32('nelems', 8, 'elements')];
    case BtfKind.VAR:
      return [{ ...u32('linkage', 0), meaning: (value) => aboutLinkage(Number(value)) }];
    case BtfKind.DECL_TAG:
      return [
        {
          name: 'component_idx',
          cType: '__s32',
          offset: 0,
          size: 4,
          notation: 'signed',
          meaning: (value) =>
            value >= 0x80000000n ? 'the type itself' : 'number of a member or parameter',
          selection: () => typeSelection(id),
        },
      ];
    default:
      return [];
  }
}

function u32(name: string, offset: number, meaning = ''): FieldSpec {
  return { name, cType: '__u32', offset, size: 4, meaning: () => meaning };
}

function typeField(types: TypeTable, offset: number, name = 'type'): FieldSpec {
  return {
    name,
    cType: '__u32',
    offset,
    size: 4,
    meaning: (value) => aboutType(types, value),
    selection: (value) => (value === 0n ? null : typeSelection(typeId(Number(value)))),
  };
}

/** With kind_flag the upper eight bits are the width of a bit-field. Source: section 2.2.4. */
function memberOffset(kindFlag: boolean): FieldSpec {
  const field: FieldSpec = { name: 'offset', cType: '__u32', offset: 8, size: 4 };
  if (!kindFlag) return { ...field, meaning: (value) => bitPlace(Number(value)) };
  const width = (value: bigint) => Number(value >> 24n);
  return {
    ...field,
    notation: 'hex',
    meaning: (value) => {
      const bits = width(value) === 0 ? '' : `, ${width(value)} wide`;
      return `${bitPlace(Number(value & 0xffffffn))}${bits}`;
    },
    bits: (value) => [
      { name: 'bit_offset', length: 24, meaning: bitPlace(Number(value & 0xffffffn)) },
      {
        name: 'bitfield_size',
        length: 8,
        meaning: width(value) === 0 ? 'no bit-field' : 'bits wide',
      },
    ],
  };
}

/** `byte 4`, `byte 4, bit 3`. */
function bitPlace(bitOffset: number): string {
  const bit = bitOffset % 8;
  return `byte ${Math.floor(bitOffset / 8)}${bit === 0 ? '' : `, bit ${bit}`}`;
}

function intWords(value: bigint): string {
  const { encoding, offset, bits } = intOf(value);
  return `${bits} bits${offset === 0 ? '' : ` from bit ${offset}`}, ${encodingWords(encoding)}`;
}

/** Source: section 2.2.1: BTF_INT_BITS, BTF_INT_OFFSET, BTF_INT_ENCODING. */
function intBits(value: bigint): readonly BitSpec[] {
  return [
    { name: 'bits', length: 8, meaning: 'width in bits' },
    { name: '', length: 8 },
    { name: 'offset', length: 8, meaning: 'first bit' },
    { name: 'encoding', length: 4, meaning: encodingWords(intOf(value).encoding) },
    { name: '', length: 4 },
  ];
}

function intOf(value: bigint) {
  const data = Number(value);
  return { encoding: (data >>> 24) & 0xf, offset: (data >>> 16) & 0xff, bits: data & 0xff };
}

function encodingWords(encoding: number): string {
  const words = ['SIGNED', 'CHAR', 'BOOL'].filter((_, i) => (encoding & (1 << i)) !== 0);
  return words.length === 0 ? 'unsigned' : words.join(' ');
}
