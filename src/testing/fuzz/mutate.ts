/** Makes new inputs from stored ones. Some mutations use the structure of the file. */
import { ingestBytes } from '#ingest/ingest.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { mutateBytes, oddNumber, readWord, writeWord } from './byte-mutations.ts';
import type { Random } from './random.ts';
import { rebuiltBlob, withBlob } from './rebuild-btf.ts';
import { type Structure, structureOf } from './structure.ts';
import { mutateText } from './text-mutations.ts';

/** A stored input, with its model and structure once they are known. */
export type StoredInput = {
  readonly bytes: Uint8Array;
  /** Undefined until the input is read; null if it cannot be read. */
  known?: { readonly model: ObjectModel; readonly structure: Structure } | null;
};

/** Limit of an input in bytes; larger ones find nothing more. */
const MAX_BYTES = 48_000;
const MAX_CHANGES = 6;

/** Maximum number of structures in memory: each has thousands of places. */
const MAX_KNOWN = 40;
const known: StoredInput[] = [];

/** What an input contains, which decides how it is mutated. */
export type InputForm = 'file' | 'bytes' | 'text';

/** Returns a mutation of `parent`, which stays unchanged. Inserted parts come from `other`. */
export async function mutate(
  form: InputForm,
  parent: StoredInput,
  other: StoredInput,
  random: Random,
): Promise<Uint8Array> {
  const changes = 1 + random.below(random.pick([1, 2, MAX_CHANGES]));
  if (form === 'text') {
    let text = new TextDecoder().decode(parent.bytes);
    const parts = new TextDecoder().decode(other.bytes);
    for (let i = 0; i < changes; i++) text = mutateText(text, random, parts);
    return new TextEncoder().encode(text);
  }
  const found = form === 'file' && !random.oneIn(4) ? await readStored(parent) : null;
  let bytes: Uint8Array = parent.bytes.slice();
  if (found !== null) {
    const { model, structure } = found;
    if (model.types !== null && random.oneIn(3)) {
      const blob = rebuiltBlob(model.types, random, changes);
      bytes = withBlob(model, bytes, blob);
    } else {
      for (let i = 0; i < changes; i++) mutateStructure(bytes, structure, random);
    }
    if (!random.oneIn(4)) return bytes.subarray(0, MAX_BYTES);
  }
  for (let i = 0; i < changes; i++)
    bytes = Uint8Array.from(mutateBytes(bytes, random, other.bytes));
  return bytes.subarray(0, MAX_BYTES);
}

async function readStored(stored: StoredInput) {
  if (stored.known === undefined) {
    stored.known = null;
    known.push(stored);
    if (known.length > MAX_KNOWN) delete known.shift()?.known;
    try {
      const read = await ingestBytes('stored', stored.bytes);
      // Offsets in the structure of a compressed file do not refer to `bytes`.
      if (read.kind === 'object' && read.model.containers.length === 0) {
        stored.known = { model: read.model, structure: structureOf(read.model, stored.bytes) };
      }
    } catch {
      // An input that cannot be read is mutated without a structure.
    }
  }
  return stored.known;
}

/** Mutates one number, record or name of the structure in place. */
function mutateStructure(bytes: Uint8Array, structure: Structure, random: Random): void {
  const { numbers, records, strings, little } = structure;
  const kind = random.below(8);
  if (kind === 0 && strings.length > 0) {
    const { start, end } = random.pick(strings);
    const at = start + random.below(end - start);
    bytes[at] = random.pick([0, 0x0a, 0x22, 0x2a, 0x2e, 0x3a, 0x5f, 0x61, 0x7f, 0x80, 0xe2, 0xff]);
  } else if (kind === 1 && records.length > 0) {
    const from = random.pick(records);
    const to = random.pick(records);
    bytes.copyWithin(to.start, from.start, Math.min(from.end, from.start + to.end - to.start));
  } else if (numbers.length > 0) {
    const { start, end } = random.pick(numbers);
    writeWord(bytes, start, end - start, little, numberFor(bytes, structure, start, end, random));
  }
}

function numberFor(
  bytes: Uint8Array,
  { numbers, records, little }: Structure,
  start: number,
  end: number,
  random: Random,
): number {
  const now = readWord(bytes, start, end - start, little);
  switch (random.below(5)) {
    case 0:
      return now + random.below(9) - 4;
    case 1: {
      const other = random.pick(numbers);
      return readWord(bytes, other.start, other.end - other.start, little);
    }
    case 2:
      return records.length === 0 ? 0 : random.pick(records).start;
    case 3:
      return now * random.pick([2, 8, 256, -1]);
    default:
      return oddNumber(bytes, random);
  }
}
