/** Cache of file bytes for views. The worker reads pages; the least recently used are dropped. */
import { concatBytes } from '#bytes/arrays.ts';
import type { Issue } from '#bytes/issue.ts';
import { drawnName } from '#bytes/text.ts';
import { CANCELLED } from '#worker/protocol.ts';
import { clientOf, onClosed } from './files.ts';
import { announce, baseChoice, type FileId, fileNow, patchFile, session } from './session.ts';

const PAGE = 64 * 1024;
/** Limit of cached pages of all files together: 64 MB. */
const MAX_PAGES = 1024;

const pages = new Map<string, Uint8Array>();
const asked = new Set<string>();

/** Drops the pages of a file that was closed or whose bytes have changed. */
export function forgetBytes(id: FileId): void {
  for (const key of [...pages.keys()]) if (key.startsWith(`${id}:`)) pages.delete(key);
}

onClosed(forgetBytes);

/** Returns a file's bytes from `start` to `end` or the file's end; null until they are read. */
export function bytesNow(id: FileId, start: number, end: number): Uint8Array | null {
  const first = Math.floor(start / PAGE);
  const last = Math.floor(Math.max(start, end - 1) / PAGE);
  const parts: Uint8Array[] = [];
  for (let page = first; page <= last; page++) {
    const bytes = pageNow(id, page);
    if (bytes !== null) parts.push(bytes);
  }
  if (parts.length <= last - first) return null;
  const [only] = parts;
  if (parts.length === 1 && only) return only.subarray(start - first * PAGE, end - first * PAGE);
  return concatBytes(parts).subarray(start - first * PAGE, end - first * PAGE);
}

/** Reads the bytes of a file from `start` to `end`; empty if the file is closed or unreadable. */
export async function readBytes(id: FileId, start: number, end: number): Promise<Uint8Array> {
  const outcome = await clientOf(id)?.call('bytes', { start, end });
  return outcome?.ok ? outcome.value : new Uint8Array(0);
}

function pageNow(id: FileId, page: number): Uint8Array | null {
  // Pages requested for an earlier version of the file may still arrive; they are ignored.
  const { reading } = baseChoice(fileNow(id));
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

/** Announces that reading bytes failed, unless the read was cancelled. */
function tellOfFault(id: FileId, issue: Issue): void {
  const file = fileNow(id);
  if (file === null || file.fault !== undefined || issue.code === CANCELLED.code) return;
  patchFile(id, { fault: issue });
  announce(`${drawnName(issue.message)}. What is already shown stays`);
}
