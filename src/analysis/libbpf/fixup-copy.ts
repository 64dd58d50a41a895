/** A copy of a BTF blob that the loader's rewrites change, and a list of the rewrites. */
import { BTF_TYPE_SIZE, BtfKind, Linkage } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { type VarSecinfo, varSecinfosOf } from '#model/type-items.ts';
import { intData, kindOf, lastId, nameOf, type TypeTable } from '#model/type-table.ts';

export type Rewrite = {
  /** Rewritten type; null for a change of the header or the strings. */
  readonly typeId: number | null;
  /** Offset in bytes from the start of the rewritten blob. */
  readonly blobOffset: number;
  readonly length: number;
  /** Value before the change: a number, or the names of reordered variables. */
  readonly before: string;
  readonly after: string;
  /** The change and its reason as a sentence; names are raw text. */
  readonly sentence: string;
};

/** Maximum number of listed rewrites: a hostile file may cause a million. */
const MAX_REWRITES = 1000;
/** Maximum characters of a name in a sentence: a name may have a megabyte. */
const MAX_SHOWN_NAME = 60;
const MAX_SHOWN_NAMES = 20;

export class LoadedCopy {
  /** Types of the copied blob. */
  readonly table: TypeTable;
  /** Rewrites in order, at most `MAX_REWRITES`. */
  readonly rewrites: Rewrite[] = [];
  /** Number of rewrites that are not in `rewrites`. */
  more = 0;
  readonly #view: DataView;

  /** Changes the bytes of `table`: pass a copy. */
  constructor(table: TypeTable) {
    this.table = table;
    const { blob } = table;
    this.#view = new DataView(blob.buffer, blob.byteOffset, blob.length);
  }

  /** Returns the blob offset of the byte at `offset` of a record. */
  offsetIn(id: TypeId, offset: number): number {
    return (this.table.recordOff[id - this.table.firstId] ?? 0) + offset;
  }

  /** Returns the blob offset of word `word` of item `index`; an item has `itemSize` bytes. */
  itemOffset(id: TypeId, itemSize: number, index: number, word: number): number {
    return this.offsetIn(id, BTF_TYPE_SIZE + itemSize * index + 4 * word);
  }

  wordAt(blobOffset: number): number {
    return this.#view.getUint32(blobOffset, this.#little);
  }

  /** Writes 32 bits; notes a rewrite if they differ from the stored ones. */
  setWord(typeId: number | null, blobOffset: number, value: number, sentence: () => string): void {
    const before = this.wordAt(blobOffset);
    if (before === value) return;
    this.#view.setUint32(blobOffset, value, this.#little);
    this.note(() => ({
      typeId,
      blobOffset,
      length: 4,
      before: `${before}`,
      after: `${value}`,
      sentence: sentence(),
    }));
  }

  /** Reorders the 12-byte items of a DATASEC; `sorted` has the stored items in the new order. */
  reorderItems(id: TypeId, sorted: readonly VarSecinfo[]): void {
    const start = this.offsetIn(id, BTF_TYPE_SIZE);
    const { blob } = this.table;
    const old = blob.slice(start, start + 12 * sorted.length);
    const inOrder = [...sorted].sort((a, b) => a.index - b.index);
    for (const [to, { index }] of sorted.entries()) {
      blob.set(old.subarray(12 * index, 12 * index + 12), start + 12 * to);
    }
    this.note(() => ({
      typeId: id,
      blobOffset: start,
      length: old.length,
      before: this.#names(inOrder),
      after: this.#names(sorted),
      sentence: 'libbpf sorts the variables of a section by their offsets.',
    }));
  }

  /** Adds a rewrite to the list, or counts it if the list is full. */
  note(rewrite: () => Rewrite): void {
    if (this.rewrites.length < MAX_REWRITES) this.rewrites.push(rewrite());
    else this.more += 1;
  }

  /** Returns the name of type `id`, cut by `shortName`. */
  nameFor(id: TypeId): string {
    return shortName(nameOf(this.table, id));
  }

  #names(items: readonly VarSecinfo[]): string {
    const names = items.slice(0, MAX_SHOWN_NAMES).map(({ type }) => this.nameFor(type));
    return names.join(', ') + (items.length > MAX_SHOWN_NAMES ? ', …' : '');
  }

  get #little(): boolean {
    return this.table.endian === 'little';
  }
}

/** Returns the beginning of a name, for a sentence. */
export function shortName(name: string): string {
  return name.length > MAX_SHOWN_NAME ? `${name.slice(0, MAX_SHOWN_NAME)}…` : name;
}

