/**
 * The words of a blob's own records that are type ids or string offsets: what
 * has to be written anew when the blob moves to another base.
 *
 * Source: "BTF Type Format", section 2.2. Kinds that are not known keep their
 * words: nobody can tell what they mean.
 */
import { BTF_TYPE_SIZE, BtfKind, infoKind, infoVlen } from '#formats/btf/kinds.ts';
import type { TypeTable } from '#model/type-table.ts';

/** Called with the offset in the blob of each such word. */
export type FieldVisitor = {
  readonly id: (offset: number) => void;
  readonly name: (offset: number) => void;
};

/** Walks all own records of `types`; `view` is over its blob. Total: a record that is cut short was never counted. */
export function visitFields(types: TypeTable, view: DataView, visit: FieldVisitor): void {
  const little = types.endian === 'little';
  for (let i = 0; i < types.count; i++) {
    const start = types.recordOff[i] ?? 0;
    const info = view.getUint32(start + 4, little);
    visitRecord(start, infoKind(info), infoVlen(info), visit);
  }
}

function visitRecord(start: number, kind: number, vlen: number, visit: FieldVisitor): void {
  const items = start + BTF_TYPE_SIZE;
  visit.name(start);
  switch (kind) {
    case BtfKind.PTR:
    case BtfKind.TYPEDEF:
    case BtfKind.VOLATILE:
    case BtfKind.CONST:
    case BtfKind.RESTRICT:
    case BtfKind.FUNC:
    case BtfKind.VAR:
    case BtfKind.DECL_TAG:
    case BtfKind.TYPE_TAG:
      visit.id(start + 8);
      break;
    case BtfKind.ARRAY:
      visit.id(items);
      visit.id(items + 4);
      break;
    case BtfKind.STRUCT:
    case BtfKind.UNION:
      visitItems(items, vlen, 12, { name: 0, id: 4 }, visit);
      break;
    case BtfKind.FUNC_PROTO:
      visit.id(start + 8);
      visitItems(items, vlen, 8, { name: 0, id: 4 }, visit);
      break;
    case BtfKind.ENUM:
      visitItems(items, vlen, 8, { name: 0, id: null }, visit);
      break;
    case BtfKind.ENUM64:
      visitItems(items, vlen, 12, { name: 0, id: null }, visit);
      break;
    case BtfKind.DATASEC:
      visitItems(items, vlen, 12, { name: null, id: 0 }, visit);
      break;
    default:
    // INT, FLOAT and FWD have a name and nothing else that leads anywhere.
  }
}

function visitItems(
  start: number,
  vlen: number,
  itemSize: number,
  at: { readonly name: number | null; readonly id: number | null },
  visit: FieldVisitor,
): void {
  for (let i = 0; i < vlen; i++) {
    const item = start + itemSize * i;
    if (at.name !== null) visit.name(item + at.name);
    if (at.id !== null) visit.id(item + at.id);
  }
}
