/** Writes types read from DWARF as a BTF blob, which all views and commands read. */
import { getOrCreate } from '#bytes/cache.ts';
import type { Endian } from '#bytes/span.ts';
import { BtfKind, CLASSIC_MAX_VLEN } from '#formats/btf/kinds.ts';
import { BtfWriter } from '#formats/btf/write.ts';
import type { BtfRecord } from '#formats/btf/write-records.ts';
import { type DwarfSource, ITEM_FLAGS, type VirtualBase } from '#model/dwarf.ts';
import { typeId } from '#model/ids.ts';
import { unpackItem } from './item-entries.ts';
import { SourceColumns } from './source-columns.ts';
import { ALIAS, type NamePool, type TypeRecords } from './type-records.ts';

/** A section and its variables: types with their linkage and offset. */
export type VariableSection = {
  readonly name: string;
  readonly size: number;
  readonly variables: readonly {
    readonly name: number;
    readonly type: number;
    readonly isGlobal: boolean;
    readonly offset: number;
    readonly size: number;
    readonly die: number;
  }[];
};

export type EncodedTypes = {
  readonly blob: Uint8Array;
  /** Offset of the entry of each type in DWARF, by id minus 1; -1 for a type that has none. */
  readonly dieOffset: Float64Array;
  /** Number of members that BTF cannot hold. */
  readonly droppedMembers: number;
  /** Columns of what BTF has no place for. */
  source(): DwarfSource;
};

/** Limits of members in a struct with bit-fields (include/uapi/linux/btf.h). */
const MAX_BITFIELD_OFFSET = 0xffffff;
const MAX_BITFIELD_SIZE = 0xff;
const MAX_INT_BITS = 128;
/** Kinds with members, enumerators or parameters. */
const WITH_ITEMS: ReadonlySet<number> = new Set([
  BtfKind.STRUCT,
  BtfKind.UNION,
  BtfKind.ENUM,
  BtfKind.ENUM64,
  BtfKind.FUNC_PROTO,
]);
/** Names of the type of array indexes, as in pahole: the second one is added without the first. */
const INT_NAME = 'int';
const INDEX_NAME = '__ARRAY_SIZE_TYPE__';
const INDEX_SIZE = 4;

/** Writes `records` and variables. The ids of types are those of `records`. */
export function encodeTypes(
  records: TypeRecords,
  names: NamePool,
  sections: readonly VariableSection[],
  endian: Endian,
): EncodedTypes {
  const encoder = new Encoder(records, names, endian);
  for (let id = 1; id <= records.last; id++) encoder.addRecord(id);
  encoder.addIndexType();
  for (const section of sections) encoder.addSection(section);
  return encoder.done();
}

class Encoder {
  readonly #records: TypeRecords;
  readonly #names: NamePool;
  readonly #writer: BtfWriter;
  readonly #dies: number[] = [];
  readonly #source: SourceColumns;
  readonly #nameOffsets = new Map<number, number>();
  readonly #virtualBases = new Map<number, VirtualBase[]>();
  #droppedMembers = 0;
  /** Id of the type of array indexes; that of a type to be added if no type is an `int`. */
  readonly #indexType: number;

  constructor(records: TypeRecords, names: NamePool, endian: Endian) {
    const isWide = records.itemCount.some((count) => count > CLASSIC_MAX_VLEN);
    this.#records = records;
    this.#names = names;
    this.#source = new SourceColumns(records, names);
    this.#indexType = indexTypeOf(records, names);
    this.#writer = new BtfWriter({ endian, encoding: isWide ? 'wide' : 'classic' });
  }

  done(): EncodedTypes {
    return {
      blob: this.#writer.finish(),
      dieOffset: Float64Array.from(this.#dies),
      droppedMembers: this.#droppedMembers,
      source: () => this.#source.columns(this.#virtualBases),
    };
  }

  /** Adds record `id`, which gets the same id in the blob. */
  addRecord(id: number): void {
    const items = this.#itemsOf(id);
    this.#source.add(id, items);
    this.#add(this.#records.die[id] ?? -1, this.#recordOf(id, items));
  }

  /** Adds the type of array indexes unless the records have it. */
  addIndexType(): void {
    if (this.#indexType <= this.#records.last) return;
    this.#source.add(0, []);
    this.#add(-1, {
      kind: BtfKind.INT,
      name: INDEX_NAME,
      size: INDEX_SIZE,
      encoding: 0,
      bitOffset: 0,
      bits: 8 * INDEX_SIZE,
    });
  }

