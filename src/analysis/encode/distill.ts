/**
 * Makes the distilled base of a module: the names and sizes of the types that the module takes from
 * its base, so that it fits other builds of the kernel.
 *
 * Source: libbpf, btf.c, `btf__distill_base`, `btf_add_distilled_type_ids`,
 * `btf_add_distilled_types`, `btf_update_distilled_type_ids`.
 */
import { Malformed } from '#bytes/issue.ts';
import { BtfKind, kindName } from '#formats/btf/kinds.ts';
import { RecordReader } from '#formats/btf/records.ts';
import { rawBtf } from '#formats/btf/write.ts';
import { StringPool, WordBuffer } from '#formats/btf/write-records.ts';
import { typeId } from '#model/ids.ts';
import { nameBytes } from '#model/names.ts';
import { isComposite, isEnum } from '#model/type-items.ts';
import { lastId, ownerOf, type TypeTable } from '#model/type-table.ts';

/** Kinds of a base to which types of a module may refer. */
const REFERABLE: ReadonlySet<number> = new Set([
  BtfKind.INT,
  BtfKind.FLOAT,
  BtfKind.FWD,
  BtfKind.ARRAY,
  BtfKind.STRUCT,
  BtfKind.UNION,
  BtfKind.TYPEDEF,
  BtfKind.ENUM,
  BtfKind.ENUM64,
  BtfKind.PTR,
  BtfKind.CONST,
  BtfKind.RESTRICT,
  BtfKind.VOLATILE,
  BtfKind.FUNC_PROTO,
  BtfKind.TYPE_TAG,
]);

/** The sections `.BTF.base` and `.BTF` of a module. */
export type Distilled = {
  readonly base: Uint8Array<ArrayBuffer>;
  readonly split: Uint8Array<ArrayBuffer>;
};

/** Distils the base of split BTF. Throws `Malformed` if it refers to a function or variable. */
export function distill(types: TypeTable): Distilled {
  return new Distiller(types).run();
}

class Distiller {
  readonly #types: TypeTable;
  readonly #readers = new Map<TypeTable, RecordReader>();
  /** New id of each type of the base; 0 for one that is not needed. */
  readonly #newIds: Uint32Array;
  readonly #needed: Uint8Array;

  constructor(types: TypeTable) {
    this.#types = types;
    this.#newIds = new Uint32Array(types.firstId);
    this.#needed = new Uint8Array(types.firstId);
  }

  run(): Distilled {
    const { firstId, endian } = this.#types;
    const last = lastId(this.#types);
    for (let id = firstId; id <= last; id++) this.#need(id);
    const base = new BlobPart(this.#types, null);
    let next = 1;
    for (let id = 1; id < firstId; id++) {
      if (this.#needed[id] !== 1 || !this.#isInBase(id)) continue;
      this.#addToBase(base, id);
      this.#newIds[id] = next++;
    }
    const split = new BlobPart(this.#types, base);
    const ownShift = firstId - next;
    for (let id = firstId; id <= last; id++) this.#copy(split, id);
    let added = last + 1 - ownShift;
    for (let id = 1; id < firstId; id++) {
      if (this.#needed[id] !== 1 || this.#isInBase(id)) continue;
      this.#copy(split, id);
      this.#newIds[id] = added++;
    }
    split.moveIds((id) => {
      if (id >= firstId) return id - ownShift;
      return this.#newIds[id] || id;
    });
    return { base: base.blob(endian), split: split.blob(endian) };
  }

  /** Marks the types of the base that type `first` needs. */
  #need(first: number): void {
    const open = [first];
    const { firstId } = this.#types;
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const at = this.#at(id);
      at?.reader.eachReference(at.row, (ref) => {
        if (ref === 0 || ref >= firstId || this.#needed[ref] === 1) return;
        const kind = this.#kind(ref);
        if (!REFERABLE.has(kind)) throw unexpected(ref, kind);
        this.#needed[ref] = 1;
        // The distilled struct has no members.
        if (!(isComposite(kind) && this.#isNamed(ref))) open.push(ref);
      });
    }
  }

  #at(
    id: number,
  ): { readonly table: TypeTable; readonly reader: RecordReader; readonly row: number } | null {
    const table = ownerOf(this.#types, typeId(id));
    if (table === null) return null;
    let reader = this.#readers.get(table);
    if (reader === undefined) {
      reader = new RecordReader(table);
      this.#readers.set(table, reader);
    }
    return { table, reader, row: id - table.firstId };
  }

  #kind(id: number): number {
    const at = this.#at(id);
    return at === null ? BtfKind.UNKN : at.reader.kind(at.row);
  }

  #isNamed(id: number): boolean {
    const at = this.#at(id);
    return at !== null && at.reader.nameOff(at.row) !== 0;
  }

  /** Returns true for a type of the distilled base; other types are in the split BTF. */
  #isInBase(id: number): boolean {
    const kind = this.#kind(id);
    if (kind === BtfKind.INT || kind === BtfKind.FLOAT || kind === BtfKind.FWD) return true;
    return (isComposite(kind) || isEnum(kind)) && this.#isNamed(id);
  }

  #addToBase(base: BlobPart, id: number): void {
    const at = this.#at(id);
    if (at === null) return;
    const kind = at.reader.kind(at.row);
    if (!isComposite(kind) && !isEnum(kind)) base.copy(at);
    else base.head(at, isEnum(kind) ? BtfKind.ENUM : kind);
  }

  #copy(split: BlobPart, id: number): void {
    const at = this.#at(id);
    if (at !== null) split.copy(at);
  }
}

type Place = { readonly table: TypeTable; readonly reader: RecordReader; readonly row: number };

/** Types and strings of one of the two sections. */
class BlobPart {
  readonly #types: TypeTable;
  readonly #base: BlobPart | null;
  readonly #words: WordBuffer;
  readonly #pool: StringPool;
  readonly #starts: number[] = [];

