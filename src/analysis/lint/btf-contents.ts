/** What a BTF blob contains, from one pass over its records: kinds, flags, tags, order, header. */
import { ByteReader } from '#bytes/byte-reader.ts';
import { attempt } from '#bytes/issue.ts';
import { type BtfHeader, readBtfHeader } from '#formats/btf/header.ts';
import { BtfKind, IntEncoding, intDataOf, Linkage, MAX_KINDS } from '#formats/btf/kinds.ts';
import { RecordReader } from '#formats/btf/records.ts';
import { shortName } from '#model/names.ts';
import { isComposite } from '#model/type-items.ts';
import type { TypeTable } from '#model/type-table.ts';
import { NameOrder } from './name-order.ts';

export type BtfContents = {
  /** Null if the header cannot be read. */
  readonly header: BtfHeader | null;
  readonly endian: TypeTable['endian'];
  readonly isSplit: boolean;
  /** True for a module that carries its own base in `.BTF.base`. */
  readonly hasDistilledBase: boolean;
  /** Number of types by kind, without the base. */
  readonly counts: Readonly<Record<number, number>>;
  /** Number of types with kind_flag by kind. */
  readonly flagged: Readonly<Record<number, number>>;
  /** Largest number of items of a record. */
  readonly maxVlen: number;
  /** Number of the FUNCs by linkage (static, global, extern). */
  readonly linkages: Readonly<Record<number, number>>;
  /** Number of DECL_TAGs by text, for the tags of pahole. */
  readonly tags: ReadonlyMap<string, number>;
  /** Names of the DATASECs, at most 16. */
  readonly datasecs: readonly string[];
  /** Number of STRUCTs and UNIONs that have members. */
  readonly withMembers: number;
  /** True if an INT `char` is SIGNED and CHAR, as GCC for BPF writes it. */
  readonly hasGccChar: boolean;
  /** True if all types without a name come first, and the others in the order of their names. */
  readonly isSorted: boolean;
  /** True if the FUNCs are in the order of their names. */
  readonly areFuncsSorted: boolean;
};

const MAX_DATASECS = 16;
const MAX_NAME_BYTES = 64;

/** Reads the contents of a table, without its base. Yields every few thousand records. */
export function* btfContents(
  t: TypeTable,
  hasDistilledBase: boolean,
): Generator<void, BtfContents> {
  const records = new RecordReader(t);
  const counts: Record<number, number> = {};
  const flagged: Record<number, number> = {};
  const linkages: Record<number, number> = {};
  const tags = new Map<string, number>();
  const datasecs: string[] = [];
  const order = new NameOrder(t);
  const functions = new NameOrder(t);
  let [maxVlen, withMembers, hasGccChar] = [0, 0, false];
  const add = (to: Record<number, number>, key: number) => {
    to[key] = (to[key] ?? 0) + 1;
  };
  for (let i = 0; i < t.count; i++) {
    const kind = records.kind(i);
    const vlen = records.vlen(i);
    const nameOff = records.nameOff(i);
    add(counts, kind);
    if (records.kindFlag(i)) add(flagged, kind);
    order.add(nameOff);
    if (kind === BtfKind.FUNC) {
      add(linkages, vlen);
      functions.add(nameOff);
    } else maxVlen = Math.max(maxVlen, vlen);
    if (isComposite(kind) && vlen > 0) withMembers++;
    if (kind === BtfKind.DECL_TAG && tags.size < MAX_KINDS) {
      const text = shortName(t, nameOff, MAX_NAME_BYTES);
      tags.set(text, (tags.get(text) ?? 0) + 1);
    }
    if (kind === BtfKind.DATASEC && datasecs.length < MAX_DATASECS) {
      datasecs.push(shortName(t, nameOff, MAX_NAME_BYTES));
    }
    if (kind === BtfKind.INT && shortName(t, nameOff, MAX_NAME_BYTES) === 'char') {
      const { encoding } = intDataOf(records.u32(records.tail(i)));
      hasGccChar ||= encoding === (IntEncoding.SIGNED | IntEncoding.CHAR);
    }
    if (i % RECORDS_PER_STEP === 0) yield;
  }
  const issues: never[] = [];
  return {
    header: attempt(issues, () => readBtfHeader(new ByteReader(t.blob, '.BTF'))),
    endian: t.endian,
    isSplit: t.split,
    hasDistilledBase,
    counts,
    flagged,
    maxVlen,
    linkages,
    tags,
    datasecs,
    withMembers,
    hasGccChar,
    isSorted: order.isSorted,
    areFuncsSorted: functions.isSorted,
  };
}

const RECORDS_PER_STEP = 8192;

/** Returns the number of FUNCs that are not static. */
export function visibleFuncs({ linkages }: BtfContents): number {
  return (linkages[Linkage.global] ?? 0) + (linkages[Linkage.extern] ?? 0);
}
