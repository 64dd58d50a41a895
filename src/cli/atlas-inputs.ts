/** What `atlas build` and `atlas add` take kernels from: files, archives, directories, a manifest. */
import { compareKernels, kernelInfo } from '#analysis/atlas/kernel-name.ts';
import { Malformed } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';
import { visible } from '#bytes/text.ts';
import type { KernelInfo } from '#formats/atlas/directory.ts';
import { ingest } from '#ingest/ingest.ts';
import { memberSource } from '#ingest/members.ts';
import { readText } from '#ingest/unpack.ts';
import { isBpf } from '#model/object-model.ts';
import type { TypeTable } from '#model/type-table.ts';
import { CommandFailure, type NodeIo } from './command.ts';

/** A kernel that was found, while it is in memory. */
export type FoundKernel = {
  readonly info: KernelInfo;
  /** Where it was found. */
  readonly path: string;
  readonly types: TypeTable;
};

/** Archives inside each other: an archive of packages has two. */
const MAX_DEPTH = 3;

type InputFile = {
  readonly path: string;
  /** Was it named on the command line? */
  readonly isNamed: boolean;
};

/**
 * The kernels at `paths`, one after the other, those of files with older names first. Files in
 * directories and archives that are no kernels are passed over; a file that is named must have one.
 * Rejects with `Malformed` or `CommandFailure`.
 */
export async function* kernelsIn(
  io: NodeIo,
  paths: readonly string[],
  manifest: Manifest,
): AsyncGenerator<FoundKernel, void, undefined> {
  const files = paths.flatMap((path): InputFile[] => {
    const inside = io.list(path);
    if (inside === null) return [{ path, isNamed: true }];
    return inside.map((file) => ({ path: file, isNamed: false }));
  });
  files.sort((a, b) => compareKernels(kernelInfo(a.path).name, kernelInfo(b.path).name));
  for (const { path, isNamed } of files) {
    let count = 0;
    try {
      for await (const found of kernelsOf(await io.open(path), path, 0)) {
        count++;
        yield { ...found, info: manifest.correct(found.path, found.info) };
      }
    } catch (error) {
      if (isNamed || !(error instanceof Malformed)) throw error;
      io.warn(`${path}: ${error.message}; left out`);
    }
    if (isNamed && count === 0) throw new CommandFailure(`${path} has no BTF of a kernel`);
  }
}

async function* kernelsOf(
  source: ByteSource,
  path: string,
  depth: number,
): AsyncGenerator<FoundKernel, void, undefined> {
  const opened = await ingest(source);
  if (opened.kind === 'object') {
    const { model } = opened;
    const { types } = model;
    const isObject = model.format !== 'btf' && isBpf(model);
    if (types !== null && types.count > 0 && !types.split && !isObject) {
      yield { info: kernelInfo(path), path, types };
    }
    return;
  }
  if (opened.kind === 'atlas' || depth === MAX_DEPTH) return;
  // The archive of one kernel may be named better than what is in it.
  const only = opened.members.length === 1;
  for (const member of opened.members) {
    const info = kernelInfo(member.name);
    const place = only && info.version === '' ? path : `${folderOf(path)}${member.name}`;
    try {
      yield* kernelsOf(await memberSource(opened.source, member), place, depth + 1);
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
    }
  }
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

const FIELDS = ['name', 'version', 'arch', 'flavour'] as const;

/** What a person says of kernels, by the file that each was found in. */
export class Manifest {
  readonly #rows: ReadonlyMap<string, Partial<KernelInfo>>;

  constructor(rows: ReadonlyMap<string, Partial<KernelInfo>>) {
    this.#rows = rows;
  }

  /** `info` with what the manifest has of the file at `path`: by its path, else by its name alone. */
  correct(path: string, info: KernelInfo): KernelInfo {
    const own = this.#rows.get(path) ?? this.#rows.get(path.slice(path.lastIndexOf('/') + 1));
    return { ...info, ...own };
  }
}

/** The manifest at `path`: a list of objects in JSON, or CSV with a line of names. Rejects with `CommandFailure`. */
export async function readManifest(io: NodeIo, path: string | null): Promise<Manifest> {
  if (path === null) return new Manifest(new Map());
  const text = await readText(await io.open(path));
  const rows = /^\s*\[/.test(text) ? jsonRows(path, text) : csvRows(text);
  const known = new Map<string, Partial<KernelInfo>>();
  for (const row of rows) {
    const file = row.get('file');
    if (file === undefined || file === '') throw new CommandFailure(`${path}: a row has no "file"`);
    const given = FIELDS.flatMap((field) => {
      const value = row.get(field);
      return value === undefined || value === '' ? [] : [[field, value] as const];
    });
    known.set(file, Object.fromEntries(given));
  }
  return new Manifest(known);
}

type Row = ReadonlyMap<string, string>;

function jsonRows(path: string, text: string): readonly Row[] {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw new CommandFailure(`${path} is not JSON`);
  }
  if (!Array.isArray(list)) throw new CommandFailure(`${path} is not a list`);
  return list.map(
    (row: unknown) => new Map(Object.entries(row ?? {}).map(([key, value]) => [key, `${value}`])),
  );
}

function csvRows(text: string): readonly Row[] {
  const [names = [], ...lines] = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map(csvCells);
  return lines.map((cells) => new Map(names.map((name, i) => [name, cells[i] ?? ''])));
}

/** The cells of a line of CSV (RFC 4180, without line ends in cells). */
function csvCells(line: string): string[] {
  const cells = line.match(/(?:^|,)(?:"(?:[^"]|"")*"|[^,]*)/g) ?? [];
  return cells.map((cell) => {
    const text = cell.replace(/^,/, '').trim();
    return text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text;
  });
}

/** `info` under a name that is new: with its architecture, or where it was found. Throws `CommandFailure`. */
export function uniqueInfo(
  { info, path }: { readonly info: KernelInfo; readonly path: string },
  isTaken: (name: string) => boolean,
): KernelInfo {
  const withArch = info.name.includes(info.arch) ? [] : [`${info.name}-${info.arch}`];
  const names = [info.name, ...withArch, `${info.name} (${folderOf(path) || path})`];
  const name = names.find((each) => !isTaken(each));
  if (name !== undefined) return { ...info, name };
  throw new CommandFailure(
    `${visible(path)}: there is a kernel ${visible(info.name)} already; name it with --manifest`,
  );
}
