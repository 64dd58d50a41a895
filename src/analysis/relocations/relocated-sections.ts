/** Reads the sections of an object that the evaluation of its relocation entries needs. */
import type { ByteSource } from '#bytes/source.ts';
import { SHF } from '#formats/elf/constants.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { SHF_MERGE } from './merged-sections.ts';
import { relocationRuns } from './sections.ts';

/** Bytes by section. */
export type SectionContents = ReadonlyMap<number, Uint8Array>;

/** Reads the sections that have relocation entries. */
export function relocatedSections(
  model: ObjectModel,
  source: ByteSource,
): Promise<SectionContents> {
  const { targetSection } = model.relocations;
  const targets = new Set<number>();
  for (const { first } of relocationRuns(model)) targets.add(targetSection[first] ?? -1);
  return readSections(model, source, targets);
}

/** Reads the sections whose equal parts linkers join. */
export function mergeableSections(
  model: ObjectModel,
  source: ByteSource,
): Promise<SectionContents> {
  const { flags, count } = model.sections;
  const all = Array.from({ length: count }, (_, i) => i);
  return readSections(
    model,
    source,
    all.filter((i) => ((flags[i] ?? 0n) & SHF_MERGE) !== 0n),
  );
}

/** Sections of a well-formed file do not overlap; those beyond this multiple of it are not read. */
const MAX_FILE_SIZES = 2;

/** Reads `wanted` sections. Leaves out compressed ones, and what overlaps too often. */
export async function readSections(
  { sections }: ObjectModel,
  source: ByteSource,
  wanted: Iterable<number>,
): Promise<SectionContents> {
  const found = new Map<number, Uint8Array>();
  let budget = MAX_FILE_SIZES * source.size;
  for (const section of wanted) {
    const length = sections.byteLength[section] ?? 0;
    const isPacked = ((sections.flags[section] ?? 0n) & SHF.compressed) !== 0n;
    if (section < 0 || isPacked || length > budget) continue;
    budget -= length;
    const start = sections.fileOffset[section] ?? 0;
    found.set(section, await source.read(start, start + length));
  }
  return found;
}
