/** Cache of the lines of logs for views. The worker reads pages; old pages are dropped. */
import type { ExplainedLine } from '#analysis/log/explain.ts';
import { clientOf, onClosed } from './files.ts';
import { type FileId, session, useSession } from './session.ts';

/** Lines of a page. */
const PAGE = 256;
/** Limit of cached pages of all logs together: some 10 MB. */
const MAX_PAGES = 128;

const pages = new Map<string, readonly ExplainedLine[]>();
const asked = new Set<string>();

onClosed((id) => {
  for (const key of [...pages.keys()]) if (key.startsWith(`${id}:`)) pages.delete(key);
});

/** Returns a function that returns a line of a log; null until the line is read. React hook. */
export function useLogLines(id: FileId): (line: number) => ExplainedLine | null {
  // A new function at each arrival of a page makes tables draw their rows again.
  const version = useSession((state) => state.bytesVersion);
  return lineReaders(id, version);
}

let lastReader: { key: string; read: (line: number) => ExplainedLine | null } | null = null;

function lineReaders(id: FileId, version: number): (line: number) => ExplainedLine | null {
  const key = `${id}:${version}`;
  if (lastReader?.key !== key) lastReader = { key, read: (line) => lineNow(id, line) };
  return lastReader.read;
}

function lineNow(id: FileId, line: number): ExplainedLine | null {
  const page = Math.floor(line / PAGE);
  const key = `${id}:${page}`;
  const lines = pages.get(key);
  if (lines !== undefined) return lines[line - page * PAGE] ?? null;
  void fetchPage(id, page, key);
  return null;
}

async function fetchPage(id: FileId, page: number, key: string): Promise<void> {
  if (asked.has(key)) return;
  asked.add(key);
  const range = { from: page * PAGE, to: (page + 1) * PAGE };
  const outcome = await clientOf(id)?.call('logLines', range);
  asked.delete(key);
  if (!outcome?.ok) return;
  pages.set(key, outcome.value);
  for (const oldest of pages.keys()) {
    if (pages.size <= MAX_PAGES) break;
    pages.delete(oldest);
  }
  session.setState((state) => ({ bytesVersion: state.bytesVersion + 1 }));
}
