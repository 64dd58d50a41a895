/** Joins split BTFs on one base: libbpf, btf.c, `btf__add_btf`, `strs_dedup_remap_str_off`. */
import { MAX_NAME_BYTES } from '#analysis/rewrite/copy-types.ts';
import { getOrCreate } from '#bytes/cache.ts';
import { Malformed } from '#bytes/issue.ts';
import { BTF_TYPE_SIZE, BtfKind, kindName, RELEASED_KIND_MAX } from '#formats/btf/kinds.ts';
import { RecordReader } from '#formats/btf/records.ts';
import { StringPool } from '#formats/btf/write-records.ts';
import { tablesOf } from '#model/joined-words.ts';
import { nameBytes } from '#model/names.ts';
import { lastId, stringTable, strLenOf, type TypeTable } from '#model/type-table.ts';

/** Split BTF to merge, with its file name for messages. */
export type SplitFile = { readonly name: string; readonly types: TypeTable };

/** All types in one buffer. Record N is the type with id N; record 0 is void (12 zero bytes). */
export type AddedTypes = {
  readonly base: TypeTable;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Record N is from `recordOff[N]` to `recordOff[N + 1]` in `bytes`. */
  readonly recordOff: Uint32Array;
  readonly records: RecordReader;
  /** First id after the base. `endId` is the last id plus one. */
  readonly firstOwn: number;
  readonly endId: number;
  /** Strings of the merged files, which follow the strings of the base. */
  readonly strings: StringPool;
};

/** Returns the error for a failed merge; `region` is the name of the failing file. */
export function cannotMerge(region: string, message: string): Malformed {
  return new Malformed({ code: 'btf.cannot-merge', region, message, span: null });
}

/** Appends `files` to their base. Throws `Malformed` if libbpf would reject a file. */
export function addTypes(base: SplitFile, files: readonly SplitFile[]): AddedTypes {
  const chain = [...basesOf(base.types), base.types];
  const tables = [...chain, ...files.map(({ types }) => types)];
  const bytes = new Uint8Array(
    tables.reduce((sum, t) => sum + (t.recordOff[t.count] ?? 0) - (t.recordOff[0] ?? 0), 12),
  );
  const endId = tables.reduce((sum, { count }) => sum + count, 1);
  const recordOff = new Uint32Array(endId + 1);
  recordOff[1] = BTF_TYPE_SIZE;
  let next = 1;
  for (const { blob, recordOff: from, count } of tables) {
    const first = from[0] ?? 0;
    const shift = (recordOff[next] ?? 0) - first;
    bytes.set(blob.subarray(first, from[count]), first + shift);
    for (let i = 1; i <= count; i++) recordOff[next + i] = (from[i] ?? 0) + shift;
    next += count;
  }
  const { endian } = base.types;
  const records = new RecordReader({ blob: bytes, endian, recordOff, count: endId });
  const firstOwn = lastId(base.types) + 1;
  const strings = new StringPool(strLenOf(base.types));
  const added = { base: base.types, bytes, recordOff, records, firstOwn, endId, strings };
  checkRecords(added, { name: base.name, from: 1, end: firstOwn, lastRef: firstOwn });
  new Adder(added, chain).addAll(files);
  return added;
}

/** Returns the base of `t`, the base of that base, and so on; the lowest base comes first. */
function basesOf(t: TypeTable): TypeTable[] {
  return t.base === null ? [] : tablesOf(t.base);
}

type Rows = {
  readonly name: string;
  readonly from: number;
  readonly end: number;
  readonly lastRef: number;
};

/** Throws `Malformed` for an invalid reference or a kind that libbpf cannot deduplicate. */
function checkRecords({ records }: AddedTypes, { name, from, end, lastRef }: Rows): void {
  for (let i = from; i < end; i++) {
    const kind = records.kind(i);
    if (kind === BtfKind.UNKN || kind > RELEASED_KIND_MAX) {
      throw cannotMerge(name, `${name}: libbpf does not deduplicate types of ${kindName(kind)}`);
    }
    records.eachReference(i, (id) => {
      if (id >= lastRef) throw cannotMerge(name, `${name}: there is no type ${id}`);
    });
  }
}

