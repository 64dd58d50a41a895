/** Opens an input as a file for the targets, and selects the parts of it that a target tests. */
import { openCarried, typesLink } from '#analysis/links/carried-link.ts';
import { fnv1a } from '#analysis/links/packed.ts';
import { Malformed } from '#bytes/issue.ts';
import { Slices } from '#bytes/long-work.ts';
import type { ByteSource } from '#bytes/source.ts';
import { ingestBytes } from '#ingest/ingest.ts';
import { type SectionIndex, sectionIndex, type TypeId, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { lastId, type TypeTable } from '#model/type-table.ts';

/** Reports the name of the next step, so that the report of a hang contains it. */
export type ReportStep = (step: string) => void;

export type Opened = { readonly model: ObjectModel; readonly source: ByteSource };

/** One in this many inputs is tested with IDs of missing types. */
const ABSENT = 8;
/** Limit for rows of other tables. */
const MAX_ROWS = 10;
/** Limit in characters for a link with few types. */
const FEW_TYPES_LENGTH = 300;

export const NEVER = new AbortController().signal;

/** Returns slices that never pause: pausing would only take time. */
export function noPauses(): Slices {
  return new Slices(Number.POSITIVE_INFINITY, NEVER);
}

/** Opens the input; null if it is rejected or is a container. Throws errors other than `Malformed`. */
export async function openInput(bytes: Uint8Array): Promise<Opened | null> {
  const read = await orMalformed(() => ingestBytes('input', bytes));
  return read?.kind === 'object' ? read : null;
}

/** Returns BTF blobs of the input: a blob of all types, and small blobs of few types. */
export async function blobsOf(bytes: Uint8Array): Promise<Uint8Array[]> {
  const types = (await openInput(bytes))?.model.types ?? null;
  if (types === null || types.split) return [];
  return [types.blob, ...(await fewTypesOf(bytes, 1))];
}

/** Returns BTF blobs of few types each: the last types of the input and a sample of the others. */
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

/**
 * Returns the result of `work`; null if it throws `Malformed`, whose message must be one sentence.
 */
export async function orMalformed<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    if (error.issue.message === '') throw new Error('a refusal without a sentence');
    return null;
  }
}

/** Returns IDs to test: at most `most` of the file, or some of missing types. Depends on the input. */
export function sampledTypes(t: TypeTable, most = 1): TypeId[] {
  const choice = choiceFor(t, 0);
  if (choice % ABSENT === 0) return [lastId(t) + 1, 0xffffffff].map(typeId);
  return sampledRows(lastId(t) + 1, most, Math.floor(choice / ABSENT)).map(typeId);
}

/** Returns a number that depends on the input and on `salt`. */
function choiceFor(t: TypeTable, salt: number): number {
  const mixed = Math.imul(fnv1a(t.blob) + salt, 0x9e37_79b1);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** Returns one of several steps, depending on the input. Throws `RangeError` if there are none. */
export function choose<T>(t: TypeTable, steps: readonly T[]): T {
  const step = steps[choiceFor(t, steps.length) % steps.length];
  if (step === undefined) throw new RangeError('there is nothing to choose from');
  return step;
}

/**
 * Returns rows of a table of `count`, spread over the table and shifted by `choice`; empty for an
 * empty table.
 */
export function sampledRows(count: number, most = MAX_ROWS, choice = 0): number[] {
  const step = Math.max(1, Math.ceil(count / most));
  const from = choice % step;
  return Array.from({ length: Math.ceil((count - from) / step) }, (_, i) => from + i * step);
}

/** Returns the section numbers to test. */
export function sampledSections({ sections }: ObjectModel): SectionIndex[] {
  return sampledRows(sections.count, 64).map(sectionIndex);
}

/** Reads at most `most` of `parts`; returns the number of their characters. */
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

/** Returns a synchronous reader for the sections of a file in memory. */
export function sectionReader(model: ObjectModel, file: Uint8Array) {
  return (section: number): Uint8Array | null => {
    const start = model.sections.fileOffset[section];
    const length = model.sections.byteLength[section];
    if (start === undefined || length === undefined) return null;
    return file.subarray(start, start + length);
  };
}

/** Returns all bytes of a source in memory. */
export function allBytes({ source }: Opened): Promise<Uint8Array> {
  return source.read(0, source.size);
}
