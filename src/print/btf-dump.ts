/** Writes all types of a file as `bpftool btf dump file …` does: raw text, or JSON (`-j`). */
import { locationText } from '#analysis/types/locations.ts';
import { decodeText } from '#bytes/text.ts';
import { BTF_TYPE_SIZE, BtfKind, infoVlen } from '#formats/btf/kinds.ts';
import { type TypeId, typeId, VOID } from '#model/ids.ts';
import { locParamsOf, paramsOf } from '#model/type-items.ts';
import {
  hasType,
  kindOf,
  nameOffOf,
  ownerOf,
  refOf,
  type TypeTable,
  vlenOf,
} from '#model/type-table.ts';
import { type ByteText, gathered, pieceOf, stringOwner } from './byte-text.ts';
import { type ItemPlan, kindWord, RecordPlans, type Step, StepForm } from './raw-record-plan.ts';
import type { ToolVersions, VersionOf } from './tool-versions.ts';

export type DumpOptions = Pick<ToolVersions, 'bpftool'> & {
  /** Ids of the types to print, in order, as for bpftool's `root_id`; 0 = void. Default: all. */
  readonly roots?: readonly TypeId[];
};

/** Writes the types of `t`, without its base, in raw form. Yields the number of types done. */
export function writeRaw(
  t: TypeTable,
  out: ByteText,
  { roots }: DumpOptions = {},
): Generator<number, void> {
  return writeRecords(t, out, RAW_RECORDS, roots);
}

