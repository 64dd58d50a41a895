/**
 * Types of one table as a BTF blob of their own, with new ids and strings.
 *
 * In: a table and the ids to copy, in the order in which they shall stand. Out:
 * the blob, and which id became which. Only what was asked for is copied: a
 * reference to anything else becomes void, as in `bpftool gen min_core_btf`.
 * Total on any table: what cannot be copied is told, never thrown.
 *
 * Source of the records: "BTF Type Format", section 2.2.
 */
import type { Endian } from '#bytes/span.ts';
import { BtfKind, kindLayout } from '#formats/btf/kinds.ts';
import { type BtfEncoding, BtfWriter } from '#formats/btf/write.ts';
import type { TypeId } from '#model/ids.ts';
import { nameBytes } from '#model/names.ts';
import { hasType, kindOf, type TypeTable, vlenOf } from '#model/type-table.ts';
import { copiedRecord } from './copy-record.ts';

export type CopyOptions = {
  /** That of the table by default. */
  readonly endian?: Endian;
  /** By default the classic one, unless a record has more items than that can count. */
  readonly encoding?: BtfEncoding;
  /**
   * Which members of a STRUCT or UNION stay; all by default. kind_flag is then set
   * anew, by the members that are left. Tags on members are not renumbered.
   */
  readonly keepMember?: (id: TypeId, index: number) => boolean;
  /** For split BTF: leave references to the base and its strings as they are, and write split BTF. */
  readonly keepBase?: boolean;
};

export type CopiedTypes = {
  readonly blob: Uint8Array<ArrayBuffer>;
  /** New id by old one. */
  readonly idMap: ReadonlyMap<TypeId, number>;
  /** Asked for, but not copied: no such type, or a kind whose record is not known. */
  readonly leftOut: readonly TypeId[];
  /** Names that became empty, since all names together are longer than a file should be. */
  readonly lostNames: number;
};

const CLASSIC_MAX_VLEN = 0xffff;

/** Copies `ids` of `t`; one that is given twice is copied once. Never throws on what the table holds. */
export function copyTypes(
  t: TypeTable,
  ids: Iterable<TypeId>,
  options: CopyOptions = {},
): CopiedTypes {
  const { keepBase = false, keepMember } = options;
  const firstId = keepBase ? t.firstId : 1;
  const idMap = new Map<TypeId, number>();
  const leftOut: TypeId[] = [];
  let mostItems = 0;
  for (const id of ids) {
    if (idMap.has(id)) continue;
    if (!hasType(t, id) || kindLayout(kindOf(t, id)) === null || (keepBase && id < firstId)) {
      leftOut.push(id);
      continue;
    }
    idMap.set(id, firstId + idMap.size);
    mostItems = Math.max(mostItems, writtenVlen(t, id));
  }
  const writer = new BtfWriter({
    endian: options.endian ?? t.endian,
    encoding: options.encoding ?? (mostItems > CLASSIC_MAX_VLEN ? 'wide' : 'classic'),
    ...(keepBase ? { base: { firstId, strLen: t.strBase } } : {}),
  });
  const names = new NameCopier(t, writer, keepBase ? t.strBase : 0);
  const newId = (id: TypeId): number => (keepBase && id < firstId ? id : (idMap.get(id) ?? 0));
  for (const id of idMap.keys()) {
    const record = copiedRecord(t, id, {
      newId,
      newName: (nameOff) => names.offsetOf(nameOff),
      keepMember: keepMember === undefined ? null : (index) => keepMember(id, index),
    });
    if (record !== null) writer.addType(record);
  }
  return { blob: writer.finish(), idMap, leftOut, lostNames: names.lost };
}

/** Kinds without items have nothing in `vlen`, but for FUNC, which has its linkage there. */
function writtenVlen(t: TypeTable, id: TypeId): number {
  const kind = kindOf(t, id);
  return kind === BtfKind.FUNC || kindLayout(kind)?.item !== 0 ? vlenOf(t, id) : 0;
}

/**
 * Bytes of all names together. Names may share their bytes in a file, each one
 * being the tail of the next, and are written apart: a megabyte could become
 * half a terabyte.
 */
const MAX_NAME_BYTES = 1 << 28;

class NameCopier {
  readonly #table: TypeTable;
  readonly #writer: BtfWriter;
  readonly #keptBelow: number;
  readonly #offsets = new Map<number, number>();
  #bytes = 0;
  #lost = 0;

  /** Offsets below `keptBelow` are the base's, and stay as they are. */
  constructor(table: TypeTable, writer: BtfWriter, keptBelow: number) {
    this.#table = table;
    this.#writer = writer;
    this.#keptBelow = keptBelow;
  }

  /** Names that were left out, since the limit was reached. */
  get lost(): number {
    return this.#lost;
  }

  /** The new `name_off` for an old one; 0 for an empty name and for one outside of all strings. */
  offsetOf(nameOff: number): number {
    if (nameOff < this.#keptBelow) return nameOff;
    let offset = this.#offsets.get(nameOff);
    if (offset === undefined) {
      offset = this.#copy(nameBytes(this.#table, nameOff));
      this.#offsets.set(nameOff, offset);
    }
    return offset;
  }

  #copy(name: Uint8Array): number {
    if (this.#bytes + name.length > MAX_NAME_BYTES) {
      this.#lost += 1;
      return 0;
    }
    this.#bytes += name.length;
    return this.#writer.addString(name);
  }
}
