/** What all targets begin with: the input as a file, and what of it is asked about. */
import { openCarried, typesLink } from '#analysis/links/carried-link.ts';
import { fnv1a } from '#analysis/links/fnv.ts';
import { Malformed } from '#bytes/issue.ts';
import { Slices } from '#bytes/slices.ts';
import type { ByteSource } from '#bytes/source.ts';
import { ingestBytes } from '#ingest/ingest.ts';
import { type SectionIndex, sectionIndex, type TypeId, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { lastId, type TypeTable } from '#model/type-table.ts';

/** Called before each step: a hang is reported with the name of its step. */
export type Tell = (step: string) => void;

export type Opened = { readonly model: ObjectModel; readonly source: ByteSource };

/** One in so many inputs is asked about types that do not exist. */
const ABSENT = 8;
/** Rows of other tables that are. */
const MAX_ROWS = 10;
/** Characters of a link of few types. */
const FEW_TYPES_LENGTH = 300;

export const NEVER = new AbortController().signal;

/** Slices that never end: a turn of the loop would only take time. */
export function noPauses(): Slices {
  return new Slices(Number.POSITIVE_INFINITY, NEVER);
}

/** The input as a file; null where it is refused, or holds others. Throws what is no `Malformed`. */
export async function opened(bytes: Uint8Array): Promise<Opened | null> {
  const read = await orMalformed(() => ingestBytes('input', bytes));
  return read?.kind === 'object' ? read : null;
}

/** BTF without a file around it: all types of the input, and few that stand by themselves. */
export async function blobsOf(bytes: Uint8Array): Promise<Uint8Array[]> {
  const types = (await opened(bytes))?.model.types ?? null;
  if (types === null || types.split) return [];
  return [types.blob, ...(await fewTypesOf(bytes, 1))];
}

/** BTF of few types each, the last ones of the input and others spread over it. */
export async function fewTypesOf(bytes: Uint8Array, most = 6): Promise<Uint8Array[]> {
  const types = (await opened(bytes))?.model.types ?? null;
  if (types === null || types.split) return [];
  const blobs: Uint8Array[] = [];
  for (const row of askedRows(types.count, most)) {
    const link = await typesLink(types, typeId(types.count - row), FEW_TYPES_LENGTH, NEVER);
    if (link !== null) blobs.push((await openCarried(link.key)).bytes);
  }
  return blobs;
}

/** What `work` gives; null where it refuses by `Malformed`, whose sentence must be one. */
export async function orMalformed<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    if (error.issue.message === '') throw new Error('a refusal without a sentence');
    return null;
  }
}

/** Ids to ask about: at most `most` of the file, or some that are none. Another input asks about others. */
export function askedTypes(t: TypeTable, most = 1): TypeId[] {
  const choice = choiceFor(t, 0);
  if (choice % ABSENT === 0) return [lastId(t) + 1, 0xffffffff].map(typeId);
  return askedRows(lastId(t) + 1, most, Math.floor(choice / ABSENT)).map(typeId);
}

/** A number that each input has for itself, and another one for each `question`. */
function choiceFor(t: TypeTable, question: number): number {
  const mixed = Math.imul(fnv1a(t.blob) + question, 0x9e37_79b1);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** One of several questions: another input is asked another one. Throws `RangeError` where there are none. */
export function chosenFor<T>(t: TypeTable, questions: readonly T[]): T {
  const question = questions[choiceFor(t, questions.length) % questions.length];
  if (question === undefined) throw new RangeError('there is nothing to choose from');
  return question;
}

/** Rows of a table of `count`, spread over it, which ones `choice` says; none where it is empty. */
export function askedRows(count: number, most = MAX_ROWS, choice = 0): number[] {
  const step = Math.max(1, Math.ceil(count / most));
  const from = choice % step;
  return Array.from({ length: Math.ceil((count - from) / step) }, (_, i) => from + i * step);
}

/** All section numbers that are asked about. */
export function askedSections({ sections }: ObjectModel): SectionIndex[] {
  return askedRows(sections.count, 64).map(sectionIndex);
}

/** Goes through all that `parts` gives, at most `most` of them; how many characters those were. */
export function drained(parts: Iterable<string>, most = 20_000): number {
  let length = 0;
  let count = 0;
  for (const part of parts) {
    length += part.length;
    count += 1;
    if (count >= most) break;
  }
  return length;
}

/** The bytes of sections of a file in memory, for those who ask at once. */
export function sectionReader(model: ObjectModel, file: Uint8Array) {
  return (section: number): Uint8Array | null => {
    const start = model.sections.fileOffset[section];
    const length = model.sections.byteLength[section];
    if (start === undefined || length === undefined) return null;
    return file.subarray(start, start + length);
  };
}

/** All bytes of a source that is in memory. */
export function allBytes({ source }: Opened): Promise<Uint8Array> {
  return source.read(0, source.size);
}
