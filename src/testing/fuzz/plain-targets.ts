/** Fuzz targets for text that users paste or type: declarations, lessons, logs, links and dumps. */

import { openCarried, typesLink } from '#analysis/links/carried-link.ts';
import { deflateRaw, fromBase64Url, inflateRaw, toBase64Url } from '#analysis/links/packed.ts';
import { explainLine } from '#analysis/log/explain.ts';
import { DumpError } from '#analysis/values/dump-error.ts';
import { readMapDump } from '#analysis/values/map-dump.ts';
import { compileDeclarations } from '#analysis/workbench/workbench.ts';
import { concatBytes } from '#bytes/arrays.ts';
import { fnv1a } from '#bytes/fnv1a.ts';
import { bufferSource } from '#bytes/source.ts';
import { ingest, ingestBytes } from '#ingest/ingest.ts';
import { readLesson } from '#lessons/read-lesson.ts';
import { typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { linkLog, parseLog } from '#testing/all-at-once.ts';
import { NEVER, orMalformed, type ReportStep } from './opened.ts';

/** Prefix of a link key that contains types, and the length of the checksum that follows it. */
const TYPES = 'btf1:';
const CHECK_BYTES = 3;

/** Compiles C declarations and checks that the result is valid BTF. */
export async function compileText(bytes: Uint8Array, reportStep: ReportStep): Promise<void> {
  const text = new TextDecoder().decode(bytes);
  reportStep('compile');
  const { btf } = compileDeclarations(text, 'little');
  reportStep('read what was compiled');
  const read = await ingestBytes('compiled', btf);
  if (read.kind !== 'object') throw new Error('what was compiled is no BTF');
  const [issue] = read.model.issues.filter(({ severity }) => severity === 'error');
  if (issue !== undefined) throw new Error(`what was compiled is damaged: ${issue.message}`);
}

export function readLessonText(bytes: Uint8Array, reportStep: ReportStep): void {
  reportStep('lesson');
  readLesson(new TextDecoder().decode(bytes));
}

/** Returns a step that reads the log of a loader, given an object and a kernel. */
export function readLogBeside(model: ObjectModel) {
  return (bytes: Uint8Array, reportStep: ReportStep): void => {
    reportStep('log');
    const { lines } = parseLog(new TextDecoder().decode(bytes));
    reportStep('words of the log');
    for (const line of lines) explainLine(line);
    reportStep('links of the log');
    const targets = model.types === null ? [] : [{ name: 'kernel', types: model.types }];
    linkLog(lines, model, targets);
    linkLog(lines, null, []);
  };
}

export function readDump(bytes: Uint8Array, reportStep: ReportStep): void {
  reportStep('map dump');
  try {
    readMapDump(new TextDecoder().decode(bytes));
  } catch (error) {
    if (!(error instanceof DumpError)) throw error;
  }
}

/** Returns the compressed content of a link with a file's first types; null without types. */
export async function linkPayload(bytes: Uint8Array): Promise<Uint8Array | null> {
  const read = await orMalformed(() => ingestBytes('input', bytes));
  if (read?.kind !== 'object' || read.model.types === null) return null;
  const link = await typesLink(read.model.types, typeId(read.model.types.count), 8_000, NEVER);
  const packed = link === null ? null : fromBase64Url(link.key.slice(TYPES.length));
  return packed === null ? null : await inflateRaw(packed.slice(CHECK_BYTES), 1 << 20);
}

/**
 * Opens a link with the input as its content, after a right checksum, which the reader checks
 * first.
 */
export async function followLink(bytes: Uint8Array, reportStep: ReportStep): Promise<void> {
  const payload = Uint8Array.from(bytes);
  const hash = fnv1a(payload);
  const check = Uint8Array.of(hash & 0xff, (hash >>> 8) & 0xff, (hash >>> 16) & 0xff);
  const text = toBase64Url(concatBytes([check, await deflateRaw(payload)]));
  reportStep('open link');
  const carried = await orMalformed(() => openCarried(TYPES + text));
  if (carried === null) return;
  reportStep('read what was carried');
  await orMalformed(() => ingestBytes('carried', carried.bytes));
}

/** Reads split BTF. The input has the length of the base, the base, then the split BTF. */
export async function readSplit(
  bytes: Uint8Array,
  reportStep: ReportStep,
): Promise<ObjectModel | null> {
  const length = (bytes[0] ?? 0) + 256 * (bytes[1] ?? 0) + 65_536 * (bytes[2] ?? 0);
  const [base, module] = [bytes.subarray(4, 4 + length), bytes.subarray(4 + length)];
  reportStep('base');
  const below = await orMalformed(() => ingestBytes('base', base));
  const types = below?.kind === 'object' ? below.model.types : null;
  if (types === null) return null;
  reportStep('split');
  const options = { base: types, baseName: 'base' };
  const read = await orMalformed(() => ingest(bufferSource('module', module), options));
  return read?.kind === 'object' ? read.model : null;
}
