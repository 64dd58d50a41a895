/** File bytes for views, read through the worker by pages and kept, least recently used last. */
import { concatBytes } from '#bytes/concat.ts';
import type { Issue } from '#bytes/issue.ts';
import { drawnName } from '#bytes/text.ts';
import { CANCELLED } from '#worker/protocol.ts';
import { clientOf, onClosed } from './files.ts';
import { announce, baseChoice, type FileId, fileById, patchFile, session } from './session.ts';

const PAGE = 64 * 1024;
/** Pages kept over all files: 64 MB. */
const MAX_PAGES = 1024;

const pages = new Map<string, Uint8Array>();
const asked = new Set<string>();

/** Lets go of the bytes of a file: it is closed, or has others now. */
export function forgetBytes(id: FileId): void {
  for (const key of [...pages.keys()]) if (key.startsWith(`${id}:`)) pages.delete(key);
}

onClosed(forgetBytes);

/** Bytes `start` to `end` of the file, or null while some of them are on their way. Clipped to the file. */
export function bytesNow(id: FileId, start: number, end: number): Uint8Array | null {
  const first = Math.floor(start / PAGE);
  const last = Math.floor(Math.max(start, end - 1) / PAGE);
  const found: Uint8Array[] = [];
  for (let page = first; page <= last; page++) {
    const bytes = pageNow(id, page);
    if (bytes !== null) found.push(bytes);
  }
  if (found.length <= last - first) return null;
  const [only] = found;
  if (found.length === 1 && only) return only.subarray(start - first * PAGE, end - first * PAGE);
  return concatBytes(found).subarray(start - first * PAGE, end - first * PAGE);
}

/** Bytes `start` to `end` of the file; empty when the file is closed or cannot be read. */
export async function readBytes(id: FileId, start: number, end: number): Promise<Uint8Array> {
  const outcome = await clientOf(id)?.call('bytes', { start, end });
  return outcome?.ok ? outcome.value : new Uint8Array(0);
}

function pageNow(id: FileId, page: number): Uint8Array | null {
  // What was asked before the file was read again may still be on its way.
  const { reading } = baseChoice(fileById(session.getState(), id));
  const key = `${id}:${reading}:${page}`;
  const bytes = pages.get(key);
  if (bytes === undefined) {
    void fetchPage(id, page, key);
    return null;
  }
  pages.delete(key);
  pages.set(key, bytes);
  return bytes;
}

async function fetchPage(id: FileId, page: number, key: string): Promise<void> {
  if (asked.has(key)) return;
  asked.add(key);
  const outcome = await clientOf(id)?.call('bytes', { start: page * PAGE, end: (page + 1) * PAGE });
  asked.delete(key);
  if (!outcome?.ok) {
    if (outcome !== undefined) tellOfFault(id, outcome.issue);
    return;
  }
  pages.set(key, outcome.value);
  for (const oldest of pages.keys()) {
    if (pages.size <= MAX_PAGES) break;
    pages.delete(oldest);
  }
  session.setState((state) => ({ bytesVersion: state.bytesVersion + 1 }));
}

/** Tells of a read that failed; nothing of one that nobody wants any more. */
function tellOfFault(id: FileId, issue: Issue): void {
  const file = fileById(session.getState(), id);
  if (file === null || file.fault !== undefined || issue.code === CANCELLED.code) return;
  patchFile(id, { fault: issue });
  announce(`${drawnName(issue.message)}. What is already shown stays`);
}
