/**
 * Which field of a BTF type record a byte belongs to.
 *
 * Source: "BTF Type Format", sections 2.2 to 2.2.19, and the structs of
 * include/uapi/linux/btf.h.
 */
import { BTF_TYPE_SIZE, BtfKind } from '#formats/btf/kinds.ts';

const COMMON = ['name_off', 'info', 'size / type'] as const;

const WITH_SIZE: ReadonlySet<number> = new Set([
  BtfKind.INT,
  BtfKind.STRUCT,
  BtfKind.UNION,
  BtfKind.ENUM,
  BtfKind.ENUM64,
  BtfKind.DATASEC,
  BtfKind.FLOAT,
]);

type Tail = { readonly item: string | null; readonly fields: readonly string[] };

const MEMBERS: Tail = { item: 'member', fields: ['name_off', 'type', 'offset'] };

/** What follows the common part; `item` where it repeats `vlen` times. */
const TAILS: ReadonlyMap<number, Tail> = new Map<number, Tail>([
  [BtfKind.INT, { item: null, fields: ['encoding, offset, bits'] }],
  [BtfKind.ARRAY, { item: null, fields: ['type', 'index_type', 'nelems'] }],
  [BtfKind.STRUCT, MEMBERS],
  [BtfKind.UNION, MEMBERS],
  [BtfKind.ENUM, { item: 'enumerator', fields: ['name_off', 'val'] }],
  [BtfKind.ENUM64, { item: 'enumerator', fields: ['name_off', 'val_lo32', 'val_hi32'] }],
  [BtfKind.FUNC_PROTO, { item: 'parameter', fields: ['name_off', 'type'] }],
  [BtfKind.VAR, { item: null, fields: ['linkage'] }],
  [BtfKind.DATASEC, { item: 'variable', fields: ['type', 'offset', 'size'] }],
  [BtfKind.DECL_TAG, { item: null, fields: ['component_idx'] }],
]);

export type TypeField = {
  /** As the kernel's structs spell it: `info`, `nelems`. Empty where the kind says nothing of it. */
  readonly name: string;
  /** Which member, enumerator, parameter or variable; null in the rest of the record. */
  readonly item: { readonly word: string; readonly index: number } | null;
};

/** The field at `recordOffset` bytes from the start of a record of `kind`. */
export function typeField(kind: number, recordOffset: number): TypeField {
  if (recordOffset < BTF_TYPE_SIZE) {
    const name = COMMON[Math.floor(recordOffset / 4)] ?? '';
    const isLast = name === 'size / type';
    return { name: isLast ? (WITH_SIZE.has(kind) ? 'size' : 'type') : name, item: null };
  }
  const tail = TAILS.get(kind);
  if (tail === undefined) return { name: '', item: null };
  const word = Math.floor((recordOffset - BTF_TYPE_SIZE) / 4);
  const name = tail.fields[word % tail.fields.length] ?? '';
  if (tail.item === null) return { name, item: null };
  return { name, item: { word: tail.item, index: Math.floor(word / tail.fields.length) } };
}
