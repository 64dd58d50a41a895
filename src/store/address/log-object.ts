import { bindPart, logPlace } from '#store/kernels/log-binding.ts';
import { logPlaceState } from '#store/kernels/log-place.ts';
import { type FileId, fileNow, logOf } from '#store/session/session.ts';
import type { Place } from './address.ts';
import { openByKey } from './file-keys.ts';

/** Binds the part of a log that a link shows to the object with the key. Returns the problem. */
export async function openObjectOf(
  id: FileId,
  { base, viewParams }: Place,
): Promise<string | null> {
  if (base === '') return null;
  const { file: object, problem } = await openByKey(base, 'its object', { activate: false });
  const file = fileNow(id);
  const log = logOf(file);
  if (object === null) return problem;
  if (file === null || log === null) return null;
  logPlaceState.parse(file, viewParams);
  bindPart(id, logPlace(fileNow(id) ?? file, log).part, { file: object.id });
  return null;
}
