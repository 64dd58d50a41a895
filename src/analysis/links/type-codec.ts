/**
 * Version 1 of types in a link, before it is deflated. What BTF repeats is left
 * out: ids are numbered in the order of their first use, offsets are told as the
 * gap behind the member before, names stand where they are used.
 *
 * Each type gives its kind (kind_flag in bit 7) to `kinds`. A reference is 0 for
 * void, 1 for the first id that no reference has named yet, else the id + 1. The
 * size of a member's type is what it takes by libbpf's rules where that is at most
 * 2^32 bits, without modifiers and arrays beyond 32 of them; else it counts as 0.
 * These rules are frozen: a link must open for ever.
 */
import type { BtfRecord } from '#formats/btf/write-records.ts';
import type { CarriedTypes } from './carried-records.ts';
import { broken, ColumnReader, ColumnWriter } from './columns.ts';
import { codeOffsets } from './offset-codec.ts';
import { blankRecord, codeRecord, References } from './record-codec.ts';

const BIG_ENDIAN = 1;
const SHORT_POINTERS = 2;

/** The bytes of version 1. */
export function writeTypes(types: CarriedTypes): Uint8Array<ArrayBuffer> {
  const { endian, pointerSize, records, names } = types;
  const out = new ColumnWriter(names);
  const flags = (endian === 'big' ? BIG_ENDIAN : 0) + (pointerSize === 4 ? SHORT_POINTERS : 0);
  out.number('kinds', flags);
  const refs = new References(out);
  for (const record of records) {
    out.number('kinds', record.kind + (record.kindFlag === true ? 0x80 : 0));
    codeRecord(out, refs, record);
  }
  codeOffsets(out, records, pointerSize);
  return out.finish();
}

/** The types in bytes of version 1. Throws `Malformed` for anything else. Allocates no more than some 100 bytes for each byte given. */
export function readTypes(bytes: Uint8Array): CarriedTypes {
  const input = new ColumnReader(bytes, 0);
  const flags = input.number('kinds');
  const pointerSize = (flags & SHORT_POINTERS) === 0 ? 8 : 4;
  const refs = new References(input);
  const read: BtfRecord[] = [];
  while (input.left('kinds') > 0) {
    const head = input.number('kinds');
    read.push(codeRecord(input, refs, blankRecord(head & 0x7f, head >= 0x80)));
  }
  if (refs.highest > read.length || read.length === 0) throw broken();
  return {
    endian: (flags & BIG_ENDIAN) === 0 ? 'little' : 'big',
    pointerSize,
    records: codeOffsets(input, read, pointerSize),
    names: input.names,
  };
}
