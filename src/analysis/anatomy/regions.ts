/**
 * The file cut into its regions: headers, tables, sections, and what no header
 * speaks of. Where regions overlap, the headers of ELF come first, then the
 * shorter region, then the section with the lower number: the same way always.
 */
import { fileTables } from '#analysis/file-tables.ts';
import type { Span } from '#bytes/span.ts';
import type { HeaderBlock, ObjectModel } from '#model/object-model.ts';
import { keeper } from './partition.ts';

/** What a region is: a row of `RegionKind`, or the index of a section. */
export type Region = Span & { readonly what: number };

/** Sections count from 0; these are below. `fileTables` and all below it are tables of the file, counted down. */
export const RegionKind = {
  elfHeader: -1,
  segments: -2,
  sectionHeaders: -3,
  blob: -4,
  fileTables: -5,
} as const;

/** A part of the file and the region that has it; null = no header speaks of it. */
export type RegionPiece = Span & {
  readonly region: Region | null;
};

const kept = keeper<ObjectModel, readonly RegionPiece[]>();

/** The pieces of the file in order, from its first byte to its last. Worked out once for a model. */
export function regionPieces(model: ObjectModel): readonly RegionPiece[] {
  return kept(model, 0, () => cut(model.size, regionsOf(model)));
}

/** The ELF header's block of the model. */
export function elfHeaderBlock(model: ObjectModel): HeaderBlock | null {
  return model.headers.find(({ title }) => title === 'ELF header') ?? null;
}

/** Entry size of the program header table, as the header says. */
export function segmentSize(model: ObjectModel): number {
  return headerNumber(model, 'e_phentsize');
}

function headerNumber(model: ObjectModel, name: string): number {
  const field = elfHeaderBlock(model)?.fields.find((each) => each.name === name);
  return field === undefined ? 0 : Number(field.value);
}

/** By precedence: where two overlap, the one that stands first has the bytes. */
function regionsOf(model: ObjectModel): Region[] {
  const { sections, size, types } = model;
  const clip = (start: number, end: number, what: number): Region => ({
    start: Math.max(0, Math.min(start, size)),
    end: Math.max(0, Math.min(end, size)),
    what,
  });
  const first: Region[] = [];
  const header = elfHeaderBlock(model);
  if (header !== null) first.push(clip(header.span.start, header.span.end, RegionKind.elfHeader));
  for (const [i, { start, end }] of fileTables(model).entries()) {
    first.push(clip(start, end, RegionKind.fileTables - i));
  }
  const { headerSize, count } = sections;
  const at = sections.headerOffset[0] ?? 0;
  if (header !== null && count > 0 && headerSize > 0) {
    first.push(clip(at, at + count * headerSize, RegionKind.sectionHeaders));
  }
  const segments = segmentCount(model) * segmentSize(model);
  const phoff = headerNumber(model, 'e_phoff');
  if (phoff > 0 && segments > 0) first.push(clip(phoff, phoff + segments, RegionKind.segments));
  if (model.format === 'btf' && types !== null) {
    // Types that were moved to a base have no place in the file, but the blob they were read from has.
    const start = types.fileOffset ?? 0;
    first.push(clip(start, start + types.blob.length, RegionKind.blob));
  }
  const own: Region[] = [];
  for (let i = 1; i < count; i++) {
    const start = sections.fileOffset[i] ?? 0;
    const length = sections.byteLength[i] ?? 0;
    if (length > 0) own.push(clip(start, start + length, i));
  }
  own.sort((a, b) => a.end - a.start - (b.end - b.start) || a.what - b.what);
  return [...first, ...own].filter(({ start, end }) => start < end);
}

/** `e_phnum`; PN_XNUM stands for `sh_info` of section 0. */
function segmentCount(model: ObjectModel): number {
  const phnum = headerNumber(model, 'e_phnum');
  return phnum === 0xffff ? (model.sections.info[0] ?? phnum) : phnum;
}

/** Paints the regions over the file, each where none before it did. */
function cut(size: number, regions: readonly Region[]): RegionPiece[] {
  const edges = Float64Array.from(
    new Set([0, size, ...regions.flatMap(({ start, end }) => [start, end])]),
  ).sort();
  const cells = Math.max(0, edges.length - 1);
  const painted = new Int32Array(cells).fill(-1);
  // The first cell from here on that is not painted; followed and shortened.
  const free = Int32Array.from({ length: cells + 1 }, (_, i) => i);
  const findFree = (from: number) => {
    let at = from;
    while ((free[at] ?? at) !== at) {
      const next = free[at] ?? at;
      free[at] = free[next] ?? next;
      at = next;
    }
    return at;
  };
  for (const [row, { start, end }] of regions.entries()) {
    const to = cellAt(edges, end);
    for (let cell = findFree(cellAt(edges, start)); cell < to; cell = findFree(cell + 1)) {
      painted[cell] = row;
      free[cell] = cell + 1;
    }
  }
  const found: RegionPiece[] = [];
  for (let cell = 0; cell < cells; ) {
    let end = cell + 1;
    while (end < cells && painted[end] === painted[cell]) end += 1;
    const region = regions[painted[cell] ?? -1] ?? null;
    found.push({ start: edges[cell] ?? 0, end: edges[end] ?? size, region });
    cell = end;
  }
  return found;
}

/** Number of the cell that begins at `edge`, which is one of `edges`. */
function cellAt(edges: Float64Array, edge: number): number {
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((edges[middle] ?? 0) < edge) low = middle + 1;
    else high = middle;
  }
  return low;
}
