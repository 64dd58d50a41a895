/**
 * Fuzz targets for atlases: one builds an atlas from types and extracts them, another reads an
 * atlas of the input's blocks. These blocks get right checksums, because the reader skips others.
 */
import { RecordArchive } from '#analysis/atlas/extract.ts';
import { historyOf } from '#analysis/atlas/history.ts';
import { kernelInfo } from '#analysis/atlas/kernel-name.ts';
import { ASKS, answerOf } from '#analysis/atlas/questions.ts';
import { deflateRaw } from '#analysis/links/packed.ts';
import { concatBytes } from '#bytes/arrays.ts';
import type { AtlasFile } from '#formats/atlas/atlas-file.ts';
import {
  ATLAS_HEADER_SIZE,
  type AtlasKernel,
  atlasHeader,
  type BlockPlace,
  readDirectory,
  writeDirectory,
} from '#formats/atlas/directory.ts';
import { crc32 } from '#formats/containers/checksums.ts';
import { nameOf, type TypeTable } from '#model/type-table.ts';
import { AtlasBytes, atlasBytes, openAtlas } from '#testing/small-atlas.ts';
import { openInput, orMalformed, type ReportStep, sampledRows, sampledTypes } from './opened.ts';

/** Builds an atlas of the types, looks up some of their names, and extracts the BTF. */
export async function buildAtlas(types: TypeTable, reportStep: ReportStep): Promise<void> {
  if (types.split) return;
  reportStep('build atlas');
  const bytes = new AtlasBytes();
  await bytes.builder.add(kernelInfo('input-1'), types);
  await bytes.builder.add(kernelInfo('input-2'), types);
  const atlas = await openAtlas(await bytes.finish());
  for (const id of sampledTypes(types, 5)) {
    reportStep('ask atlas');
    const name = nameOf(types, id, 200);
    for (const ask of ASKS) await answerOf(atlas, { ask, name, item: name });
    await historyOf(atlas, name);
  }
  reportStep('extract');
  const btf = await (await RecordArchive.open(atlas)).btf(1);
  if (Buffer.compare(btf, types.blob) !== 0) throw new Error('another BTF came out of the atlas');
}

/** Kinds of parts in an input; 0 to 4 are kinds of entry blocks. */
const PART = { records: 5, names: 6, kernel: 7, directory: 8 } as const;
const PART_KINDS = 9;

/**
 * Splits the input into parts: a byte for the kind, three bytes for the length, then the content.
 */
export function* partsOf(
  bytes: Uint8Array,
  kinds = PART_KINDS,
): Generator<{ kind: number; part: Uint8Array<ArrayBuffer> }> {
  for (let at = 0; at + 4 <= bytes.length; ) {
    const [kind = 0, low = 0, middle = 0, high = 0] = bytes.subarray(at, at + 4);
    const end = Math.min(bytes.length, at + 4 + low + 256 * middle + 65_536 * high);
    yield { kind: kind % kinds, part: bytes.slice(at + 4, end) };
    at = end;
  }
}

/** Reads an atlas made of parts: looks up the first name of each block and extracts each kernel. */
export async function readAtlasParts(bytes: Uint8Array, reportStep: ReportStep): Promise<void> {
  reportStep('make atlas');
  const stored: Uint8Array[] = [];
  let offset = ATLAS_HEADER_SIZE;
  const place = async (part: Uint8Array<ArrayBuffer>): Promise<BlockPlace> => {
    const packed = await deflateRaw(part);
    stored.push(packed);
    offset += packed.length;
    const { length } = packed;
    return { offset: offset - length, length, rawLength: part.length, crc: crc32(0, packed) };
  };
  const kernels: AtlasKernel[] = [];
  const blocks: { kind: number; place: BlockPlace }[] = [];
  const kernel = { version: '', arch: '', flavour: '', endian: 'little', pointerSize: 8 } as const;
  for (const { kind, part } of partsOf(bytes)) {
    if (kind === PART.directory) {
      reportStep('directory');
      await orMalformed(async () => readDirectory(part, 'input'));
    } else if (kind === PART.kernel) {
      const name = `k${kernels.length}`;
      const block = await place(part);
      kernels.push({ ...kernel, name, typeCount: 0, size: 0, block, base: kernels.length - 1 });
    } else blocks.push({ kind, place: await place(part) });
  }
  const ofKind = (kind: number) =>
    blocks.filter((each) => each.kind === kind).map((each) => each.place);
  const entries = blocks
    .filter(({ kind }) => kind < PART.records)
    .sort((a, b) => a.kind - b.kind)
    .map((each) => ({ ...each.place, kind: each.kind, first: new Uint8Array(0) }));
  const parts = {
    kernels,
    modules: [],
    entries,
    records: ofKind(PART.records),
    names: ofKind(PART.names),
  };
  const header = atlasHeader(await place(writeDirectory(parts)));
  await askAtlas(await openAtlas(concatBytes([header, ...stored])), reportStep);
}

async function askAtlas(atlas: AtlasFile, reportStep: ReportStep): Promise<void> {
  for (const place of atlas.directory.entries) {
    reportStep('entries');
    const block = await orMalformed(() => atlas.entryBlock(place));
    for (const row of sampledRows(block?.entries.length ?? 0, 4)) {
      const name = new TextDecoder().decode(block?.strings[block.entries[row]?.name ?? 0]);
      reportStep('questions');
      for (const ask of ASKS) await orMalformed(() => answerOf(atlas, { ask, name, item: name }));
      await orMalformed(() => historyOf(atlas, name));
    }
  }
  reportStep('records');
  const archive = await orMalformed(() => RecordArchive.open(atlas));
  for (const row of sampledRows(atlas.directory.kernels.length, 4)) {
    reportStep('extract');
    if (archive !== null) await orMalformed(() => archive.btf(row));
  }
}

/** Returns the parts of an atlas that has a file's BTF as two kernels; null without types. */
export async function atlasParts(bytes: Uint8Array): Promise<Uint8Array | null> {
  const types = (await openInput(bytes))?.model.types ?? null;
  if (types === null || types.split) return null;
  const atlas = await openAtlas(await atlasBytes({ a: types.blob, b: types.blob }));
  const { directory } = atlas;
  const parts: Uint8Array[] = [];
  const add = (kind: number, part: Uint8Array) => {
    parts.push(Uint8Array.of(kind, part.length, part.length >> 8, part.length >> 16), part);
  };
  for (const place of directory.entries) add(place.kind, await atlas.block(place, 'a seed'));
  for (const place of directory.records) add(PART.records, await atlas.block(place, 'a seed'));
  for (const place of directory.names) add(PART.names, await atlas.block(place, 'a seed'));
  for (const { block } of directory.kernels) {
    if (block !== null) add(PART.kernel, await atlas.block(block, 'a seed'));
  }
  add(PART.directory, writeDirectory(directory));
  return concatBytes(parts);
}