  constructor(types: TypeTable, base: BlobPart | null) {
    this.#types = types;
    this.#base = base;
    this.#words = new WordBuffer(types.endian);
    this.#pool = new StringPool(base === null ? 0 : base.#pool.length);
  }

  /** Adds a record with the names of this part, and the ids that it has. */
  copy({ table, reader, row }: Place): void {
    const names = new Map<number, number>();
    reader.eachName(row, (name, at) => names.set(at, name));
    this.#starts.push(this.#words.length);
    const end = reader.start(row + 1);
    for (let at = reader.start(row); at < end; at += 4) {
      const name = names.get(at);
      this.#words.u32('word', name === undefined ? reader.u32(at) : this.#nameOff(table, name));
    }
  }

  /** Adds a type of `kind` with the name and the size of a record, and without items. */
  head({ table, reader, row }: Place, kind: number): void {
    this.#starts.push(this.#words.length);
    this.#words.u32('name_off', this.#nameOff(table, reader.nameOff(row)));
    this.#words.u32('info', kind * 0x1000000);
    this.#words.u32('size', reader.sizeOrType(row));
  }

  /** Replaces each type id by `moved` of it. */
  moveIds(moved: (id: number) => number): void {
    const { bytes } = this.#words;
    const { endian } = this.#types;
    const recordOff = Uint32Array.from([...this.#starts, bytes.length]);
    const count = this.#starts.length;
    const reader = new RecordReader({ blob: bytes, endian, recordOff, count });
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let row = 0; row < count; row++) {
      reader.eachReference(row, (id, at) => view.setUint32(at, moved(id), endian === 'little'));
    }
  }

  blob(endian: TypeTable['endian']): Uint8Array<ArrayBuffer> {
    const strings = new Uint8Array(this.#pool.length);
    this.#pool.writeTo(strings, 0);
    return rawBtf({ types: this.#words.bytes, strings, endian, hasLayout: false });
  }

  #nameOff(table: TypeTable, nameOff: number): number {
    if (nameOff === 0) return 0;
    const bytes = nameBytes(table, nameOff);
    const inBase = this.#base === null ? undefined : this.#base.#pool.known(bytes);
    return inBase ?? this.#pool.offsetOf('name_off', bytes);
  }
}

function unexpected(id: number, kind: number): Malformed {
  return new Malformed({
    code: 'encode.distilled-base',
    region: '.BTF.base',
    message: `The types refer to type ${id} of the base, a ${kindName(kind)}, which no distilled base has`,
    span: null,
    expected: 'a type of a value',
    found: kindName(kind),
  });
}