/** Raw form: a line `[12] STRUCT 'foo' size=8 vlen=1`, then one indented line per item. */
const RAW_RECORDS = new RecordPlans({
  json: false,
  quote: "'",
  name: (out, owner, nameOff) => out.name(owner, nameOff),
  string: (out, bytes) => out.bytes(bytes, 0, bytes.length),
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

/** Limit of one record in bytes: a hostile file's names may exceed the longest string. */
const MAX_LENGTH = 1 << 26;
/** Initial size in bytes; most records are shorter. */
const CHUNK_LENGTH = 1 << 12;
const NEWLINE = 0x0a;

/**
 * Returns the raw text of one type, cut after 64 MiB; empty for void and missing ids. Names are not
 * escaped, but bytes that are not UTF-8 become `\xNN`.
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

/** Decodes each line separately: invalid UTF-8 in one name affects only the line of this name. */
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

/** Writers of records: a `RecordStyle` determines the spelling, the blob contains the values. */

const ANONYMOUS = pieceOf('(anon)');
const INVALID = pieceOf('(invalid)');
const INVALID_TYPE = '<invalid>';
/** Limit of a signature in bytes. */
const MAX_SIGNATURE = 1023;
const DOT = 0x2e;

/** Bytes of text between two yields, about a thousand types. */
const STEP_BYTES = 1 << 19;

/** Writes the types of `t`, or `roots`. Yields the number done about every thousand types. */
function* writeRecords(
  t: TypeTable,
  out: ByteText,
  plans: RecordPlans,
  roots: readonly TypeId[] = [],
): Generator<number, void> {
  if (roots.length === 0) {
    const writer = new RecordWriter(t, out, plans);
    while (writer.index < t.count) {
      writer.write(t.count, STEP_BYTES);
      yield writer.index;
    }
    return;
  }
  for (const [done, id] of roots.entries()) {
    if (done > 0) out.piece(plans.between);
    const owner = ownerOf(t, id);
    if (owner === null) {
      writeVoid(out, plans);
      continue;
    }
    const index = id - owner.firstId;
    const writer = new RecordWriter(owner, out, plans, index);
    while (writer.index === index) {
      writer.write(index + 1, STEP_BYTES);
      yield done;
    }
  }
  yield roots.length;
}

/** Writes the text of type 0 (void), which has no record. */
function writeVoid(out: ByteText, { style }: RecordPlans): void {
  const { record, kind, quote, recordEnd } = style;
  out.latin1(`${record}0${kind(kindWord(0))}${quote}(anon)${quote}${recordEnd}`);
}

/** Writes records in order. It can stop and continue after any item. */
class RecordWriter {
  /** Row of the current record; between two records, the row of the next one. */
  index: number;
  /** Index of the next item; -1 if the start of the record is not written yet. */
  #item = -1;
  /** Row of the first record: no separator precedes it. */
  readonly #first: number;
  readonly #t: TypeTable;
  readonly #out: ByteText;
  readonly #plans: RecordPlans;
  readonly #view: DataView;
  readonly #little: boolean;

  constructor(t: TypeTable, out: ByteText, plans: RecordPlans, index = 0) {
    this.index = index;
    this.#first = index;
    this.#t = t;
    this.#out = out;
    this.#plans = plans;
    this.#view = new DataView(t.blob.buffer, t.blob.byteOffset, t.blob.byteLength);
    this.#little = t.endian === 'little';
  }

  /** Writes records up to row `end` (exclusive). Stops earlier after about `bytes` of text. */
  write(end: number, bytes: number): void {
    const { recordOff } = this.#t;
    const out = this.#out;
    const limit = out.length + bytes;
    while (this.index < end && out.length < limit) {
      const at = recordOff[this.index] ?? 0;
      const info = this.#u32(at + 4);
      const plan = this.#plans.of(info);
      if (this.#item < 0) {
        if (this.index > this.#first) out.piece(this.#plans.between);
        this.#run(plan.steps, at);
        this.#item = 0;
      }
      if (plan.items !== null && !this.#items(plan.items, at, infoVlen(info), limit)) return;
      out.piece(plan.end);
      this.#item = -1;
      this.index++;
    }
  }

  /** Writes items from `#item` on. Returns false if it stopped at `limit` before the last item. */
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

  /** Writes the record or item at offset `start`. */
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

  /** Writes a name. Offset 0 always means no name; an offset outside of all strings is invalid. */
  #name(t: TypeTable, nameOff: number): void {
    const owner = nameOff === 0 ? null : stringOwner(t, nameOff);
    if (owner !== null) this.#plans.style.name(this.#out, owner, nameOff);
    else this.#out.piece(nameOff === 0 ? ANONYMOUS : INVALID);
  }

  /** Writes a value of an uncommon form. `bits` are a part of the word at offset `at`. */
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
      case StepForm.HEX:
        out.latin1(`0x${bits.toString(16)}`);
        break;
      case StepForm.LOCATION:
        out.latin1(locationText(this.#t, typeId(this.#t.firstId + this.index)));
        break;
      case StepForm.LOCATION_OF:
        out.latin1(this.#location(typeId(bits)));
        break;
      case StepForm.FUNC_NAME:
        if (kindOf(this.#t, typeId(bits)) !== BtfKind.FUNC) out.latin1(INVALID_TYPE);
        else this.#name(this.#t, nameOffOf(this.#t, typeId(bits)));
        break;
      case StepForm.SIGNATURE:
        this.#signature(typeId(bits), typeId(this.#u32(at + 4)));
        break;
      default:
    }
  }

  /** Writes the kind and name of type `id`, ` (VAR 'name')`; nothing for a missing id. */
  #pointee(id: TypeId): void {
    const t = this.#t;
    if (id !== VOID && !hasType(t, id)) return;
    const { quote } = this.#plans.style;
    this.#out.latin1(` (${kindWord(kindOf(t, id))} ${quote}`);
    this.#name(t, nameOffOf(t, id));
    this.#out.latin1(`${quote})`);
  }

  #location(id: TypeId): string {
    return id === VOID ? '<unavailable>' : locationText(this.#t, id);
  }

  /** Writes a function with its parameters' locations, `foo(a [reg1])`, cut after 1,023 bytes. */
  #signature(func: TypeId, locProto: TypeId): void {
    const t = this.#t;
    const proto = refOf(t, func) ?? VOID;
    const locations = locParamsOf(t, locProto);
    const isFunc = kindOf(t, func) === BtfKind.FUNC && kindOf(t, proto) === BtfKind.FUNC_PROTO;
    const isLocProto = kindOf(t, locProto) === BtfKind.LOC_PROTO;
    if (!isFunc || !isLocProto || locations.length !== vlenOf(t, proto)) {
      this.#out.latin1(INVALID_TYPE);
      return;
    }
    const bytes = gathered((out) => {
      out.name(t, nameOffOf(t, func), MAX_SIGNATURE).latin1('(');
      for (const [i, { nameOff, type }] of paramsOf(t, proto).entries()) {
        // Text after the limit would be cut off.
        if (out.length > MAX_SIGNATURE) break;
        if (i > 0) out.latin1(', ');
        if (type === VOID && i === locations.length - 1) {
          out.latin1('...');
          continue;
        }
        if (nameOff === 0) out.piece(ANONYMOUS);
        else out.name(t, nameOff, MAX_SIGNATURE);
        out.latin1(` [${this.#location(locations[i] ?? VOID)}]`);
      }
      out.latin1(')');
    }, CHUNK_LENGTH);
    if (bytes.length > MAX_SIGNATURE) bytes.fill(DOT, MAX_SIGNATURE - 3, MAX_SIGNATURE);
    this.#plans.style.string(this.#out, bytes.subarray(0, MAX_SIGNATURE));
  }

  #u32(offset: number): number {
    return this.#view.getUint32(offset, this.#little);
  }

  /** Returns a 64-bit value of ENUM64. The low word comes first in either byte order. */
  #u64(offset: number): bigint {
    return BigInt(this.#u32(offset)) | (BigInt(this.#u32(offset + 4)) << 32n);
  }
}

/** Writes the types of `t`, without its base, as bpftool's JSON. Yields the number done. */
export function* writeJson(
  t: TypeTable,
  out: ByteText,
  { bpftool = '7.8', roots }: DumpOptions = {},
): Generator<number, void> {
  out.latin1('{"types":[');
  yield* writeRecords(t, out, JSON_RECORDS[bpftool], roots);
  out.latin1(']}\n');
}

const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Escapes in names, by byte. All other bytes are unchanged, even most control characters. */
const ESCAPES: ReadonlyMap<number, string> = new Map([
  [0x08, '\\b'],
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0c, '\\f'],
  [0x0d, '\\r'],
  [QUOTE, '\\"'],
  [BACKSLASH, '\\\\'],
]);

/** bpftool 7.1 wrongly writes a backslash as `\n`. */
const ESCAPES_7_1: ReadonlyMap<number, string> = new Map([...ESCAPES, [BACKSLASH, '\\n']]);

/** Writes the bytes of `blob` from `start` to a NUL or `end`, with escapes. */
function writeEscaped(
  out: ByteText,
  escapes: ReadonlyMap<number, string>,
  blob: Uint8Array,
  start: number,
  end: number,
): void {
  for (let at = start; at < end; at++) {
    const byte = blob[at] ?? 0;
    if (byte === 0) return;
    const special = byte < SPACE || byte === QUOTE || byte === BACKSLASH;
    const escaped = special ? escapes.get(byte) : undefined;
    if (escaped === undefined) out.byte(byte);
    else out.latin1(escaped);
  }
}

const jsonRecords = (escapes: ReadonlyMap<number, string>) =>
  new RecordPlans({
    json: true,
    quote: '"',
    name: (out, { blob, strStart, strEnd, strBase }, nameOff) =>
      writeEscaped(out, escapes, blob, strStart + (nameOff - strBase), strEnd),
    string: (out, bytes) => writeEscaped(out, escapes, bytes, 0, bytes.length),
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

const JSON_RECORDS: Readonly<Record<VersionOf<'bpftool'>, RecordPlans>> = {
  '7.8': jsonRecords(ESCAPES),
  '7.1': jsonRecords(ESCAPES_7_1),
};
