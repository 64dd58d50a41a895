/**
 * Parses a map's bytes from user input: hex text, or output of `bpftool map dump`, with `-j` or
 * without. The JSON is an array of `{key, value}`, or of `{key, values: [{cpu, value}]}` for a
 * per-CPU map. Keys and values are arrays of texts such as `"0x2a"`; bpftool's member `formatted` is
 * ignored. Without `-j` and BTF, entries are `key: 01 00  value: 02 00`; with BTF, values are
 * decoded, see `dump-values.ts`.
 */
import { DumpError } from './dump-error.ts';
import { parseValueDump, type ValueEntry } from './dump-values.ts';

export type DumpEntry = {
  readonly key: Uint8Array;
  /** The value, or one value per CPU. `bytes` is null if the kernel returned no value. */
  readonly values: readonly { readonly cpu: number | null; readonly bytes: Uint8Array | null }[];
};

/** A dump with the bytes of each entry, or with values that a type of the map turns into bytes. */
export type MapDump =
  | { readonly form: 'bytes'; readonly entries: readonly DumpEntry[] }
  | { readonly form: 'values'; readonly entries: readonly ValueEntry[] };

const PLAIN = /^\s*(?:key:|Found \d+ element)/;
const AS_BYTES = /^\s*\[\s*\{\s*"key"\s*:\s*\[\s*"0x/;
const AS_VALUES = /^\s*\[\s*\{\s*"(?:key|values?)"\s*:/;

/** Returns true if a text begins like a dump, as no hex text does. */
export function looksLikeDump(text: string): boolean {
  return PLAIN.test(text) || /^\s*\[\s*(\{|\])/.test(text);
}

/** Reads a dump of any form. Throws `DumpError`. */
export function readMapDump(text: string): MapDump {
  if (PLAIN.test(text)) return { form: 'bytes', entries: parsePlainDump(text) };
  return AS_VALUES.test(text) && !AS_BYTES.test(text)
    ? { form: 'values', entries: parseValueDump(text) }
    : { form: 'bytes', entries: parseMapDump(text) };
}

const PART = /^(key|value|value \(CPU (\d{1,6})\)|id|inner_map_id):(.*)$/;

/**
 * Returns the entries of a dump without BTF and `-j`: `key: 01 00  value: 02 00`, keys and values of
 * over 16 bytes on lines of their own (Linux, tools/bpf/bpftool/map.c, `print_entry_plain`). The
 * value of a map of maps is a number. Throws `DumpError` with the place of the first fault.
 */
function parsePlainDump(text: string): DumpEntry[] {
  const entries: { key: number[]; values: { cpu: number | null; bytes: number[] | null }[] }[] = [];
  let bytes: number[] | null = null;
  let start = 0;
  for (const line of text.split('\n')) {
    // A short entry is on one line: the value begins after two spaces.
    for (const piece of line.split(/(?<! ) {2,}(?=value:|id:|inner_map_id:)/)) {
      const rest = piece.trim();
      if (rest === '' || /^Found \d+ elements?$/.test(rest)) continue;
      const [, part, cpu, own] = PART.exec(rest) ?? [];
      const last = entries.at(-1);
      if (part === 'key') {
        bytes = [];
        entries.push({ key: bytes, values: [] });
      } else if (part !== undefined) {
        if (last === undefined) throw new DumpError('a value without a key', lineAt(start, line));
        bytes = [];
        last.values.push({ cpu: cpu === undefined ? null : Number(cpu), bytes });
      }
      const given = (own ?? rest).trim();
      if (part === 'id' || part === 'inner_map_id') {
        if (!/^\d{1,10}$/.test(given))
          throw new DumpError('an id is not a number', lineAt(start, line));
        for (let id = BigInt(given), i = 0; i < 4; i++, id >>= 8n) bytes?.push(Number(id & 255n));
      } else if (bytes !== null && /^(?:[\da-f]{2}(?:\s+|$))*$/i.test(given)) {
        for (const [pair] of given.matchAll(/[\da-f]{2}/gi)) bytes.push(Number.parseInt(pair, 16));
      } else if (bytes?.length === 0 && last?.values.at(-1)?.bytes === bytes) {
        // The kernel returned no value: bpftool prints the error message in place of the bytes.
        last.values.splice(-1, 1, { cpu: null, bytes: null });
        bytes = null;
      } else {
        throw new DumpError(
          `"${rest.slice(0, 32)}" is not a run of hex bytes`,
          lineAt(start, line),
        );
      }
    }
    start += line.length + 1;
  }
  return entries.map(({ key, values }) => ({
    key: Uint8Array.from(key),
    values: values.map((value) => ({
      cpu: value.cpu,
      bytes: value.bytes === null ? null : Uint8Array.from(value.bytes),
    })),
  }));
}

function lineAt(start: number, line: string): DumpError['at'] {
  return { start, length: Math.max(1, line.length) };
}

/** Parses hex such as `0a ff`, `0x0a, 0xff` or `0aff`. Throws `DumpError` for other texts. */
export function hexBytes(text: string): Uint8Array {
  const words = [...text.matchAll(/[^\s,:[\]{}"]+/g)];
  const digits = words.map(([word]) => {
    const bare = word.replace(/^0x/i, '');
    // `0x5` is one byte. Without `0x`, an odd number of digits is an error.
    return /^0x.$/i.test(word) ? `0${bare}` : bare;
  });
  const wrong = words[digits.findIndex((run) => !/^(?:[\da-f]{2})+$/i.test(run))];
  if (wrong !== undefined) {
    const [word] = wrong;
    const at = { start: wrong.index, length: word.length };
    throw new DumpError(`"${word.slice(0, 32)}" is not a run of hex bytes`, at);
  }
  return Uint8Array.from(digits.join('').match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Returns the entries of a dump. Throws `DumpError` with the number of the first invalid entry. */
export function parseMapDump(text: string): DumpEntry[] {
  const parsed = parse(text);
  if (!Array.isArray(parsed)) throw new DumpError('the dump is not an array of entries');
  return parsed.map((entry: unknown, index) => {
    const key = fieldOf(entry, 'key');
    const values = fieldOf(entry, 'values');
    return {
      key: byteArray(key, `the key of entry ${index}`),
      values: Array.isArray(values)
        ? values.map((item: unknown) => perCpu(item, index))
        : [{ cpu: null, bytes: valueBytes(fieldOf(entry, 'value'), index) }],
    };
  });
}

function parse(text: string): unknown {
  try {
    // bpftool 7.1 writes `(unsupported-kind` for a type that it cannot print, such as a float.
    return JSON.parse(text.replaceAll(':(unsupported-kind', ':null'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new DumpError(`the dump is not JSON: ${error.message}`, placeIn(text, error.message));
  }
}

/** Returns the position in a message of JSON.parse, or null: not all browsers state a position. */
function placeIn(text: string, message: string): DumpError['at'] {
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return { start: Number(position), length: 1 };
  const [, line, column] = /at line (\d+) column (\d+)/.exec(message) ?? [];
  if (line !== undefined && column !== undefined) {
    const before = text.split('\n', Number(line) - 1).join('\n').length;
    return { start: before + (Number(line) > 1 ? 1 : 0) + Number(column) - 1, length: 1 };
  }
  return /end of JSON input|end of data/.test(message) ? { start: text.length, length: 1 } : null;
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

function perCpu(item: unknown, index: number) {
  const cpu = fieldOf(item, 'cpu');
  if (typeof cpu !== 'number') throw new DumpError(`a value of entry ${index} has no cpu`);
  return { cpu, bytes: valueBytes(fieldOf(item, 'value'), index) };
}

/** Returns the bytes of a value, or null for objects such as `{"error": "No such entry"}`. */
function valueBytes(value: unknown, index: number): Uint8Array | null {
  return typeof fieldOf(value, 'error') === 'string'
    ? null
    : byteArray(value, `the value of entry ${index}`);
}

function byteArray(value: unknown, what: string): Uint8Array {
  if (!Array.isArray(value)) throw new DumpError(`${what} is not an array of bytes`);
  const bytes = new Uint8Array(value.length);
  for (const [i, item] of value.entries()) {
    if (typeof item !== 'string' || !/^0x[\da-f]{1,2}$/i.test(item)) {
      throw new DumpError(`${what} is not an array of bytes: item ${i} is not as "0x2a"`);
    }
    bytes[i] = Number.parseInt(item, 16);
  }
  return bytes;
}