  addSection({ name, size, variables }: VariableSection): void {
    const secinfos = variables.map((variable) => {
      const { type, offset, isGlobal } = variable;
      this.#source.add(0, []);
      const id = this.#add(variable.die, {
        kind: BtfKind.VAR,
        name: this.#nameOff(variable.name),
        type,
        linkage: isGlobal ? 1 : 0,
      });
      return { type: id, offset, size: variable.size };
    });
    this.#source.add(0, []);
    this.#add(-1, { kind: BtfKind.DATASEC, name, size, secinfos });
  }

  #add(die: number, record: BtfRecord): number {
    this.#dies.push(die);
    return this.#writer.addType(record);
  }

  #nameOff(number: number): number {
    if (number === 0) return 0;
    const known = this.#nameOffsets.get(number);
    if (known !== undefined) return known;
    // A name of DWARF ends at its first NUL, so the writer accepts it.
    const offset = this.#writer.addString(this.#names.nameOf(number));
    this.#nameOffsets.set(number, offset);
    return offset;
  }

  #recordOf(id: number, items: readonly number[]): BtfRecord {
    const { kind, name, flag, value, ref, firstItem, itemHigh, itemLow } = this.#records;
    const size = value[id] ?? 0;
    const type = ref[id] ?? 0;
    const first = firstItem[id] ?? 0;
    const own = kind[id] ?? ALIAS;
    const isNameless = own === BtfKind.PTR || own === BtfKind.FUNC_PROTO;
    const head = { name: isNameless ? 0 : this.#nameOff(name[id] ?? 0) };
    switch (own) {
      case BtfKind.INT: {
        const bits = Math.min(itemHigh[first] ?? 0, MAX_INT_BITS);
        return { ...head, kind: own, size, encoding: itemLow[first] ?? 0, bitOffset: 0, bits };
      }
      case BtfKind.FLOAT:
        return { ...head, kind: own, size };
      case BtfKind.ARRAY:
        return { kind: own, elemType: type, indexType: this.#indexType, nelems: size };
      case BtfKind.STRUCT:
      case BtfKind.UNION: {
        const kindFlag = flag[id] === 1;
        return { ...head, kind: own, size, kindFlag, members: this.#membersOf(items) };
      }
      case BtfKind.ENUM:
      case BtfKind.ENUM64:
        return {
          ...head,
          kind: own,
          size,
          kindFlag: flag[id] === 1,
          enumerators: this.#enumeratorsOf(items, own === BtfKind.ENUM, flag[id] === 1),
        };
      case BtfKind.FWD:
        return { ...head, kind: own, kindFlag: flag[id] === 1 };
      case BtfKind.FUNC_PROTO: {
        const params = items.map((item) => ({
          name: this.#nameOff(this.#records.itemName[item] ?? 0),
          type: this.#records.itemRef[item] ?? 0,
        }));
        return { kind: own, type, params };
      }
      case BtfKind.FUNC:
        return { ...head, kind: own, type, linkage: size };
      case BtfKind.TYPEDEF:
      case BtfKind.PTR:
      case BtfKind.CONST:
      case BtfKind.VOLATILE:
      case BtfKind.RESTRICT:
      case BtfKind.TYPE_TAG:
        return { ...head, kind: own, type };
      default:
        throw new RangeError(`no record of kind ${own}`);
    }
  }

  /** Returns the items of a record that BTF can hold. Virtual base classes are kept apart. */
  #itemsOf(id: number): readonly number[] {
    const { firstItem, itemCount, kind, flag, itemLow, itemHigh } = this.#records;
    const own = kind[id] ?? ALIAS;
    if (!WITH_ITEMS.has(own)) return [];
    const first = firstItem[id] ?? 0;
    const all = Array.from({ length: itemCount[id] ?? 0 }, (_, i) => first + i);
    if (own !== BtfKind.STRUCT && own !== BtfKind.UNION) return all;
    const placed = all.filter((item) => !this.#isVirtualBase(id, item));
    if (flag[id] !== 1) return placed;
    const kept = placed.filter(
      (item) =>
        (itemLow[item] ?? 0) <= MAX_BITFIELD_OFFSET && (itemHigh[item] ?? 0) <= MAX_BITFIELD_SIZE,
    );
    this.#droppedMembers += placed.length - kept.length;
    return kept;
  }

  #isVirtualBase(id: number, item: number): boolean {
    const { die, flags } = unpackItem(this.#records.itemEntry[item] ?? 0);
    if ((flags & ITEM_FLAGS.virtual) === 0) return false;
    const type = typeId(this.#records.itemRef[item] ?? 0);
    getOrCreate(this.#virtualBases, id, () => []).push({ type, entry: die, flags });
    return true;
  }

  #membersOf(items: readonly number[]) {
    const { itemName, itemRef, itemLow, itemHigh } = this.#records;
    return items.map((item) => ({
      name: this.#nameOff(itemName[item] ?? 0),
      type: itemRef[item] ?? 0,
      bitOffset: itemLow[item] ?? 0,
      bitfieldSize: itemHigh[item] ?? 0,
    }));
  }

  #enumeratorsOf(items: readonly number[], isShort: boolean, isSigned: boolean) {
    const { itemName, itemLow, itemHigh } = this.#records;
    return items.map((item) => {
      const low = BigInt(itemLow[item] ?? 0);
      const bits = isShort ? low : low | (BigInt(itemHigh[item] ?? 0) << 32n);
      const value = isSigned ? BigInt.asIntN(isShort ? 32 : 64, bits) : bits;
      return { name: this.#nameOff(itemName[item] ?? 0), value };
    });
  }
}

/** Returns the id of the first `int`; without arrays 0, and that after the last type without both. */
function indexTypeOf({ kind, name, last }: TypeRecords, names: NamePool): number {
  if (!kind.includes(BtfKind.ARRAY)) return 0;
  const number = names.numberOf(INT_NAME);
  const int = kind.findIndex((each, id) => each === BtfKind.INT && name[id] === number);
  return int < 0 ? last + 1 : int;
}
