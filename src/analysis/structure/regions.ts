/**
 * Divides the file into regions: headers, tables, sections, gaps. Where regions overlap, the ELF
 * headers win, then the shorter region, then the section with the lower index.
 */
import { fileTables } from '#analysis/formats/registry.ts';
import { lowerBound } from '#bytes/arrays.ts';
import { Derived, isRest, type Run, type Steps, sortSteps } from '#bytes/long-work.ts';
import type { Span } from '#bytes/span.ts';
import type { HeaderBlock, ObjectModel } from '#model/object-model.ts';
import type { Partition } from './partition.ts';

/** A region of the file; `what` is a value of `RegionKind`, or the index of a section. */
export type Region = Span & { readonly what: number };

/** Kinds of regions besides sections. Tables of the format are `fileTables` and smaller numbers. */
export const RegionKind = {
  elfHeader: -1,
  segments: -2,
  sectionHeaders: -3,
  blob: -4,
  fileTables: -5,
} as const;

/** A part of the file and the region it belongs to; null for bytes that no header describes. */
export type RegionPiece = Span & { readonly region: Region | null };

/** The pieces of a file, in file order. Objects for pieces are created on access. */
export class RegionPieces {
  readonly length: number;
  readonly #regions: RegionColumns;
  readonly #cut: Partition;

  constructor(regions: RegionColumns, cut: Partition) {
    this.length = cut.rows.length;
    this.#regions = regions;
    this.#cut = cut;
  }

  /** Returns the file offset of a piece, or the end of the file for the index after the last. */
  startOf(index: number): number {
    return this.#cut.starts[index] ?? 0;
  }

  at(index: number): RegionPiece | undefined {
    const row = this.#cut.rows[index];
    if (row === undefined) return;
    const { start, end, what } = this.#regions;
    const region: Region | null =
      row < 0 ? null : { start: start[row] ?? 0, end: end[row] ?? 0, what: what[row] ?? 0 };
    return { start: this.startOf(index), end: this.startOf(index + 1), region };
  }
}

const derivedPieces = new Derived(function* (model: ObjectModel): Steps<RegionPieces> {
  const regions = yield* regionSteps(model);
  return new RegionPieces(regions, yield* cutSteps(model.size, regions));
});

/** Returns the file's pieces, in file order. Computed once per model. */
export function regionPieces(model: ObjectModel): RegionPieces {
  return derivedPieces.of(model);
}

/** Returns the computation of `regionPieces` in resumable steps. It visits all sections. */
export function regionPiecesRun(model: ObjectModel): Run<RegionPieces> {
  return derivedPieces.runOf(model);
}

/** Returns the ELF header as a block of fields. */
export function elfHeaderBlock(model: ObjectModel): HeaderBlock | null {
  return model.headers.find(({ title }) => title === 'ELF header') ?? null;
}

/** Returns the size of a program header entry, from the ELF header. */
export function segmentSize(model: ObjectModel): number {
  return headerNumber(model, 'e_phentsize');
}

function headerNumber(model: ObjectModel, name: string): number {
  const field = elfHeaderBlock(model)?.fields.find((each) => each.name === name);
  return field === undefined ? 0 : Number(field.value);
}

/** All regions, in columns instead of objects, since a file may have a million regions. */
type RegionColumns = {
  readonly count: number;
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly what: Int32Array;
};

/** Collects the regions in order of precedence: a shared byte belongs to the first region. */
function* regionSteps(model: ObjectModel): Steps<RegionColumns> {
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
    // Types that were relocated to a base have no file offset; the file's blob begins at 0.
    const start = types.fileOffset ?? 0;
    first.push(clip(start, start + types.blob.length, RegionKind.blob));
  }
  const order = yield* sectionsByLength(model);
  const capacity = first.length + order.length;
  const start = new Float64Array(capacity);
  const end = new Float64Array(capacity);
  const what = new Int32Array(capacity);
  let rows = 0;
  const add = (region: Region) => {
    if (region.start >= region.end) return;
    start[rows] = region.start;
    end[rows] = region.end;
    what[rows++] = region.what;
  };
  for (const region of first) add(region);
  for (let i = 0; i < order.length; i++) {
    if (isRest(i)) yield;
    const section = order[i] ?? 0;
    const offset = sections.fileOffset[section] ?? 0;
    add(clip(offset, offset + (sections.byteLength[section] ?? 0), section));
  }
  return { count: rows, start, end, what };
}

