/** Kernels and names of an atlas, and the search over the names. */
import type { Progress, Slices } from '#bytes/long-work.ts';
import { decodeText } from '#bytes/text.ts';
import type { AtlasFile } from '#formats/atlas/atlas-file.ts';
import type { AtlasKernel } from '#formats/atlas/directory.ts';
import { EntryKind, type EntryKindName, type EntryRow } from '#formats/atlas/entry.ts';

export const ENTRY_KINDS = Object.keys(EntryKind) as readonly EntryKindName[];

/** Facts about a kernel in an atlas. `hasTypes`: the atlas can reproduce the kernel's BTF. */
export type KernelOfAtlas = Omit<AtlasKernel, 'block' | 'base'> & { readonly hasTypes: boolean };

/** The kernels of an atlas, oldest first. */
export type AtlasSummary = { readonly kernels: readonly KernelOfAtlas[] };

export function summaryOf({ directory }: AtlasFile): AtlasSummary {
  const kernels = directory.kernels.map(({ block, base: _, ...kernel }) => ({
    ...kernel,
    hasTypes: block !== null,
  }));
  return { kernels };
}

export type NameInAtlas = {
  readonly kind: EntryKindName;
  /** Name of the type or function, not escaped. */
  readonly name: string;
};

/** A name, the number of kernels that have the name, and the number of its forms. */
export type AtlasName = NameInAtlas & {
  readonly kernels: number;
  /** Number of different forms of the name in the kernels that have the name. */
  readonly forms: number;
};

/** All names of an atlas, sorted by kind and name. */
export type AtlasNames = {
  readonly names: readonly AtlasName[];
  /** Error texts of the damaged blocks; the names in these blocks are missing. */
  readonly damaged: readonly string[];
};

/** Reads the names in all blocks. Throws `signal.reason` after an abort. */
export async function readNames(
  atlas: AtlasFile,
  slices: Slices,
  onProgress: (progress: Progress) => void,
): Promise<AtlasNames> {
  const names: AtlasName[] = [];
  const damaged: string[] = [];
  const { entries: places, modules } = atlas.directory;
  let done = 0;
  const blocks = atlas.entryBlocks(undefined, ({ message }) => damaged.push(message));
  for await (const { kind: number, strings, entries } of blocks) {
    done++;
    const kind = ENTRY_KINDS.find((each) => EntryKind[each] === number);
    for (const { name, rows } of kind === undefined ? [] : entries) {
      names.push({
        kind: kind ?? 'struct',
        name: decodeText(strings[name] ?? new Uint8Array(0)),
        kernels: kernelCount(rows, modules),
        forms: new Set(rows.map(({ variants }) => variants[0])).size,
      });
    }
    if (!slices.isOver) continue;
    onProgress({ step: 'reading names', done, total: places.length });
    await slices.rest();
  }
  return { names, damaged };
}

/** Returns the number of kernels that have, or whose modules have, one of `rows`. */
function kernelCount(
  rows: readonly EntryRow[],
  modules: readonly { readonly kernel: number }[],
): number {
  const inKernels = rows.reduce((sum, row) => sum + row.kernels.length, 0);
  if (rows.every((row) => row.modules.length === 0)) return inKernels;
  const all = rows.flatMap((row) => [
    ...row.kernels,
    ...row.modules.map((module) => modules[module]?.kernel ?? -1),
  ]);
  return new Set(all).size;
}

export type NameQuery = {
  /** Words that the name must contain, ignoring case. */
  readonly text: string;
  /** Kind that a name must have; null for all kinds. */
  readonly kind: EntryKindName | null;
  /** True to find only names whose form differs between kernels. */
  readonly isChanged: boolean;
  /** Maximum number of names to return. */
  readonly limit: number;
};

export type NamesAnswer = AtlasNames & { readonly total: number };

/** Returns matching names: exact matches, then prefix matches, each sorted by kind and name. */
export function searchNames(
  { names, damaged }: AtlasNames,
  kernelCount: number,
  { text, kind, isChanged, limit }: NameQuery,
): NamesAnswer {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const [first = ''] = words;
  const passing: { readonly match: AtlasName; readonly rank: number }[] = [];
  for (const match of names) {
    if (kind !== null && match.kind !== kind) continue;
    if (isChanged && match.forms === 1 && match.kernels === kernelCount) continue;
    const lower = match.name.toLowerCase();
    if (!words.every((word) => lower.includes(word))) continue;
    passing.push({ match, rank: lower === first ? 0 : lower.startsWith(first) ? 1 : 2 });
  }
  // The sort is stable: names of equal rank stay sorted by kind and name.
  const ranked = words.length === 0 ? passing : passing.sort((a, b) => a.rank - b.rank);
  const listed = ranked.slice(0, limit).map((each) => each.match);
  return { total: passing.length, names: listed, damaged };
}
