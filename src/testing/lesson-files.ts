/**
 * The built-in lessons, and the files that their steps show. Finds a step's file, the selection of
 * an address and the result of a CO-RE record as the page does.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { targetOf } from '#analysis/core/candidates.ts';
import { coreObjectOf } from '#analysis/core/core-records.ts';
import { type CoreResult, resolveObject } from '#analysis/core/resolve.ts';
import type { ReadBytes } from '#analysis/fields/field.ts';
import { isCarriedKey } from '#analysis/links/carried-key.ts';
import { openCarried } from '#analysis/links/carried-link.ts';
import { bufferSource } from '#bytes/source.ts';
import { ingest } from '#ingest/ingest.ts';
import type { Lesson, PlaceText, Step } from '#lessons/lesson.ts';
import { readLesson } from '#lessons/read-lesson.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';
import { resolveSelection } from '#store/address/selection-keys.ts';
import { decodeKey, splitOnce } from '#store/page/percent.ts';
import { sampleBytes } from './samples.ts';

const TEXTS = `${import.meta.dirname}/../lessons/texts`;

/** Returns the ids of the built-in lessons: the names of the files in `src/lessons/texts/`. */
export function lessonIds(): readonly string[] {
  return readdirSync(TEXTS)
    .filter((name) => /^[^.]+\.md$/.test(name))
    .map((name) => name.slice(0, -'.md'.length))
    .toSorted();
}

/** Returns the Markdown of a lesson. A translation's text is returned without its original. */
export function lessonText(key: string): string {
  return readFileSync(`${TEXTS}/${key}.md`, 'utf8');
}

/** Returns the keys of all translations, for example `why-core.de`. */
export function translationKeys(): readonly string[] {
  return readdirSync(TEXTS)
    .filter((name) => /^[^.]+\.[^.]+\.md$/.test(name))
    .map((name) => name.slice(0, -'.md'.length))
    .toSorted();
}

/** Returns a parsed lesson. Throws if the lesson has no step. */
export function lessonOf(id: string): Lesson {
  const { lesson } = readLesson(lessonText(id));
  if (lesson === null) throw new Error(`${id} has no step`);
  return lesson;
}

/** An example in memory, with its key, model and bytes. */
export type LessonFile = {
  /** Key of the example: `sample:NAME`. */
  readonly key: string;
  /** Of a log: the model of `OWN_FILE`, as questions on a log read no model. */
  readonly model: ObjectModel;
  readonly read: ReadBytes;
  /** Number of lines of a log that a step carries; null for other files. */
  readonly logLines: number | null;
};

const files = new Map<string, Promise<LessonFile>>();

/**
 * Opens an example, or a carried log or object, by its key, once; `base` is the key of its base or empty. Rejects for a key of
 * another kind.
 */
export function lessonFile(key: string, base = ''): Promise<LessonFile> {
  const name = `${key} ${base}`;
  const known = files.get(name) ?? openFile(key, base);
  files.set(name, known);
  return known;
}

async function openFile(key: string, base: string): Promise<LessonFile> {
  if (isCarriedKey(key)) {
    const { bytes } = await openCarried(key);
    const carried = await ingest(bufferSource('carried', bytes));
    if (carried.kind === 'object') {
      const readBytes: ReadBytes = (start, end) => bytes.subarray(start, end);
      return { key, model: carried.model, read: readBytes, logLines: null };
    }
    const { model, read } = await lessonFile(OWN_FILE);
    return {
      key,
      model,
      read,
      logLines: new TextDecoder().decode(bytes).trimEnd().split('\n').length,
    };
  }
  if (!key.startsWith('sample:')) throw new Error(`${key} is no example`);
  const name = key.slice('sample:'.length);
  const types = base === '' ? null : (await lessonFile(base)).model.types;
  const source = bufferSource(name, sampleBytes(name));
  const opened = await ingest(source, types === null ? {} : { base: types, baseName: base });
  if (opened.kind !== 'object') throw new Error(`${key} is an archive`);
  const bytes = await opened.source.read(0, opened.source.size);
  const read: ReadBytes = (start, end) => bytes.subarray(start, end);
  return { key, model: opened.model, read, logLines: null };
}

/** Splits an address into its view and its parameters, which stay percent-encoded. */
export function cutAddress(address: string): {
  readonly view: string;
  readonly params: ReadonlyMap<string, string>;
} {
  const [view = '', query = ''] = splitOnce(address.replace(/^#?\/?/, ''), '?');
  return { view, params: paramsOf(query) };
}

function paramsOf(query: string): ReadonlyMap<string, string> {
  const parts = query.split('&').filter((part) => part !== '');
  return new Map(
    parts.map((part) => splitOnce(part, '=')).map(([key, value = '']) => [key, value]),
  );
}

/**
 * Returns the address that a step shows: its own, or else that of the nearest earlier step, or
 * null.
 */
export function shownBy(lesson: Lesson, step: Step): string | null {
  const at = lesson.steps.indexOf(step);
  return lesson.steps.slice(0, at + 1).findLast(({ show }) => show !== null)?.show ?? null;
}

/** Example that stands for the learner's file, in lessons about the learner's file. */
export const OWN_FILE = 'sample:exec_trace.bpf.o';

/** Returns the file key of a lesson's object; `OWN_FILE` if the learner chooses the object. */
export function lessonObject(object: string): string {
  return object === 'own' ? OWN_FILE : object;
}

/** Returns the file that an address names; if it names none, the lesson's object. */
export function fileOfAddress(lesson: Lesson, address: string | null): Promise<LessonFile> {
  const { params } = cutAddress(address ?? '');
  const key = decodeKey(params.get('file') ?? '');
  return lessonFile(key || lessonObject(lesson.object), decodeKey(params.get('base') ?? ''));
}

/** Returns the file of a step. */
export function fileOfStep(lesson: Lesson, step: Step): Promise<LessonFile> {
  return fileOfAddress(lesson, shownBy(lesson, step));
}

/** Returns the selection of a place in a file; `problem` names a part that the file lacks. */
export function placeIn(
  { model }: LessonFile,
  place: PlaceText,
): { readonly selection: Selection; readonly problem: string | null } {
  return resolveSelection(model, paramsOf(place));
}

const resolved = new Map<string, Promise<readonly CoreResult[]>>();

/** Returns the result of the CO-RE record at `place` on `target`; null without a record there. */
export async function resultAt(
  file: LessonFile,
  place: PlaceText,
  target: string,
): Promise<CoreResult | null> {
  const { selection } = placeIn(file, place);
  if (selection.kind !== 'core') return null;
  const name = `${file.key} ${target}`;
  const results = resolved.get(name) ?? resolveFile(file, target);
  resolved.set(name, results);
  return (await results).find(({ record }) => record.index === selection.core) ?? null;
}

async function resolveFile(
  { model, read }: LessonFile,
  target: string,
): Promise<readonly CoreResult[]> {
  const local = coreObjectOf(model, (section) => {
    const start = model.sections.fileOffset[section] ?? 0;
    return read(start, start + (model.sections.byteLength[section] ?? 0));
  });
  const { types } = (await lessonFile(target)).model;
  if (local === null || types === null) return [];
  return resolveObject(local, targetOf(target, types));
}
