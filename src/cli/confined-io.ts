/** Restricts the files that a server reads for its clients to the files in some folders. */
import { createHash } from 'node:crypto';
import { type BigIntStats, fstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { ByteSource } from '#bytes/source.ts';
import { visible } from '#bytes/text.ts';
import { UnpackedSum } from '#ingest/unpacked-sum.ts';
import { CommandFailure, type NodeIo } from './command.ts';

/** A file that was read for the answer to a request. */
export type ReadFile = {
  /** Path relative to `folder`. */
  readonly path: string;
  readonly folder: string;
  readonly size: number;
  readonly sha256: string;
};

/** Limit in bytes for the output of one request. A command stops at the limit. */
const MAX_OUTPUT = 1 << 26;
/** Limit in milliseconds for the work of one request. A command stops at its next file or row. */
const MAX_WORK = 30_000;

export class Folders {
  readonly #io: NodeIo;
  readonly folders: readonly string[];
  /** Hash by version of a file, so that a kernel is hashed only once. */
  readonly #hashes = new Map<string, string>();

  /** Gives access to `folders`. Throws `CommandFailure` if a path is not a folder. */
  constructor(io: NodeIo, folders: readonly string[]) {
    this.#io = io;
    this.folders = folders.map((folder) => {
      const real = realOrNull(resolve(folder));
      if (real === null || !statSync(real).isDirectory()) {
        throw new CommandFailure(`${folder} is not a folder`);
      }
      return real;
    });
  }

  /** Yields the files of all folders, sorted by name. Skips links to files outside of them. */
  *files(): Generator<{ readonly folder: string; readonly path: string; readonly size: number }> {
    for (const folder of this.folders) {
      for (const path of this.#io.list(folder) ?? []) {
        const real = this.#inside(path);
        const stat = real === null ? null : statSync(real);
        if (stat?.isFile() === true) {
          yield { folder, path: relative(folder, path), size: stat.size };
        }
      }
    }
  }

  /** Returns the io of one request. It reads only `given` and the folders, and writes nothing. */
  request(given: ReadonlyMap<string, ByteSource>) {
    const chunks: Uint8Array[] = [];
    const warnings: string[] = [];
    const read = new Map<string, { readonly source: ByteSource; readonly version: string }>();
    const sum = new UnpackedSum((message) => new CommandFailure(message));
    let length = 0;
    const end = performance.now() + MAX_WORK;
    const work = () => {
      if (performance.now() <= end) return;
      const seconds = MAX_WORK / 1000;
      throw new CommandFailure(`the answer takes more than ${seconds} s: ask about fewer files`);
    };
    const refuse = () => {
      throw new CommandFailure('the server writes no files');
    };
    const io: NodeIo = {
      out: (chunk) => {
        work();
        length += chunk.length;
        if (length > MAX_OUTPUT) throw new CommandFailure('the answer is too long: ask for less');
        chunks.push(chunk.slice());
      },
      warn: (line) => warnings.push(visible(line)),
      progress: work,
      exists: (path) => this.#find(path) !== null,
      open: async (path) => {
        const brought = given.get(path);
        if (brought !== undefined) return brought;
        work();
        const real = this.#path(path);
        let version = '';
        const source = await this.#io.open(real, (fd) => {
          const stat = fstatSync(fd, { bigint: true });
          if (!stat.isFile()) throw new CommandFailure(`${path} is not a file`);
          // A link may have been changed since it was followed: the open file must be at the path.
          version = versionOf(real, stat);
          if (!isAt(real, fd, stat)) throw missing(path);
        });
        read.set(real, { source, version });
        return sum.open(source);
      },
      beside: (path, name) => {
        const real = given.has(path) ? null : this.#find(path);
        const found = real === null ? null : this.#io.beside(real, name);
        return found === null ? null : this.#inside(found);
      },
      list: (path) => {
        if (given.has(path) || this.#find(path) === null) return null;
        const listed = this.#io.list(this.#path(path));
        return listed?.filter((file) => this.#inside(file) !== null) ?? null;
      },
      save: refuse,
      create: refuse,
    };
    return {
      io,
      warnings,
      text: () => Buffer.concat(chunks).toString(),
      files: async () => {
        const files: ReadFile[] = [];
        for (const [real, { source, version }] of read) {
          files.push(await this.#facts(real, source, version));
        }
        return files;
      },
    };
  }

  async #facts(real: string, source: ByteSource, version: string): Promise<ReadFile> {
    const folder = this.folders.find((each) => isIn(each, real)) ?? '';
    const sha256 = this.#hashes.get(version) ?? (await hashOf(source));
    const now = statSync(real, { bigint: true, throwIfNoEntry: false });
    // A file that changed while it was hashed is hashed again for the next question.
    if (now !== undefined && versionOf(real, now) === version) this.#hashes.set(version, sha256);
    return { path: visible(relative(folder, real)), folder, size: source.size, sha256 };
  }

  /** Returns the real path. Throws one error for missing files and files outside the folders. */
  #path(path: string): string {
    const found = this.#find(path);
    if (found !== null) return found;
    throw missing(path);
  }

  #find(path: string): string | null {
    const places = isAbsolute(path) ? [path] : this.folders.map((folder) => join(folder, path));
    for (const place of places) {
      const real = this.#inside(place);
      if (real !== null) return real;
    }
    return null;
  }

  /** Returns the real path, with all links followed; null if it is outside of the folders. */
  #inside(path: string): string | null {
    const real = realOrNull(path);
    return real !== null && this.folders.some((folder) => isIn(folder, real)) ? real : null;
  }
}

/** Returns true if the real path `real` is `folder` or in it. */
export function isIn(folder: string, real: string): boolean {
  return real === folder || real.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

/** Returns the real path; null if the file is missing or the path is invalid (has a NUL). */
export function realOrNull(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/** Returns one error for missing files and for files outside of the folders. */
function missing(path: string): CommandFailure {
  return new CommandFailure(
    `cannot read ${path}: there is no such file in the folders of the server`,
  );
}

/** Returns true if the path of the open file `fd` is `real`, without links. */
function isAt(real: string, fd: number, { dev, ino }: BigIntStats): boolean {
  const opened = placeOf(fd);
  if (opened !== null) return opened === real;
  // Systems without /proc: a link that is changed twice in between is not seen.
  const now = statSync(real, { bigint: true, throwIfNoEntry: false });
  return realOrNull(real) === real && now?.dev === dev && now.ino === ino;
}

/** Returns the path of an open file; null on systems other than Linux. */
function placeOf(fd: number): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return null;
  }
}

/** Returns a text that changes with the contents of a file: programs can set any time but ctime. */
function versionOf(real: string, { dev, ino, size, ctimeNs }: BigIntStats): string {
  return [real, dev, ino, size, ctimeNs].join('\0');
}

const PIECE = 1 << 22;

async function hashOf(source: ByteSource): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < source.size; at += PIECE) hash.update(await source.read(at, at + PIECE));
  return hash.digest('hex');
}
