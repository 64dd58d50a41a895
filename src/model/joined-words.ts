/** Records of a table and its bases in one array of words, for printers of whole files. */
import { infoKind } from '#formats/btf/kinds.ts';
import { lastId, type TypeTable } from './type-table.ts';

export type JoinedWords = {
  readonly words: Uint32Array;
  /** Index in `words` of the record of each id. Element 0 is id `origin`. */
  readonly at: Uint32Array;
  /** BTF_KIND_* of each id; `noType` for ids without a record. Element 0 is id `origin`. */
  readonly kinds: Uint8Array;
};

const LITTLE = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Returns `t` and its bases, the lowest base first. */
export function tablesOf(t: TypeTable): TypeTable[] {
  const tables: TypeTable[] = [];
  for (let table: TypeTable | null = t; table !== null; table = table.base) tables.unshift(table);
  return tables;
}

/** Joins the records of `t` and its bases. Word n of a record is at `at[id - origin] + n`. */
export function joinedWords(t: TypeTable, origin: number, noType = 0): JoinedWords {
  const tables = tablesOf(t);
  const parts = tables.map(typeWords);
  const [only] = parts;
  const words =
    only !== undefined && parts.length === 1
      ? only
      : new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
  const count = lastId(t) + 1 - origin;
  const at = new Uint32Array(count);
  const kinds = new Uint8Array(count).fill(noType, 1, (tables[0]?.firstId ?? 1) - origin);
  let start = 0;
  for (const [i, table] of tables.entries()) {
    const part = parts[i] ?? new Uint32Array(0);
    if (part !== words) words.set(part, start);
    const first = table.recordOff[0] ?? 0;
    const index = table.firstId - origin;
    for (let row = 0; row < table.count; row++) {
      const place = start + (((table.recordOff[row] ?? 0) - first) >>> 2);
      at[index + row] = place;
      kinds[index + row] = infoKind(words[place + 1] ?? 0);
    }
    start += part.length;
  }
  return { words, at, kinds };
}

/** Returns the words of all records of a table. The records may be unaligned in the blob. */
function typeWords({ blob, endian, recordOff, count }: TypeTable): Uint32Array {
  const start = recordOff[0] ?? 0;
  const length = (recordOff[count] ?? start) - start;
  const aligned = (blob.byteOffset + start) % 4 === 0;
  const native = (endian === 'little') === LITTLE;
  const bytes = aligned && native ? blob : blob.slice(start, start + length);
  const offset = bytes === blob ? blob.byteOffset + start : bytes.byteOffset;
  if (native) return new Uint32Array(bytes.buffer, offset, length >>> 2);
  const view = new DataView(bytes.buffer, offset, length);
  return Uint32Array.from({ length: length >>> 2 }, (_, i) =>
    view.getUint32(4 * i, endian === 'little'),
  );
}
