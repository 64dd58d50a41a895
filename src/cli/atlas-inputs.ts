/** What `atlas build` and `atlas add` take kernels from: files, archives, directories, a manifest. */
import { compareKernels, kernelInfo } from '#analysis/atlas/kernel-name.ts';
import { Malformed } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';
import { counted, visible } from '#bytes/text.ts';
import type { KernelInfo } from '#formats/atlas/directory.ts';
import { ingest } from '#ingest/ingest.ts';
import { memberSource } from '#ingest/members.ts';
import { fittingModule, moduleName } from '#ingest/modules.ts';
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

/** A module; `types` stand on the kernel that was found last. */
export type FoundModule = { readonly module: string; readonly types: TypeTable };

/** Archives inside each other: an archive of packages has two. */
const MAX_DEPTH = 3;

type InputFile = {
  readonly path: string;
  /** Was it named on the command line? */
  readonly isNamed: boolean;
};

/**
 * The kernels at `paths`, one after the other, those of files with older names first, and each module
 * behind the kernel that it fits. Files in directories and archives that are no kernels are passed
 * over; a file that is named must have one. Rejects with `Malformed` or `CommandFailure`.
 */
export async function* kernelsIn(
  io: NodeIo,
  paths: readonly string[],
  manifest: Manifest,
): AsyncGenerator<FoundKernel | FoundModule, void, undefined> {
  const files = paths.flatMap((path): InputFile[] => {
    const inside = io.list(path);
    if (inside === null) return [{ path, isNamed: true }];
    return inside.map((file) => ({ path: file, isNamed: false }));
  });
  const ordered = files.map((file) => ({ ...file, release: releaseOf(file.path) }));
  ordered.sort(
    (a, b) =>
      compareKernels(a.release, b.release) ||
      Number(mayBeModule(a.path)) - Number(mayBeModule(b.path)),
  );
  const input: Input = { kernel: null, strays: 0 };
  for (const { path, isNamed } of ordered) {
    const strays = input.strays;
    let count = 0;
    try {
      for await (const found of kernelsOf(await io.open(path), path, 0, input)) {
        count++;
        yield 'module' in found
          ? found
          : { ...found, info: manifest.correct(found.path, found.info) };
      }
    } catch (error) {
      if (isNamed || !(error instanceof Malformed)) throw error;
      io.warn(`${path}: ${error.message}; left out`);
    }
    if (!isNamed || count > 0) continue;
    throw new CommandFailure(
      input.strays > strays
        ? `${path} has modules of a kernel that is not here`
        : `${path} has no BTF of a kernel`,
    );
  }
  if (input.strays > 0) {
    io.warn(`${counted(input.strays, 'module')} of kernels that are not here; left out`);
  }
}

/** The kernel that was found last, for its modules, and how many modules did not fit one. */
type Input = { kernel: FoundKernel | null; strays: number };

/** The kernel that a file is of, by its name or by its folder. */
function releaseOf(path: string): string {
  const info = infoOf(path);
  return info.version === '' ? folderOf(path) : info.name;
}

/** What a path says of a kernel: `/lib/modules/6.1.0-56-amd64/vmlinuz` has the name in a folder. */
function infoOf(path: string): KernelInfo {
  const info = kernelInfo(path);
  const folder = /(?:^|\/)modules\/([^/]+)\//.exec(path)?.[1];
  if (info.version !== '' || folder === undefined) return info;
  const named = kernelInfo(folder);
  return named.version === '' ? info : named;
}

/** A kernel comes before its modules. */
function mayBeModule(path: string): boolean {
  const name = path.slice(folderOf(path).length);
  if (/\.ko(?:\.\w+)?$/.test(name)) return true;
  return kernelInfo(name).version === '' && !/vmlinu|image/i.test(name);
}

async function* kernelsOf(
  source: ByteSource,
  path: string,
  depth: number,
  input: Input,
): AsyncGenerator<FoundKernel | FoundModule, void, undefined> {
  const { kernel } = input;
  const opened = await ingest(
    source,
    kernel === null ? {} : { base: kernel.types, baseName: kernel.info.name },
  );
  if (opened.kind === 'object') {
    const { model } = opened;
    const { types } = model;
    const isObject = model.format !== 'btf' && isBpf(model);
    if (types === null || types.count === 0 || isObject) return;
    if (!types.split) {
      input.kernel = { info: infoOf(path), path, types };
      yield input.kernel;
      return;
    }
    const module = kernel === null ? null : fittingModule(opened);
    if (module === null || kernel === null) input.strays++;
    else yield { module: withoutKernel(module.name, kernel.info.name), types: module.types };
    return;
  }
  if (opened.kind === 'atlas' || depth === MAX_DEPTH) return;
  // The archive of one kernel may be named better than what is in it.
  const only = opened.members.length === 1;
  for (const member of opened.members) {
    const info = kernelInfo(member.name);
    const place = only && info.version === '' ? path : `${folderOf(path)}${member.name}`;
    try {
      yield* kernelsOf(await memberSource(opened.source, member), place, depth + 1, input);
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
    }
  }
}

/** The name of a module whose file is named for its kernel as well. */
function withoutKernel(module: string, kernel: string): string {
  const before = moduleName(`${kernel}-`);
  return module.startsWith(before) ? module.slice(before.length) : module;
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
