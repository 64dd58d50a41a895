/** The raw text of all types in a file: `bpftool btf dump file … format raw`, byte for byte. */
import type { TypeTable } from '#model/type-table.ts';
import type { ByteText } from './byte-text.ts';
import { RecordPlans } from './raw-record-plan.ts';
import { writeRecords } from './raw-record-writer.ts';

/**
 * Writes the own types of `t`, a line each and a line for each of their items.
 * Yields the number of types done every few thousand. Names are written as the
 * file has them; an id that does not exist is just a number.
 */
export function writeRaw(t: TypeTable, out: ByteText): Generator<number, void> {
  return writeRecords(t, out, RAW_RECORDS);
}

/** `[12] STRUCT 'foo' size=8 vlen=1`, then a line with a tab for each item. */
export const RAW_RECORDS = new RecordPlans({
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
