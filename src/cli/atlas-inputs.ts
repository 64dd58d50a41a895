/** Reads the inputs of `atlas build` and `atlas add`: files, archives, directories, a manifest. */
import { infoOf, inKernelOrder, uniqueInfo } from '#analysis/atlas/kernel-name.ts';
import { Malformed } from '#bytes/issue.ts';
import { counted, visible } from '#bytes/text.ts';
import type { KernelInfo } from '#formats/atlas/directory.ts';
import { KernelFinder, type ModuleInside } from '#ingest/modules.ts';
import { readText } from '#ingest/unpack.ts';
import type { TypeTable } from '#model/type-table.ts';
import { CommandFailure, type NodeIo } from './command.ts';

export type FoundKernel = {
  readonly info: KernelInfo;
  readonly path: string;
  readonly types: TypeTable;
};

type InputFile = {
  readonly path: string;
  readonly isNamed: boolean;
};

/**
 * Yields the kernels at `paths`, sorted by the version in the file name; modules follow the kernel
 * that they belong to. Skips files without a kernel in directories and archives. Rejects with
 * `Malformed` or `CommandFailure` if an input is unreadable, or a path is a file without a kernel.
 */
export async function* kernelsIn(
  io: NodeIo,
  paths: readonly string[],
  manifest: Manifest,
): AsyncGenerator<FoundKernel | ModuleInside, void, undefined> {
  const files = paths.flatMap((path): InputFile[] => {
    const inside = io.list(path);
    if (inside === null) return [{ path, isNamed: true }];
    return inside.map((file) => ({ path: file, isNamed: false }));
  });
  const ordered = inKernelOrder(files);
  const finder = new KernelFinder(infoOf);
  for (const { path, isNamed } of ordered) {
    const { strays } = finder;
    let count = 0;
    try {
      for await (const found of finder.inside(await io.open(path), path)) {
        count++;
        yield 'module' in found
          ? found
          : { ...found, info: manifest.correct(found.path, infoOf(found.path)) };
      }
    } catch (error) {
      if (isNamed || !(error instanceof Malformed)) throw error;
      io.warn(`${path}: ${error.message}; left out`);
    }
    if (!isNamed || count > 0) continue;
    throw new CommandFailure(
      finder.strays > strays
        ? `${path} has modules of a kernel that is not here`
        : `${path} has no BTF of a kernel`,
    );
  }
  if (finder.strays > 0) {
    io.warn(`${counted(finder.strays, 'module')} of kernels that are not here; left out`);
  }
}

const FIELDS = ['name', 'version', 'arch', 'flavour'] as const;

/** The rows of a manifest by file path. */
export class Manifest {
  readonly #rows: ReadonlyMap<string, Partial<KernelInfo>>;

  constructor(rows: ReadonlyMap<string, Partial<KernelInfo>>) {
    this.#rows = rows;
  }

  /** Returns `info` with the values of the manifest row for the path, or else for the file name. */
  correct(path: string, info: KernelInfo): KernelInfo {
    const own = this.#rows.get(path) ?? this.#rows.get(path.slice(path.lastIndexOf('/') + 1));
    return { ...info, ...own };
  }
}

/** Reads a manifest: a JSON list of objects, or CSV with header. Rejects with `CommandFailure`. */
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

/** Returns the cells of a line of CSV (RFC 4180). A cell cannot contain a line end. */
function csvCells(line: string): string[] {
  const cells = line.match(/(?:^|,)(?:"(?:[^"]|"")*"|[^,]*)/g) ?? [];
  return cells.map((cell) => {
    const text = cell.replace(/^,/, '').trim();
    return text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text;
  });
}

/** Returns `info` with a name that is not in use. Throws `CommandFailure` if none is found. */
export function freshInfo(
  found: Pick<FoundKernel, 'info' | 'path'>,
  isTaken: (name: string) => boolean,
): KernelInfo {
  const info = uniqueInfo(found, isTaken);
  if (info !== null) return info;
  throw new CommandFailure(
    `${visible(found.path)}: there is a kernel ${visible(found.info.name)} already; name it with --manifest`,
  );
}
