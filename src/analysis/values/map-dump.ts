/**
 * Parses a map's bytes from user input: hex text, or output of `bpftool map dump -j`. A dump is an
 * array of `{key, value}`, or of `{key, values: [{cpu, value}]}` for a per-CPU map. Keys and values
 * are arrays of texts such as `"0x2a"`. bpftool's member `formatted` is ignored.
 */
export type DumpEntry = {
  readonly key: Uint8Array;
  /** The value, or one value per CPU. `bytes` is null if the kernel returned no value. */
  readonly values: readonly { readonly cpu: number | null; readonly bytes: Uint8Array | null }[];
};

/** Thrown for a text that is not a map dump. */
export class DumpError extends Error {
  /** Range of the error in the text, in characters; null if unknown. */
  readonly at: { readonly start: number; readonly length: number } | null;

  constructor(message: string, at: DumpError['at'] = null) {
    super(message);
    this.at = at;
  }
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
