/** Runs `btfscope` commands in the test's process, with a simulated terminal and file system. */
import { existsSync } from 'node:fs';
import { concatBytes } from '#bytes/arrays.ts';
import { bufferSource } from '#bytes/source.ts';
import { CommandFailure } from '#cli/command.ts';
import { run } from '#cli/run.ts';
import { sampleBytes, samplePath } from './samples.ts';

export type Ran = {
  readonly status: number;
  readonly out: string;
  readonly err: readonly string[];
  readonly saved: ReadonlyMap<string, Uint8Array>;
};

/** Runs a command. It can read the examples and the files that the test passes. */
export async function runCommand(
  words: readonly string[],
  files: ReadonlyMap<string, Uint8Array> = new Map(),
): Promise<Ran> {
  const chunks: Uint8Array[] = [];
  const err: string[] = [];
  const saved = new Map<string, Uint8Array>();
  const status = await run(words, {
    out: (chunk) => chunks.push(chunk.slice()),
    warn: (line) => err.push(line),
    progress: () => undefined,
    exists: (path) => files.has(path) || existsSync(samplePath(path)),
    open: async (path) => {
      const bytes = files.get(path) ?? (existsSync(samplePath(path)) ? sampleBytes(path) : null);
      if (bytes === null) throw new CommandFailure(`cannot read ${path}: there is no such file`);
      return bufferSource(path, bytes);
    },
    beside: (path, name) => {
      const found = `${path.slice(0, path.lastIndexOf('/') + 1)}${name}`;
      return files.has(found) ? found : null;
    },
    list: (path) => {
      const folder = `${path.replace(/\/$/, '')}/`;
      const inside = [...files.keys()].filter((name) => name.startsWith(folder));
      return inside.length > 0 ? inside.toSorted() : null;
    },
    save: (path, bytes) => saved.set(path, bytes),
    create: (path) => {
      const parts: Uint8Array[] = [];
      return {
        write: (bytes) => parts.push(bytes.slice()),
        finish: (head) => {
          const bytes = concatBytes(parts);
          bytes.set(head);
          saved.set(path, bytes);
        },
        discard: () => undefined,
      };
    },
  });
  return { status, out: Buffer.concat(chunks).toString(), err, saved };
}
