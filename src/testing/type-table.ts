/** Builds type tables directly from bytes, for tests. Throws for invalid BTF. */
import { buildTypeNames, type TypeNames } from '#analysis/find/type-names.ts';
import { ByteReader } from '#bytes/byte-reader.ts';
import { Slices } from '#bytes/long-work.ts';
import type { Span } from '#bytes/span.ts';
import { decodeName } from '#bytes/text.ts';
import { type BtfLayout, readBtfHeader, readBtfLayout } from '#formats/btf/header.ts';
import { walkTypes } from '#formats/btf/walk.ts';
import { lastId, type TypeTable } from '#model/type-table.ts';

/** Returns the table of a raw BTF blob. */
export function tableOf(blob: Uint8Array, base: TypeTable | null = null): TypeTable {
  const reader = new ByteReader(blob, '.BTF');
  const header = readBtfHeader(reader);
  const layout = layoutOf(blob) ?? (base === null ? null : layoutOf(base.blob));
  const { count, recordOff } = walkTypes(reader.as(header.endian), header.types, layout);
  return {
    blob,
    endian: header.endian,
    fileOffset: 0,
    firstId: base === null ? 1 : lastId(base) + 1,
    count,
    recordOff,
    strStart: header.strings.start,
    strEnd: header.strings.end,
    strBase: base === null ? 0 : base.strBase + base.strEnd - base.strStart,
    pointerBytes: null,
    split: base !== null,
    base,
  };
}

/** Returns the type names of a table, prepared for searches. */
export async function namesOf(t: TypeTable): Promise<TypeNames> {
  const slices = new Slices(Number.POSITIVE_INFINITY, new AbortController().signal);
  return await buildTypeNames(t, slices, () => undefined);
}

function layoutOf(blob: Uint8Array): BtfLayout | null {
  const reader = new ByteReader(blob, '.BTF');
  const { endian, layout } = readBtfHeader(reader);
  return layout === null ? null : readBtfLayout(reader.as(endian), layout);
}

/** Returns the type table of a BTF blob or an ELF object; null if an object has no `.BTF`. */
export function tableInFile(file: Uint8Array): TypeTable | null {
  if (file[0] !== 0x7f) return tableOf(file);
  const span = sectionSpan(file, '.BTF');
  return span === null ? null : tableOf(file.subarray(span.start, span.end));
}

function sectionSpan(file: Uint8Array, name: string): Span | null {
  const wide = file[4] === 2;
  const r = new ByteReader(file, 'ELF', file[5] === 2 ? 'big' : 'little');
  const word = (at: number) => (wide ? Number(r.u64(at)) : r.u32(at));
  const tail = wide ? 58 : 46;
  const headers = word(wide ? 40 : 32);
  const header = (i: number) => headers + i * r.u16(tail);
  const start = (i: number) => word(header(i) + (wide ? 24 : 16));
  const names = start(r.u16(tail + 4));
  for (let i = 1; i < r.u16(tail + 2); i++) {
    if (decodeName(file, names + r.u32(header(i))) !== name) continue;
    return { start: start(i), end: start(i) + word(header(i) + (wide ? 32 : 20)) };
  }
  return null;
}
