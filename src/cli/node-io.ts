/** Files, standard output and standard error of a real process. */
import {
  closeSync,
  constants,
  type Dirent,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isatty } from 'node:tty';
import { Malformed } from '#bytes/issue.ts';
import { type ByteSource, bufferSource, MAX_MEMORY } from '#bytes/source.ts';
import { CommandFailure, type NewFile, type NodeIo } from './command.ts';
import { isIn, realOrNull } from './confined-io.ts';
import { ProgressLine } from './progress-line.ts';

const STDOUT = 1;
const STDERR = 2;
/** Exit status after the reader has closed the pipe: the status of a process that SIGPIPE ended. */
const PIPE_CLOSED = 141;
const encoder = new TextEncoder();

const line = new ProgressLine({
  isTerminal: () => isatty(STDERR),
  isOutTerminal: () => isatty(STDOUT),
  now: () => performance.now(),
  write: (text) => writeWarning(text),
});

export const nodeIo: NodeIo = {
  progress: (text) => line.show(text),
  out(chunk) {
    line.beforeOut();
    try {
      writeAll(STDOUT, chunk);
    } catch (error) {
      if (codeOf(error) === 'EPIPE') process.exit(PIPE_CLOSED);
      throw new CommandFailure(`cannot write standard output: ${reason(error)}`);
    }
  },
  warn(text) {
    line.show(null);
    writeWarning(`${text}\n`);
  },
  exists: (path) => path === '-' || existsSync(path),
  open: openOnDisk,
  beside(path, name) {
    const folder = realOrNull(dirname(path));
    const real = realOrNull(join(dirname(path), name));
    if (path === '-' || folder === null || real === null || !isIn(folder, real)) return null;
    return statSync(real, { throwIfNoEntry: false })?.isFile() === true ? real : null;
  },
  list(path) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return null;
    const entries = attempted(path, () =>
      readdirSync(path, { recursive: true, withFileTypes: true }),
    );
    const files = entries.filter(isFile);
    return files
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map((entry) => join(entry.parentPath, entry.name));
  },
  save(path, bytes) {
    attempted(path, () => writeFileSync(path, bytes), 'write');
  },
  create: createOnDisk,
};

function writeWarning(text: string): void {
  try {
    writeAll(STDERR, encoder.encode(text));
  } catch {
    // If standard error is closed too, only the exit status remains.
  }
}

function isFile(entry: Dirent): boolean {
  if (!entry.isSymbolicLink()) return entry.isFile();
  return statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.isFile() === true;
}

/** Signals that end a process, with the exit status of each. */
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
/** Paths of unfinished files. A signal that ends the process removes these files. */
const unfinished = new Set<string>();
const stops = Object.entries(SIGNALS).map(([signal, status]) => ({
  signal,
  stop: () => {
    for (const place of unfinished) rmSync(place, { force: true });
    process.exit(status);
  },
}));

function begin(place: string): void {
  if (unfinished.size === 0) for (const { signal, stop } of stops) process.on(signal, stop);
  unfinished.add(place);
}

function end(place: string): void {
  unfinished.delete(place);
  if (unfinished.size === 0) for (const { signal, stop } of stops) process.off(signal, stop);
}

/** Creates a file beside `path` under a temporary name. A signal removes the file. */
function createOnDisk(path: string): NewFile {
  const place = `${path}.${process.pid}.part`;
  const attemptWrite = <T>(work: () => T): T => attempted(path, work, 'write');
  const fd = attemptWrite(() => {
    mkdirSync(dirname(place), { recursive: true });
    return openSync(place, 'wx');
  });
  begin(place);
  let isOpen = true;
  const close = () => {
    if (isOpen) closeSync(fd);
    isOpen = false;
    end(place);
  };
  let length = 0;
  const writeAt = (bytes: Uint8Array, start: number) => {
    for (let at = 0; at < bytes.length; )
      at += writeSync(fd, bytes, at, bytes.length - at, start + at);
  };
  return {
    write(bytes) {
      attemptWrite(() => writeAt(bytes, length));
      length += bytes.length;
    },
    finish(head) {
      attemptWrite(() => writeAt(head, 0));
      close();
      attemptWrite(() => renameSync(place, path));
    },
    discard() {
      close();
      rmSync(place, { force: true });
    },
  };
}

function openOnDisk(path: string, check?: (fd: number) => void): Promise<ByteSource> {
  return new Promise((resolve) => {
    const fd = attempted(path, () => openNamed(path, check === undefined ? 'r' : NO_LINK));
    try {
      check?.(fd);
    } catch (error) {
      closeSync(fd);
      throw error;
    }
    const stat = attempted(path, () => fstatSync(fd));
    if (stat.isDirectory()) throw new CommandFailure(`cannot read ${path}: it is a directory`);
    // Reading /dev/zero would never end.
    if (stat.isCharacterDevice() || stat.isBlockDevice()) {
      throw new CommandFailure(`cannot read ${path}: it is a device, not a file`);
    }
    const name = basename(path);
    if (fd === STDIN && !stat.isFile()) {
      if (isStdinPiped) throw new CommandFailure('standard input is a pipe and is named twice');
      isStdinPiped = true;
    }
    resolve(
      stat.isFile()
        ? fileSource(path, name, fd, stat)
        : bufferSource(
            name,
            attempted(path, () => pipedBytes(fd, path)),
          ),
    );
  });
}

