/**
 * Makes the fields of BTF structs: names, types, linkage, and the data after `struct btf_type`
 * (members, enumerators, parameters, variables, or fixed words). Source: "BTF Type Format",
 * sections 2.2.1 to 2.2.19.
 */
import { makeField, type StructureField } from '#analysis/fields/field.ts';
import {
  type BitSpec,
  type FieldSpec,
  readNumber,
  type StructPlace,
  structFields,
  u32,
} from '#analysis/fields/struct-fields.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { spanOf } from '#bytes/span.ts';
import { bitPlace, hexText } from '#bytes/text.ts';
import {
  BTF_ENUM,
  BTF_ENUM64,
  BTF_LOC_PROTO_PARAM,
  BTF_LOC_SITE,
  BTF_LOC_VALUE,
  BTF_MEMBER,
  BTF_PARAM,
  BTF_VAR_SECINFO,
  BtfKind,
  type BtfStruct,
  intDataOf,
  kindSpec,
  LINKAGE_NAMES,
  LocFlag,
} from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { isComposite } from '#model/type-items.ts';
import { kindFlagOf, nameOf, stringAt, type TypeTable } from '#model/type-table.ts';

type ItemMaker = {
  /** Size of one item in bytes. */
  readonly size: number;
  readonly make: (index: number, place: StructPlace) => StructureField;
};

/** Word for an item (member, enumerator, …) by the C struct of the item. */
const ITEM_WORDS: ReadonlyMap<BtfStruct, string> = new Map<BtfStruct, string>([
  [BTF_MEMBER, 'member'],
  [BTF_ENUM, 'enumerator'],
  [BTF_ENUM64, 'enumerator'],
  [BTF_PARAM, 'parameter'],
  [BTF_VAR_SECINFO, 'variable'],
  [BTF_LOC_VALUE, 'word'],
  [BTF_LOC_PROTO_PARAM, 'parameter'],
  [BTF_LOC_SITE, 'site'],
]);

/** Returns the word for an item of a kind, or null for kinds without items. */
export function itemWord(kind: number): string | null {
  const item = kindSpec(kind)?.item ?? null;
  return item && (ITEM_WORDS.get(item) ?? null);
}

/** Returns a function that makes the items of a record, or null for kinds without items. */
export function itemsOf(types: TypeTable, id: TypeId, kind: number): ItemMaker | null {
  const struct = kindSpec(kind)?.item ?? null;
  if (struct === null) return null;
  const fields = structSpecs(types, struct, numbersOf(types, id)[struct.cType]);
  return {
    size: struct.size,
    make: (index, place) =>
      makeField('item', `${itemWord(kind)} [${index}]${itemName(types, kind, place)}`, place.span, {
        cType: struct.cType,
        source: place.source,
        selection: typeSelection(id, isComposite(kind) ? [index] : []),
        parts: () => structFields(place, fields),
      }),
  };
}

/** Returns the words that follow `struct btf_type`. Empty for kinds that have items instead. */
export function fixedFields(types: TypeTable, id: TypeId, kind: number): readonly FieldSpec[] {
  const struct = kindSpec(kind)?.fixed ?? null;
  return struct === null ? [] : structSpecs(types, struct, numbersOf(types, id)[struct.cType]);
}

/** Returns an item's name: in a DATASEC the VAR's name, for an inline site the FUNC's name. */
function itemName(types: TypeTable, kind: number, { span, read, endian }: StructPlace): string {
  const first = readNumber(read, spanOf(span.start, 4), endian) ?? 0n;
  const holds = kindSpec(kind)?.item?.fields[0]?.holds;
  const isNamedType = kind === BtfKind.DATASEC || kind === BtfKind.LOCSEC;
  if (holds !== 'name' && !isNamedType) return '';
  const name = isNamedType ? nameOf(types, typeId(Number(first))) : stringAt(types, Number(first));
  if (first === 0n || name === '') return '';
  return ` ${name.length > 80 ? `${name.slice(0, 80)}…` : name}`;
}

type NumberFields = Readonly<Record<string, Readonly<Record<string, Partial<FieldSpec>>>>>;

/** Returns explanations of the numbers in record `id`, by C struct and field name. */
function numbersOf(types: TypeTable, id: TypeId): NumberFields {
  const flag = kindFlagOf(types, id);
  return {
    'struct btf_member': { offset: memberOffset(flag) },
    'struct btf_enum': { val: { notation: flag ? 'signed' : 'decimal' } },
    'struct btf_enum64': {
      val_lo32: { meaning: () => 'low half' },
      val_hi32: { meaning: () => 'high half' },
    },
    'struct btf_var_secinfo': {
      offset: { meaning: () => 'bytes from the start of the section' },
      size: { meaning: () => 'bytes' },
    },
    'struct btf_array': { nelems: { meaning: () => 'elements' } },
    'struct btf_var': { linkage: { meaning: (value) => aboutVarLinkage(Number(value)) } },
    'struct btf_decl_tag': {
      component_idx: {
        meaning: (value) =>
          value >= 0x80000000n ? 'the type itself' : 'number of a member or parameter',
        selection: () => typeSelection(id),
      },
    },
    'struct btf_loc': { offset: { meaning: () => 'bytes from the start of the section' } },
    __u32: {
      flags: { notation: 'hex', meaning: (value) => locFlagWords(Number(value)) },
      value: { notation: 'hex' },
      data: { name: '', label: 'data', notation: 'hex', meaning: intWords, bits: intBits },
    },
  };
}

