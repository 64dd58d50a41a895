/** The io of a real process: files on disk, standard output and standard error. */
import { fstatSync, openSync, readFileSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { basename } from 'node:path';
import { Malformed } from '#bytes/issue.ts';
import { type ByteSource, bufferSource } from '#bytes/source.ts';
import { CommandFailure, type NodeIo } from './command.ts';

const STDOUT = 1;
const encoder = new TextEncoder();

export const nodeIo: NodeIo = {
  out: (chunk) => writeAll(STDOUT, chunk),
  warn: (line) => writeAll(2, encoder.encode(`${line}\n`)),
  open: openOnDisk,
  save(path, bytes) {
    try {
      writeFileSync(path, bytes);
    } catch (error) {
      throw new CommandFailure(`cannot write ${path}: ${reason(error)}`);
    }
  },
};

function openOnDisk(path: string): Promise<ByteSource> {
  return new Promise((resolve) => {
    const fd = attempted(path, () => openSync(path, 'r'));
    const stat = attempted(path, () => fstatSync(fd));
    if (stat.isDirectory()) throw new CommandFailure(`cannot read ${path}: it is a directory`);
    const name = basename(path);
    resolve(
      stat.isFile()
        ? fileSource(name, fd, stat.size)
        : bufferSource(
            name,
            attempted(path, () => new Uint8Array(readFileSync(fd))),
          ),
    );
  });
}

/**
 * Reads synchronously: the process has nothing else to do. The file stays open as long as it
 * runs.
 */
function fileSource(name: string, fd: number, size: number): ByteSource {
  return {
    name,
    size,
    read: (start, end) =>
      new Promise((resolve) => {
        const from = Math.max(0, Math.min(start, size));
        const bytes = new Uint8Array(Math.max(0, Math.min(end, size) - from));
        let filled = 0;
        for (let got = -1; got !== 0 && filled < bytes.length; filled += got) {
          got = readable(name, () =>
            readSync(fd, bytes, filled, bytes.length - filled, from + filled),
          );
        }
        resolve(bytes.subarray(0, filled));
      }),
  };
}

function attempted<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new CommandFailure(`cannot read ${path}: ${reason(error)}`);
  }
}

function readable<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Malformed({
      code: 'source.unreadable',
      region: name,
      message: `${name} can no longer be read`,
      span: null,
      found: reason(error),
    });
  }
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EISDIR', 'it is a directory'],
  ['ENOTDIR', 'there is no such file'],
  ['ENOSPC', 'no space left on the device'],
]);

function reason(error: unknown): string {
  const code = codeOf(error);
  return REASONS.get(code) ?? (code === '' ? String(error) : code);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Ends the process without an error when the reader of the pipe has closed it. */
function writeAll(fd: number, chunk: Uint8Array): void {
  for (let at = 0; at < chunk.length; ) {
    try {
      at += writeSync(fd, chunk, at);
    } catch (error) {
      const code = codeOf(error);
      if (code === 'EPIPE') process.exit(0);
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(PAUSE, 0, 0, 1);
    }
  }
}

const PAUSE = new Int32Array(new SharedArrayBuffer(4));