/** Returns the sections that have bytes in the file, ordered by length, then by index. */
function* sectionsByLength({ sections, size }: ObjectModel): Steps<Uint32Array> {
  const { count, fileOffset, byteLength } = sections;
  const lengths = new Float64Array(count);
  const indices = new Uint32Array(count);
  let length = 0;
  for (let i = 1; i < count; i++) {
    if (isRest(i)) yield;
    const start = Math.min(fileOffset[i] ?? 0, size);
    lengths[i] = Math.min(start + (byteLength[i] ?? 0), size) - start;
    if ((lengths[i] ?? 0) > 0) indices[length++] = i;
  }
  const order = indices.slice(0, length);
  return yield* sortSteps(order, (a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0));
}

/** Returns the number of program headers: `e_phnum`, or `sh_info` of section 0 for PN_XNUM. */
function segmentCount(model: ObjectModel): number {
  const phnum = headerNumber(model, 'e_phnum');
  return phnum === 0xffff ? (model.sections.info[0] ?? phnum) : phnum;
}

/** Assigns each region the bytes that no earlier region has. */
function* cutSteps(size: number, regions: RegionColumns): Steps<Partition> {
  const edges = yield* edgeSteps(size, regions);
  const cells = Math.max(0, edges.length - 1);
  const owners = new Int32Array(cells).fill(-1);
  // A free cell has its own index, a taken cell that of a later cell. Lookups shorten paths.
  const free = new Int32Array(cells + 1);
  for (let i = 0; i <= cells; i++) free[i] = i;
  const findFree = (from: number) => {
    let at = from;
    while ((free[at] ?? at) !== at) {
      const next = free[at] ?? at;
      free[at] = free[next] ?? next;
      at = next;
    }
    return at;
  };
  for (let row = 0; row < regions.count; row++) {
    if (isRest(row)) yield;
    // The start and the end of each region are among the edges.
    const to = lowerBound(edges, regions.end[row] ?? 0);
    const from = lowerBound(edges, regions.start[row] ?? 0);
    for (let cell = findFree(from); cell < to; cell = findFree(cell + 1)) {
      owners[cell] = row;
      free[cell] = cell + 1;
    }
  }
  // Adjacent cells of one region become one piece.
  const starts = new Float64Array(cells + 1);
  const rows = new Int32Array(cells);
  let count = 0;
  for (let cell = 0; cell < cells; cell++) {
    if (isRest(cell)) yield;
    if (cell > 0 && owners[cell] === owners[cell - 1]) continue;
    starts[count] = edges[cell] ?? 0;
    rows[count++] = owners[cell] ?? -1;
  }
  starts[count] = size;
  return { starts: starts.slice(0, count + 1), rows: rows.slice(0, count) };
}

/** Collects the distinct starts and ends of the regions and the file, in ascending order. */
function* edgeSteps(size: number, regions: RegionColumns): Steps<Float64Array> {
  const all = new Float64Array(2 * regions.count + 2);
  all[1] = size;
  let count = 2;
  for (let i = 0; i < regions.count; i++) {
    if (isRest(i)) yield;
    all[count++] = regions.start[i] ?? 0;
    all[count++] = regions.end[i] ?? 0;
  }
  const rows = new Uint32Array(count);
  for (let i = 0; i < count; i++) rows[i] = i;
  const order = yield* sortSteps(rows, (a, b) => (all[a] ?? 0) - (all[b] ?? 0));
  const edges = new Float64Array(count);
  let length = 0;
  for (let i = 0; i < count; i++) {
    if (isRest(i)) yield;
    const edge = all[order[i] ?? 0] ?? 0;
    if (length === 0 || edge !== edges[length - 1]) edges[length++] = edge;
  }
  return edges.subarray(0, length);
}