/** Calls `visit` for each type id in record `i` that libbpf renumbers (`btf_field_iter_init`). */
export function eachMovedId(
  records: RecordReader,
  i: number,
  visit: (id: number, at: number) => void,
): void {
  if (records.kind(i) === BtfKind.FWD) visit(records.sizeOrType(i), records.start(i) + 8);
  else records.eachReference(i, visit);
}

/** Renumbers type ids and names in the records of each merged file. */
class Adder {
  readonly #added: AddedTypes;
  readonly #view: DataView;
  readonly #little: boolean;
  readonly #baseNames: ReadonlyMap<string, number>;
  #nameBytes = 0;

  constructor(added: AddedTypes, chain: readonly TypeTable[]) {
    this.#added = added;
    this.#view = new DataView(added.bytes.buffer);
    this.#little = added.base.endian === 'little';
    this.#baseNames = namesByText(chain);
  }

  addAll(files: readonly SplitFile[]): void {
    const { firstOwn, records } = this.#added;
    let from = firstOwn;
    for (const file of files) {
      const end = from + file.types.count;
      checkRecords(this.#added, { name: file.name, from, end, lastRef: lastId(file.types) + 1 });
      const offsets = new Map<number, number>();
      const moved = from - firstOwn;
      for (let i = from; i < end; i++) {
        eachMovedId(records, i, (id, at) => {
          if (id >= firstOwn) this.#set(at, id + moved);
        });
        records.eachName(i, (nameOff, at) => {
          if (nameOff < file.types.strBase) return;
          const newOff = getOrCreate(offsets, nameOff, () => this.#nameOffOf(file, nameOff));
          this.#set(at, newOff);
        });
      }
      this.#checkFuncs(file.name, from, end);
      from = end;
    }
  }

  #checkFuncs(name: string, from: number, end: number): void {
    const { records } = this.#added;
    for (let i = from; i < end; i++) {
      if (records.kind(i) !== BtfKind.FUNC) continue;
      if (records.kind(records.sizeOrType(i)) === BtfKind.FUNC_PROTO) continue;
      throw cannotMerge(name, `${name}: the type of a FUNC is no FUNC_PROTO`);
    }
  }

  #set(at: number, value: number): void {
    this.#view.setUint32(at, value, this.#little);
  }

  #nameOffOf({ name, types }: SplitFile, nameOff: number): number {
    const table = stringTable(types, nameOff);
    if (table === null || nameOff - table.strBase >= table.strEnd - table.strStart) {
      throw cannotMerge(name, `${name}: there is no string at ${nameOff}`);
    }
    const bytes = nameBytes(types, nameOff);
    this.#nameBytes += bytes.length;
    if (this.#nameBytes > MAX_NAME_BYTES) {
      throw cannotMerge(name, `${name}: the names together have more than ${MAX_NAME_BYTES} bytes`);
    }
    const inBase = this.#baseNames.get(latin1.decode(bytes));
    return inBase ?? this.#added.strings.offsetOf('name_off', bytes);
  }
}

// latin1 decodes each byte to one character, so texts are equal if their bytes are equal.
const latin1 = new TextDecoder('latin1');

/** Returns the first offset of each string in the string sections of `chain`. */
export function namesByText(chain: readonly TypeTable[]): Map<string, number> {
  const names = new Map<string, number>();
  for (const { blob, strStart, strEnd, strBase } of chain) {
    for (let start = strStart; start < strEnd; ) {
      const nul = blob.indexOf(0, start);
      const end = nul < 0 || nul > strEnd ? strEnd : nul;
      const name = latin1.decode(blob.subarray(start, end));
      if (!names.has(name)) names.set(name, start - strStart + strBase);
      start = end + 1;
    }
  }
  return names;
}
