/** Comparisons of two logs. The worker of the first log reads the second one. */
import type { ComparedLogs } from '#analysis/verifier/compare-logs.ts';
import { clientOf, sourceOf } from '#store/session/files.ts';
import { type FileId, fileNow, logOf } from '#store/session/session.ts';
import { type Revision, revisionOf, Tasks } from '#store/session/tasks.ts';

/** A part of a log. */
export type LogPlace = { readonly file: FileId; readonly part: number };

export type LogPairKey = {
  readonly files: readonly Revision[];
  readonly parts: readonly [number, number];
};

/** A comparison; null if one of the logs has no walked instructions. */
type Compared = { readonly compared: ComparedLogs | null };

export const logComparisons = new Tasks<LogPairKey, Compared>();

export function logPairKey(first: LogPlace, second: LogPlace): LogPairKey {
  return {
    files: [revisionOf(first.file), revisionOf(second.file)],
    parts: [first.part, second.part],
  };
}

/** Returns the request for a comparison. */
export function logPairRequest(
  first: LogPlace,
  second: LogPlace,
): Parameters<typeof logComparisons.run>[1] {
  return async (options) => {
    const file = sourceOf(second.file);
    const part = logOf(fileNow(second.file))?.parts[second.part];
    if (!(file instanceof File) || part === undefined)
      return { ok: true, value: { compared: null } };
    const { name } = file;
    // In WebKitGTK, workers of a page on disk cannot read the page's Blobs.
    const content = globalThis.origin === 'null' ? await file.arrayBuffer() : file;
    const other = { key: second.file, name, file: content, part };
    return await clientOf(first.file)?.call('compareLog', { part: first.part, other }, options);
  };
}