const NAME = 'dummy_ksym';
const RECORD_SIZE = BTF_TYPE_SIZE + 4;
/** Offsets of the header fields type_len, str_off and str_len. */
const TYPE_LEN = 12;
const STR_OFF = 16;
const STR_LEN = 20;
const LAYOUT_OFF = 24;
const HEADER_WITH_LAYOUT = 32;

/**
 * Copies the blob. If `ksyms` lists functions, appends the variable `dummy_ksym` for them: a
 * DATASEC may list only variables. Source: libbpf.c, add_dummy_ksym_var; btf.c, btf__add_var.
 */
export function copyForLoader(
  t: TypeTable,
  ksyms: TypeId | null,
): { readonly copy: LoadedCopy; readonly dummy: TypeId | null } {
  const listsFunctions =
    ksyms !== null && varSecinfosOf(t, ksyms).some(({ type }) => kindOf(t, type) === BtfKind.FUNC);
  if (!listsFunctions) return { copy: new LoadedCopy({ ...t, blob: t.blob.slice() }), dummy: null };

  const typesEnd = t.recordOff[t.count] ?? 0;
  const nameOff = t.strBase + offsetOfString(t);
  const newString = nameOff === t.strBase + (t.strEnd - t.strStart) ? `${NAME}\0` : '';
  const blob = new Uint8Array(t.strEnd + RECORD_SIZE + newString.length);
  blob.set(t.blob.subarray(0, typesEnd));
  blob.set(t.blob.subarray(typesEnd, t.strEnd), typesEnd + RECORD_SIZE);
  blob.set(new TextEncoder().encode(newString), t.strEnd + RECORD_SIZE);

  const recordOff = new Uint32Array(t.count + 2);
  recordOff.set(t.recordOff.subarray(0, t.count + 1));
  recordOff[t.count + 1] = typesEnd + RECORD_SIZE;
  const copy = new LoadedCopy({
    ...t,
    blob,
    recordOff,
    count: t.count + 1,
    strStart: t.strStart + RECORD_SIZE,
    strEnd: blob.length,
  });
  writeRecord(copy, typesEnd, nameOff, firstInt32(t));
  const grown = 'The header counts the variable that libbpf adds.';
  addToHeader(copy, TYPE_LEN, RECORD_SIZE, grown);
  addToHeader(copy, STR_OFF, RECORD_SIZE, grown);
  addToHeader(copy, STR_LEN, newString.length, grown);
  const hdrLen = copy.wordAt(4);
  if (hdrLen >= HEADER_WITH_LAYOUT && copy.wordAt(LAYOUT_OFF) > 0) {
    addToHeader(copy, LAYOUT_OFF, RECORD_SIZE, grown);
  }
  return { copy, dummy: typeId(lastId(copy.table)) };
}

/** Returns the offset of the string `dummy_ksym`, or the length of the strings if it is missing. */
function offsetOfString(t: TypeTable): number {
  const strings = t.blob.subarray(t.strStart, t.strEnd);
  for (let start = 0; start < strings.length; ) {
    const end = strings.indexOf(0, start);
    if (end < 0) break;
    const bytes = strings.subarray(start, end);
    if (bytes.length === NAME.length && String.fromCharCode(...bytes) === NAME) return start;
    start = end + 1;
  }
  return strings.length;
}

/** Returns the type of variables that libbpf adds: the first INT of 32 bits, or void. */
export function firstInt32(t: TypeTable): TypeId {
  for (let id = 1; id <= lastId(t); id++) {
    const type = typeId(id);
    if (kindOf(t, type) === BtfKind.INT && intData(t, type).bits === 32) return type;
  }
  return typeId(0);
}

function writeRecord(copy: LoadedCopy, at: number, nameOff: number, int: TypeId): void {
  const view = new DataView(copy.table.blob.buffer, at, RECORD_SIZE);
  const little = copy.table.endian === 'little';
  view.setUint32(0, nameOff, little);
  view.setUint32(4, BtfKind.VAR * 0x1000000, little);
  view.setUint32(8, int, little);
  view.setUint32(12, Linkage.global, little);
  copy.note(() => ({
    typeId: lastId(copy.table),
    blobOffset: at,
    length: RECORD_SIZE,
    before: 'no such type',
    after: `VAR ${NAME}`,
    sentence: `libbpf adds the variable ${NAME}, to be listed where .ksyms lists extern functions.`,
  }));
}

function addToHeader(copy: LoadedCopy, field: number, more: number, sentence: string): void {
  copy.setWord(null, field, copy.wordAt(field) + more, () => sentence);
}
