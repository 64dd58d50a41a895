/** The raw text of all types in a file: `bpftool btf dump file … format raw`, byte for byte. */

import { decodeText } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import { ownerOf, type TypeTable } from '#model/type-table.ts';
import { type ByteText, gathered } from './byte-text.ts';
import { RecordPlans } from './raw-record-plan.ts';
import { RecordWriter, writeRecords } from './raw-record-writer.ts';

/**
 * Writes the own types of `t`, a line each and a line for each of their items.
 * Yields the number of types done every few thousand. Names are written as the
 * file has them; an id that does not exist is just a number.
 */
export function writeRaw(t: TypeTable, out: ByteText): Generator<number, void> {
  return writeRecords(t, out, RAW_RECORDS);
}

/** `[12] STRUCT 'foo' size=8 vlen=1`, then a line with a tab for each item. */
const RAW_RECORDS = new RecordPlans({
  json: false,
  quote: "'",
  name: (out, owner, nameOff) => out.name(owner, nameOff),
  record: '[',
  kind: (word) => `] ${word} `,
  recordEnd: '\n',
  field: (key) => ` ${key}=`,
  word: (key, value) => ` ${key}=${value}`,
  items: () => '',
  itemsEnd: '',
  item: '\n\t',
  itemName: '',
  itemEnd: '',
  between: '',
});

/** Bytes. Names of a hostile file may add up to more than a string can hold. */
const MAX_LENGTH = 1 << 26;
/** Bytes: most records are shorter. */
const CHUNK_LENGTH = 1 << 12;
const NEWLINE = 0x0a;

/**
 * The lines of one type, without a newline at the end: `[12] STRUCT 'foo' size=8 vlen=1`,
 * then a line with a tab for each item. Empty for void and for ids that do not
 * exist. Names are as in the file, `\xNN` for what is no UTF-8: escape the text
 * when it is drawn. Cut after 64 MiB.
 */
export function rawRecord(t: TypeTable, id: TypeId): string {
  const owner = ownerOf(t, id);
  if (owner === null) return '';
  const index = id - owner.firstId;
  const bytes = gathered((out) => {
    new RecordWriter(owner, out, RAW_RECORDS, index).write(index + 1, MAX_LENGTH);
  }, CHUNK_LENGTH);
  const end = bytes.at(-1) === NEWLINE ? bytes.length - 1 : bytes.length;
  return decodedLines(bytes.subarray(0, Math.min(end, MAX_LENGTH)));
}

/** Line by line, so that one bad name does not turn those of all other lines into escapes. */
function decodedLines(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let start = 0; start <= bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 ? bytes.length : newline;
    lines.push(decodeText(bytes.subarray(start, end)));
    start = end + 1;
  }
  return lines.join('\n');
}
