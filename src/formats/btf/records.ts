/** Reads the records of a type section from the blob. Creates no objects. Records count from 0. */
import type { Endian } from '#bytes/span.ts';
import {
  BTF_KIND_MAX,
  BTF_TYPE_SIZE,
  type BtfStruct,
  infoKind,
  infoKindFlag,
  infoVlen,
  kindLayout,
  kindSpec,
  type ReferenceRole,
  thirdWordRole,
} from './kinds.ts';

/** Positions of records that `walkTypes` found. All records are complete. */
type RecordSource = {
  readonly blob: Uint8Array;
  readonly endian: Endian;
  /** Offset in `blob` of each record, then of the end of the last record. */
  readonly recordOff: Uint32Array;
  readonly count: number;
};

/** Receives a type id, its offset in the blob, its role, and its item number or -1. */
type ReferenceVisitor = (id: number, offset: number, role: ReferenceRole, item: number) => void;

/** Receives a `name_off`, its offset in the blob, and its item number (-1 for the type's name). */
type NameVisitor = (nameOff: number, offset: number, item: number) => void;

export class RecordReader {
  readonly count: number;
  readonly #recordOff: Uint32Array;
  readonly #view: DataView;
  readonly #little: boolean;

  constructor({ blob, endian, recordOff, count }: RecordSource) {
    this.count = count;
    this.#recordOff = recordOff;
    this.#view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength);
    this.#little = endian === 'little';
  }

  /** Returns the u32 at `offset` of the blob; 0 if `offset` is outside of the blob. */
  u32(offset: number): number {
    return offset + 4 <= this.#view.byteLength ? this.#view.getUint32(offset, this.#little) : 0;
  }

  /** Returns the offset of record `i` in the blob; for `i` = `count` the end of the last record. */
  start(i: number): number {
    return this.#recordOff[i] ?? 0;
  }

  nameOff(i: number): number {
    return this.u32(this.start(i));
  }

  info(i: number): number {
    return this.u32(this.start(i) + 4);
  }

  kind(i: number): number {
    return infoKind(this.info(i));
  }

  vlen(i: number): number {
    return infoVlen(this.info(i));
  }

  kindFlag(i: number): boolean {
    return infoKindFlag(this.info(i));
  }

  /** Returns the third word of record `i`: a size or a type id. */
  sizeOrType(i: number): number {
    return this.u32(this.start(i) + 8);
  }

  /** Returns the offset in the blob of the bytes of record `i` after `struct btf_type`. */
  tail(i: number): number {
    return this.start(i) + BTF_TYPE_SIZE;
  }

  /** Returns the offset in the blob of an item of record `i`, for example of a member. */
  itemStart(i: number, item: number): number {
    const { fixed, item: size } = kindLayout(this.kind(i)) ?? NO_LAYOUT;
    return this.tail(i) + fixed + size * item;
  }

  /** Calls `visit` for every type id in record `i`. Ids of items are sorted by field, then item. */
  eachReference(i: number, visit: ReferenceVisitor): void {
    const info = this.info(i);
    const kind = infoKind(info);
    const fields = REFERENCES[kind];
    if (fields === undefined) return;
    const view = this.#view;
    const little = this.#little;
    const start = this.start(i);
    const { third, fixed, item, itemsOff, stride } = fields;
    if (third !== null) visit(view.getUint32(start + 8, little), start + 8, third, -1);
    const tail = start + BTF_TYPE_SIZE;
    for (let f = 0; f < fixed.length; f++) {
      const { offset, role } = fixed[f] ?? NO_REFERENCE;
      visit(view.getUint32(tail + offset, little), tail + offset, role, -1);
    }
    for (let f = 0; f < item.length; f++) {
      const { offset, role } = item[f] ?? NO_REFERENCE;
      const vlen = infoVlen(info);
      let at = start + itemsOff + offset;
      for (let n = 0; n < vlen; n++, at += stride) {
        visit(view.getUint32(at, little), at, role, n);
      }
    }
  }

  /** Calls `visit` for every `name_off` in record `i`. The name of the type is the first. */
  eachName(i: number, visit: NameVisitor): void {
    const info = this.info(i);
    const start = this.start(i);
    visit(this.u32(start), start, -1);
    const { offsets, stride } = ITEM_NAMES[infoKind(info)] ?? NO_NAMES;
    const vlen = infoVlen(info);
    for (const offset of offsets) {
      let at = start + BTF_TYPE_SIZE + offset;
      for (let n = 0; n < vlen; n++, at += stride) visit(this.u32(at), at, n);
    }
  }
}

/** Calls `visit` for every type id of all records; several times faster than `eachReference`. */
export function scanReferences(
  { blob, endian, recordOff, count }: RecordSource,
  visit: (i: number, id: number, role: ReferenceRole, offset: number) => void,
): void {
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength);
  const little = endian === 'little';
  for (let i = 0; i < count; i++) {
    const start = recordOff[i] ?? 0;
    const info = view.getUint32(start + 4, little);
    const fields = REFERENCES[infoKind(info)];
    if (fields === undefined) continue;
    const { third, fixed, item, itemsOff, stride } = fields;
    if (third !== null) visit(i, view.getUint32(start + 8, little), third, start + 8);
    const tail = start + BTF_TYPE_SIZE;
    for (const { offset, role } of fixed) {
      visit(i, view.getUint32(tail + offset, little), role, tail + offset);
    }
    const items = start + itemsOff;
    const end = items + infoVlen(info) * stride;
    for (const { offset, role } of item) {
      for (let at = items + offset; at < end; at += stride) {
        visit(i, view.getUint32(at, little), role, at);
      }
    }
  }
}

type Reference = { readonly offset: number; readonly role: ReferenceRole };
type ReferenceFields = {
  readonly third: ReferenceRole | null;
  readonly fixed: readonly Reference[];
  readonly item: readonly Reference[];
  /** Offset of the items in bytes from the start of the record. */
  readonly itemsOff: number;
  readonly stride: number;
};
const NO_REFERENCE: Reference = { offset: 0, role: 'type' };
const NO_NAMES = { offsets: [], stride: 0 };
const NO_LAYOUT = { fixed: 0, item: 0 };

const SPECS = Array.from({ length: BTF_KIND_MAX + 1 }, (_, kind) => kindSpec(kind));

/** Fields that contain type ids, for each kind; undefined for a kind without such fields. */
const REFERENCES = SPECS.map((spec, kind): ReferenceFields | undefined => {
  const fields = {
    third: thirdWordRole(kind),
    fixed: referencesIn(spec?.fixed ?? null),
    item: referencesIn(spec?.item ?? null),
    itemsOff: BTF_TYPE_SIZE + (spec?.fixed?.size ?? 0),
    stride: spec?.item?.size ?? 0,
  };
  const isEmpty = fields.third === null && fields.fixed.length + fields.item.length === 0;
  return isEmpty ? undefined : fields;
});

/** Offsets of names in an item, and the size of an item, for each kind. */
const ITEM_NAMES = SPECS.map((spec) => ({
  offsets: (spec?.item?.fields ?? [])
    .filter(({ holds }) => holds === 'name')
    .map(({ offset }) => offset),
  stride: spec?.item?.size ?? 0,
}));

function referencesIn(struct: BtfStruct | null): Reference[] {
  return (struct?.fields ?? []).flatMap((field) =>
    field.holds === 'type' ? [{ offset: field.offset, role: field.role }] : [],
  );
}
