/** All types in a file as JSON: `bpftool -j btf dump file …`, byte for byte. */
import type { TypeTable } from '#model/type-table.ts';
import type { ByteText } from './byte-text.ts';
import { RecordPlans } from './raw-record-plan.ts';
import { writeRecords } from './raw-record-writer.ts';

/**
 * Writes the own types of `t` as one line. Yields the number of types done every
 * few thousand. Names are escaped as bpftool does it, so that odd ones do not
 * make valid JSON.
 */
export function* writeJson(t: TypeTable, out: ByteText): Generator<number, void> {
  out.latin1('{"types":[');
  yield* writeRecords(t, out, JSON_RECORDS);
  out.latin1(']}\n');
}

const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** What stands for a byte of a name; null where it stands for itself, as most control characters do. */
function escapeOf(byte: number): string | null {
  switch (byte) {
    case 0x08:
      return '\\b';
    case 0x09:
      return '\\t';
    case 0x0c:
      return '\\f';
    case 0x0d:
      return '\\r';
    case QUOTE:
      return '\\"';
    case 0x0a:
    // A slip of bpftool's.
    case BACKSLASH:
      return '\\n';
    default:
      return null;
  }
}

function escapedName(
  out: ByteText,
  { blob, strStart, strEnd, strBase }: TypeTable,
  nameOff: number,
): void {
  for (let at = strStart + (nameOff - strBase); at < strEnd; at++) {
    const byte = blob[at] ?? 0;
    if (byte === 0) return;
    const special = byte < SPACE || byte === QUOTE || byte === BACKSLASH;
    const escaped = special ? escapeOf(byte) : null;
    if (escaped === null) out.byte(byte);
    else out.latin1(escaped);
  }
}

const JSON_RECORDS = new RecordPlans({
  json: true,
  quote: '"',
  name: escapedName,
  record: '{"id":',
  kind: (word) => `,"kind":"${word}","name":`,
  recordEnd: '}',
  field: (key) => `,"${key}":`,
  word: (key, value) => `,"${key}":"${value}"`,
  items: (key) => `,"${key}":[`,
  itemsEnd: ']',
  item: '{',
  itemName: '"name":',
  itemEnd: '}',
  between: ',',
});