/** Expands `*` and `?` in the last part of a path, because shells of Windows do not. */
export function expandedWords(
  words: readonly string[],
  namesIn: (folder: string) => readonly string[] = namesOrNone,
): readonly string[] {
  return words.flatMap((word) => {
    const [, folder = '', pattern = ''] = /^(.*[\\/])?([^\\/]*)$/.exec(word) ?? [];
    if (word.startsWith('-') || !/[*?]/.test(pattern)) return [word];
    const form = pattern
      .replace(/[^*?]/g, (character) => character.replace(/[.+^${}()|[\]]/, '\\$&'))
      .replaceAll('*', '.*')
      .replaceAll('?', '.');
    // As in shells, only a pattern with a dot at its start matches a name with a dot at its start.
    const fits = new RegExp(`^(?!\\.)${form}$`.replace('(?!\\.)\\.', '\\.'), 'i');
    const found = namesIn(folder || '.').filter((name) => fits.test(name));
    return found.length === 0 ? [word] : found.toSorted().map((name) => `${folder}${name}`);
  });
}

function namesOrNone(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const STDIN = 0;
/** True once standard input has been read: a pipe can be read only once. */
let isStdinPiped = false;

/** Does not follow a link, and does not wait for the writer of a pipe. */
const NO_LINK = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Opens the file at `path`, even if its name is not UTF-8; `-` is standard input. */
function openNamed(path: string, flags: string | number = 'r'): number {
  if (path === '-') return STDIN;
  try {
    return openSync(path, flags);
  } catch (error) {
    const found = codeOf(error) === 'ENOENT' ? bytePath(path) : null;
    if (found === null) throw error;
    return openSync(found, flags);
  }
}

const SLASH = Buffer.from('/');

/** Returns `path` as bytes, with the bytes on disk for U+FFFD; null unless one file matches. */
function bytePath(path: string): Buffer | null {
  if (!path.includes('\ufffd')) return Buffer.from(path);
  const folder = dirname(path);
  const before = bytePath(folder);
  if (before === null || folder === path) return null;
  const wanted = basename(path);
  const names = readdirSync(before, { encoding: 'buffer' }).filter(
    (name) => name.toString() === wanted,
  );
  const [name] = names;
  return name === undefined || names.length > 1 ? null : Buffer.concat([before, SLASH, name]);
}

/** Reads a pipe to its end. Throws `CommandFailure` if its bytes exceed the memory limit. */
function pipedBytes(fd: number, path: string): Uint8Array {
  const pieces: Uint8Array[] = [];
  for (let size = 0; ; ) {
    const piece = new Uint8Array(1 << 16);
    const got = readSync(fd, piece);
    if (got === 0) return new Uint8Array(Buffer.concat(pieces));
    size += got;
    if (size > MAX_MEMORY) {
      throw new CommandFailure(
        `cannot read ${path}: the pipe gives more than ${MAX_MEMORY >> 20} MiB; save it as a file`,
      );
    }
    pieces.push(piece.subarray(0, got));
  }
}

/** Limit of open files: a directory of kernels may contain thousands. */
const MAX_OPEN_FILES = 64;
/** Functions that close the open files, least recently used file first. */
const openFiles = new Map<object, () => void>();

/** Returns a source with synchronous reads. Throws if the file has changed when it is reopened. */
function fileSource(path: string, name: string, first: number, stat: Stats): ByteSource {
  const { size } = stat;
  const key = {};
  let fd: number | null = first;
  const used = () => {
    openFiles.delete(key);
    openFiles.set(key, () => {
      if (fd !== null) closeSync(fd);
      fd = null;
    });
    const [oldest] = openFiles;
    if (openFiles.size <= MAX_OPEN_FILES || oldest === undefined) return;
    oldest[1]();
    openFiles.delete(oldest[0]);
  };
  const opened = () => {
    fd ??= readable(name, () => openSame(path, stat));
    used();
    return fd;
  };
  used();
  return {
    name,
    size,
    read: (start, end) =>
      new Promise((resolve) => {
        const from = Math.max(0, Math.min(start, size));
        const bytes = new Uint8Array(Math.max(0, Math.min(end, size) - from));
        const file = opened();
        let filled = 0;
        for (let got = -1; got !== 0 && filled < bytes.length; filled += got) {
          got = readable(name, () =>
            readSync(file, bytes, filled, bytes.length - filled, from + filled),
          );
        }
        resolve(bytes.subarray(0, filled));
      }),
  };
}

function openSame(path: string, { dev, ino, size, mtimeMs }: Stats): number {
  const fd = openNamed(path);
  const now = fstatSync(fd);
  if (now.dev === dev && now.ino === ino && now.size === size && now.mtimeMs === mtimeMs) return fd;
  closeSync(fd);
  throw new Error('it was changed');
}

function attempted<T>(path: string, work: () => T, verb = 'read'): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    throw new CommandFailure(`cannot ${verb} ${path}: ${reason(error)}`);
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
  ['EBADF', 'it is closed'],
]);

function reason(error: unknown): string {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  return REASONS.get(code) ?? (code === '' ? message : code);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function writeAll(fd: number, chunk: Uint8Array): void {
  for (let at = 0; at < chunk.length; ) {
    try {
      at += writeSync(fd, chunk, at);
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') throw error;
      Atomics.wait(PAUSE, 0, 0, 1);
    }
  }
}

const PAUSE = new Int32Array(new SharedArrayBuffer(4));
