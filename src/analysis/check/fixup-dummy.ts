/**
 * The variable that stands in for extern functions. A DATASEC may list
 * variables only, so libbpf adds one and lists it in place of each function.
 *
 * Source: libbpf.c, add_dummy_ksym_var, and how btf__add_var appends to a blob.
 */
import { BTF_TYPE_SIZE, BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { varSecinfosOf } from '#model/type-items.ts';
import { intData, kindOf, lastId, type TypeTable } from '#model/type-table.ts';
import { LoadedCopy } from './fixup-copy.ts';

const NAME = 'dummy_ksym';
const GLOBAL = 1;
const RECORD_SIZE = BTF_TYPE_SIZE + 4;
/** Offsets of header fields. */
const TYPE_LEN = 12;
const STR_OFF = 16;
const STR_LEN = 20;
const LAYOUT_OFF = 24;
const HEADER_WITH_LAYOUT = 32;

/** A copy of the blob, with the stand-in as its last type where `ksyms` lists functions; `dummy` is null without. */
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

/** Where in the strings the name stands already as a string of its own, or where they end. */
function offsetOfString(t: TypeTable): number {
  const strings = t.blob.subarray(t.strStart, t.strEnd);
  for (let start = 0; start < strings.length; ) {
    const end = strings.indexOf(0, start);
    if (end < 0) break;
    const found = strings.subarray(start, end);
    if (found.length === NAME.length && String.fromCharCode(...found) === NAME) return start;
    start = end + 1;
  }
  return strings.length;
}

/** The INT that libbpf gives to what it makes up: the first of 32 bits, or void. */
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
  view.setUint32(12, GLOBAL, little);
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
