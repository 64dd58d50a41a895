/** Opens inputs for the fuzz targets, and chooses which types, rows and sections to test. */
import { openCarried, typesLink } from '#analysis/links/carried-link.ts';
import { fnv1a } from '#bytes/fnv1a.ts';
import { Malformed } from '#bytes/issue.ts';
import { Slices } from '#bytes/long-work.ts';
import type { ByteSource } from '#bytes/source.ts';
import { ingestBytes } from '#ingest/ingest.ts';
import { type SectionIndex, sectionIndex, type TypeId, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { lastId, type TypeTable } from '#model/type-table.ts';

/** Reports that a step begins, so that the report of a hang can name the step. */
export type ReportStep = (step: string) => void;

export type Opened = { readonly model: ObjectModel; readonly source: ByteSource };

/** One in this many inputs is tested with ids of types that do not exist. */
const ABSENT = 8;
/** Default limit of rows that are tested in a table. */
const MAX_ROWS = 10;
/** Limit in characters for a link that carries few types. */
const FEW_TYPES_LENGTH = 300;

export const NEVER = new AbortController().signal;

/** Returns slices without pauses, which would only take time. */
export function noPauses(): Slices {
  return new Slices(Number.POSITIVE_INFINITY, NEVER);
}

/** Opens the input. Returns null if it is a container or rejected with `Malformed`. */
export async function openInput(bytes: Uint8Array): Promise<Opened | null> {
  const read = await orMalformed(() => ingestBytes('input', bytes));
  return read?.kind === 'object' ? read : null;
}

/** Returns BTF blobs of the input's types: one with all of them, and small ones with few. */
export async function blobsOf(bytes: Uint8Array): Promise<Uint8Array[]> {
  const types = (await openInput(bytes))?.model.types ?? null;
  if (types === null || types.split) return [];
  return [types.blob, ...(await fewTypesOf(bytes, 1))];
}

/** Returns up to `most` BTF blobs with few types each, made from evenly spaced types. */
export async function fewTypesOf(bytes: Uint8Array, most = 6): Promise<Uint8Array[]> {
  const types = (await openInput(bytes))?.model.types ?? null;
  if (types === null || types.split) return [];
  const blobs: Uint8Array[] = [];
  for (const row of sampledRows(types.count, most)) {
    const link = await typesLink(types, typeId(types.count - row), FEW_TYPES_LENGTH, NEVER);
    if (link !== null) blobs.push((await openCarried(link.key)).bytes);
  }
  return blobs;
}

/** Returns the result of `work`; null if it throws `Malformed`, which must have a message. */
export async function orMalformed<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    if (error.issue.message === '') throw new Error('a refusal without a sentence');
    return null;
  }
}

/** Returns at most `most` type ids that exist, or in some inputs ids that do not exist. */
export function sampledTypes(t: TypeTable, most = 1): TypeId[] {
  const choice = choiceFor(t, 0);
  if (choice % ABSENT === 0) return [lastId(t) + 1, 0xffffffff].map(typeId);
  return sampledRows(lastId(t) + 1, most, Math.floor(choice / ABSENT)).map(typeId);
}

/** Returns a number that depends on the types and on `salt`. */
function choiceFor(t: TypeTable, salt: number): number {
  const mixed = Math.imul(fnv1a(t.blob) + salt, 0x9e37_79b1);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** Returns one of `steps`, chosen by the types. Throws `RangeError` if `steps` is empty. */
export function choose<T>(t: TypeTable, steps: readonly T[]): T {
  const step = steps[choiceFor(t, steps.length) % steps.length];
  if (step === undefined) throw new RangeError('there is nothing to choose from');
  return step;
}

/** Returns at most `most` rows of a table with `count` rows: evenly spaced, shifted by `choice`. */
export function sampledRows(count: number, most = MAX_ROWS, choice = 0): number[] {
  const step = Math.max(1, Math.ceil(count / most));
  const from = choice % step;
  return Array.from({ length: Math.ceil((count - from) / step) }, (_, i) => from + i * step);
}

/** Returns the numbers of up to 64 sections to test. */
export function sampledSections({ sections }: ObjectModel): SectionIndex[] {
  return sampledRows(sections.count, 64).map(sectionIndex);
}

/** Reads up to `most` of `parts`; returns their length in characters. */
export function readParts(parts: Iterable<string>, most = 20_000): number {
  let length = 0;
  let count = 0;
  for (const part of parts) {
    length += part.length;
    count += 1;
    if (count >= most) break;
  }
  return length;
}

/** Returns a function that reads the sections of a file in memory without waiting. */
export function sectionReader(model: ObjectModel, file: Uint8Array) {
  return (section: number): Uint8Array | null => {
    const start = model.sections.fileOffset[section];
    const length = model.sections.byteLength[section];
    if (start === undefined || length === undefined) return null;
    return file.subarray(start, start + length);
  };
}

/** Returns all bytes of an opened file. */
export function allBytes({ source }: Opened): Promise<Uint8Array> {
  return source.read(0, source.size);
}