/** Returns a member's offset field. With kind_flag its upper 8 bits are a width (section 2.2.4). */
function memberOffset(kindFlag: boolean): Partial<FieldSpec> {
  if (!kindFlag) return { meaning: (value) => bitPlace(Number(value)) };
  const width = (value: bigint) => Number(value >> 24n);
  return {
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

function intWords(value: bigint): string {
  const { encoding, bitOffset, bits } = intDataOf(Number(value));
  const from = bitOffset === 0 ? '' : ` from bit ${bitOffset}`;
  return `${bits} bits${from}, ${encodingWords(encoding)}`;
}

/** Explains the word of an INT: BTF_INT_BITS, BTF_INT_OFFSET, BTF_INT_ENCODING (section 2.2.1). */
function intBits(value: bigint): readonly BitSpec[] {
  return [
    { name: 'bits', length: 8, meaning: 'width in bits' },
    { name: '', length: 8 },
    { name: 'offset', length: 8, meaning: 'first bit' },
    { name: 'encoding', length: 4, meaning: encodingWords(intDataOf(Number(value)).encoding) },
    { name: '', length: 4 },
  ];
}

/** Returns the names of the set flags, such as `REG DEREF OFFSET`, then the bits without a name. */
function locFlagWords(flags: number): string {
  const named = Object.entries(LocFlag).filter(([, flag]) => (flags & flag) !== 0);
  const rest = named.reduce((left, [, flag]) => left & ~flag, flags) >>> 0;
  const words = named.map(([word]) => word);
  return [...words, ...(rest === 0 ? [] : [`${hexText(rest)} unknown`])].join(' ');
}

function encodingWords(encoding: number): string {
  const words = ['SIGNED', 'CHAR', 'BOOL'].filter((_, i) => (encoding & (1 << i)) !== 0);
  return words.length === 0 ? 'unsigned' : words.join(' ');
}

/** Maximum characters of a name. */
const MAX_SHOWN = 120;

/** Returns the field of a string offset at `offset`. `types` is null for strings of other BTF. */
export function nameField(types: TypeTable | null, offset: number, name = 'name_off'): FieldSpec {
  const meaning = (value: bigint) =>
    types === null ? 'offset of a string of .BTF' : aboutName(types, value);
  return u32(name, offset, { meaning });
}

/** Returns the field of a type id at `offset`. `types` is null for ids of other BTF. */
export function typeField(types: TypeTable | null, offset: number, name = 'type'): FieldSpec {
  return u32(name, offset, {
    meaning: (value) => (types === null ? 'id of a type of .BTF' : aboutType(types, value)),
    selection: (value) =>
      types === null || value === 0n ? null : typeSelection(typeId(Number(value))),
  });
}

/** Returns the fields of a C struct. `more` has, by field name, properties to replace. */
function structSpecs(
  types: TypeTable,
  struct: BtfStruct,
  more: Readonly<Record<string, Partial<FieldSpec>>> = {},
): readonly FieldSpec[] {
  return struct.fields.map(({ name, offset, holds }) => {
    if (holds === 'name') return nameField(types, offset, name);
    if (holds === 'type') return typeField(types, offset, name);
    const signed = { cType: '__s32', notation: 'signed' } as const;
    return u32(name, offset, { ...(holds === 's32' && signed), ...more[name] });
  });
}

function aboutName(types: TypeTable, value: bigint): string {
  if (value === 0n) return 'no name';
  const text = stringAt(types, Number(value), 4 * (MAX_SHOWN + 1));
  return `"${text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text}"`;
}

function aboutType(types: TypeTable, value: bigint): string {
  return value === 0n ? 'void' : typeExpression(types, typeId(Number(value)));
}

const VAR_LINKAGES = ['BTF_VAR_STATIC', 'BTF_VAR_GLOBAL_ALLOCATED', 'BTF_VAR_GLOBAL_EXTERN'];

/** Returns a VAR's linkage as the name of a constant. Source: "BTF Type Format", section 2.3.2. */
function aboutVarLinkage(value: number): string {
  const name = VAR_LINKAGES[value];
  return name === undefined ? aboutLinkage(value) : `${aboutLinkage(value)}, ${name}`;
}

/** Returns the linkage of a FUNC or VAR as text. Source: "BTF Type Format", section 2.3. */
export function aboutLinkage(value: number): string {
  return LINKAGE_NAMES[value] ?? 'unknown linkage';
}
