/**
 * All types in a file as `bpftool btf dump file …` lists them, byte for byte: as raw text, and with
 * `-j` as JSON.
 */
import { decodeText } from '#bytes/text.ts';
import { BTF_TYPE_SIZE, infoVlen } from '#formats/btf/kinds.ts';
import { type TypeId, typeId, VOID } from '#model/ids.ts';
import { hasType, kindOf, nameOffOf, ownerOf, type TypeTable } from '#model/type-table.ts';
import { type ByteText, gathered, pieceOf, stringOwner } from './byte-text.ts';
import { type ItemPlan, kindWord, RecordPlans, type Step, StepForm } from './raw-record-plan.ts';

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

/**
 * Records of types as bpftool lists them, in the spelling of a `RecordStyle`.
 *
 * It is made for whole kernels: fields are read from the blob where they lie. All
 * records of a table are complete, which the walk over the type section saw to.
 */

const ANONYMOUS = pieceOf('(anon)');
const INVALID = pieceOf('(invalid)');

/** Bytes of text from one yield to the next: that of some thousand types. */
const STEP_BYTES = 1 << 19;

/**
 * Writes all own types of `t` and yields the number of types done, now and then:
 * also inside a record, since one may have millions of items.
 */
function* writeRecords(t: TypeTable, out: ByteText, plans: RecordPlans): Generator<number, void> {
  const writer = new RecordWriter(t, out, plans);
  while (writer.index < t.count) {
    writer.write(t.count, STEP_BYTES);
    yield writer.index;
  }
}

/** Writes records one after the other, and can be stopped after any item. */
class RecordWriter {
  /** Of the own type, from 0, whose record is written next or is under way. */
  index: number;
  /** The item that comes next; -1 = not even the record's start is written. */
  #item = -1;
  readonly #t: TypeTable;
  readonly #out: ByteText;
  readonly #plans: RecordPlans;
  readonly #view: DataView;
  readonly #little: boolean;

  constructor(t: TypeTable, out: ByteText, plans: RecordPlans, index = 0) {
    this.index = index;
    this.#t = t;
    this.#out = out;
    this.#plans = plans;
    this.#view = new DataView(t.blob.buffer, t.blob.byteOffset, t.blob.byteLength);
    this.#little = t.endian === 'little';
  }

  /** Writes the records up to that of index `end`, which is left out; stops after about `bytes` of text. */
  write(end: number, bytes: number): void {
    const { recordOff } = this.#t;
    const out = this.#out;
    const limit = out.length + bytes;
    while (this.index < end && out.length < limit) {
      const at = recordOff[this.index] ?? 0;
      const info = this.#u32(at + 4);
      const plan = this.#plans.of(info);
      if (this.#item < 0) {
        if (this.index > 0) out.piece(this.#plans.between);
        this.#run(plan.steps, at);
        this.#item = 0;
      }
      if (plan.items !== null && !this.#items(plan.items, at, infoVlen(info), limit)) return;
      out.piece(plan.end);
      this.#item = -1;
      this.index++;
    }
  }

  /** Writes items from the next one on; false when it stopped at `limit` before the last. */
  #items({ steps, length }: ItemPlan, recordStart: number, vlen: number, limit: number): boolean {
    const out = this.#out;
    let item = this.#item;
    while (item < vlen) {
      if (item > 0) out.piece(this.#plans.between);
      this.#run(steps, recordStart + BTF_TYPE_SIZE + item * length);
      item++;
      if (out.length >= limit) break;
    }
    this.#item = item;
    return item === vlen;
  }

  /** Writes the record or item that begins at offset `start`. */
  #run(steps: readonly Step[], start: number): void {
    const out = this.#out;
    for (const step of steps) {
      const bits = ((this.#u32(start + step.offset) >>> step.shift) & step.mask) >>> 0;
      if (step.form === StepForm.UNSIGNED) {
        out.piece(step.text).decimal(bits);
      } else if (step.form === StepForm.NAME) {
        out.piece(step.text);
        this.#name(this.#t, bits);
      } else {
        this.#rare(step, bits, start + step.offset);
      }
    }
  }

  /** Offset 0 means no name, whatever stands there; an offset outside all strings is no name at all. */
  #name(t: TypeTable, nameOff: number): void {
    const owner = nameOff === 0 ? null : stringOwner(t, nameOff);
    if (owner !== null) this.#plans.style.name(this.#out, owner, nameOff);
    else this.#out.piece(nameOff === 0 ? ANONYMOUS : INVALID);
  }

  /** What is not met in each line. `bits` are those of the word at offset `at`. */
  #rare(step: Step, bits: number, at: number): void {
    const out = this.#out;
    const { form, words } = step;
    if (form === StepForm.WORD) {
      out.piece(words[Math.min(bits, words.length - 1)] ?? step.text);
      return;
    }
    if (form === StepForm.NOT_ZERO && bits === 0) return;
    out.piece(step.text);
    switch (form) {
      case StepForm.ID:
        out.decimal(this.#t.firstId + this.index);
        break;
      case StepForm.SIGNED:
        out.decimal(bits | 0);
        break;
      case StepForm.NOT_ZERO:
        out.decimal(bits);
        break;
      case StepForm.SIGNED_64:
        out.latin1(`${BigInt.asIntN(64, this.#u64(at))}`);
        break;
      case StepForm.UNSIGNED_64:
        out.latin1(`${this.#u64(at)}`);
        break;
      case StepForm.WIDENED:
        if (bits <= 0x7fffffff) out.decimal(bits);
        else out.latin1(`${BigInt.asUintN(64, BigInt(bits | 0))}`);
        break;
      case StepForm.POINTEE:
        this.#pointee(typeId(bits));
        break;
      default:
    }
  }

  /** ` (VAR 'name')`, void among them; nothing for an id that does not exist. */
  #pointee(id: TypeId): void {
    const t = this.#t;
    if (id !== VOID && !hasType(t, id)) return;
    const { quote } = this.#plans.style;
    this.#out.latin1(` (${kindWord(kindOf(t, id))} ${quote}`);
    this.#name(t, nameOffOf(t, id));
    this.#out.latin1(`${quote})`);
  }

  #u32(offset: number): number {
    return this.#view.getUint32(offset, this.#little);
  }

  /** An ENUM64 has its lower half first in either byte order. */
  #u64(offset: number): bigint {
    return BigInt(this.#u32(offset)) | (BigInt(this.#u32(offset + 4)) << 32n);
  }
}

/**
 * Writes the own types of `t` as one line of JSON. Yields the number of types done every
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

/** Escapes of bytes in a name; all others are written as they are, most control characters included. */
const ESCAPES: ReadonlyMap<number, string> = new Map([
  [0x08, '\\b'],
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0c, '\\f'],
  [0x0d, '\\r'],
  [QUOTE, '\\"'],
  // A slip of bpftool's.
  [BACKSLASH, '\\n'],
]);

function escapedName(
  out: ByteText,
  { blob, strStart, strEnd, strBase }: TypeTable,
  nameOff: number,
): void {
  for (let at = strStart + (nameOff - strBase); at < strEnd; at++) {
    const byte = blob[at] ?? 0;
    if (byte === 0) return;
    const special = byte < SPACE || byte === QUOTE || byte === BACKSLASH;
    const escaped = special ? ESCAPES.get(byte) : undefined;
    if (escaped === undefined) out.byte(byte);
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
