/** Reads an ELF file as a model: sections, symbols, relocations, then each BTF section. */
import { attempt, type Issue } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';
import { EM } from '#formats/elf/constants.ts';
import { type BtfIdTable, NO_BTF_IDS } from '#model/btf-ids.ts';
import { type ExtTables, NO_EXT } from '#model/ext.ts';
import type { HeaderBlock, ObjectModel } from '#model/object-model.ts';
import type { SectionTable } from '#model/sections.ts';
import type { SplitBase } from '#model/split-base.ts';
import type { TypeTable } from '#model/type-table.ts';
import { type BtfRegion, ingestBtf } from './btf.ts';
import { ingestBtfIds } from './btf-ids.ts';
import type { IngestedDwarf } from './dwarf.ts';
import { dwarfSection } from './dwarf-sections.ts';
import { type ElfParts, ingestElf, readSection, sectionsNamed } from './elf.ts';
import { isBpfMachine } from './elf-header.ts';
import { ingestExt } from './ext.ts';
import type { IngestOptions } from './ingest-options.ts';
import { versionInElf } from './kernel-version.ts';
import { ingestPlacedBtf } from './place-btf.ts';
import { moveExt } from './split-relocate.ts';

/** Reads `source` as ELF. Throws `Malformed` if the ELF header is unreadable. */
export async function ingestObject(
  source: ByteSource,
  containers: readonly string[],
  issues: Issue[],
  options: IngestOptions,
): Promise<ObjectModel> {
  const elf = await ingestElf(source, issues, options);
  const isBare = options.sectionsOnly === true;
  const btf = isBare ? NO_BTF : await readBtf(source, elf, issues, options);
  const hasBtf = btf.types !== null;
  const dwarf = isBare ? null : await readDwarf(source, elf, hasBtf, issues, options);
  const types = btf.types ?? dwarf?.types ?? null;
  return {
    name: source.name,
    format: 'elf',
    size: source.size,
    containers,
    ...elf,
    headers: [...elf.headers, ...btf.headers],
    types,
    splitBase: btf.splitBase,
    dwarf: dwarf?.facts ?? null,
    ext: btf.ext,
    btfIds: btf.btfIds,
    kernelVersion: types === null ? null : await versionInElf(source, elf),
    own: null,
    issues,
  };
}

/**
 * Reads DWARF: the types of a file without readable BTF, else facts alone. A BPF object without
 * BTF has no types, as libbpf sees none.
 */
async function readDwarf(
  source: ByteSource,
  elf: ElfParts,
  hasBtf: boolean,
  issues: Issue[],
  options: IngestOptions,
): Promise<IngestedDwarf | null> {
  const { debugFile } = options;
  if (dwarfSection(elf) === null) {
    if (debugFile === undefined || hasBtf) return null;
    const { ingestDebugFile } = await import('./debug-file.ts');
    return await ingestDebugFile(debugFile, elf, issues, options);
  }
  const { dwarfFacts, ingestDwarf } = await import('./dwarf.ts');
  if (!hasBtf && !isBpfMachine(elf.machine?.number ?? EM.none)) {
    return await ingestDwarf(source, elf, issues, options);
  }
  const facts = await dwarfFacts(source, elf);
  return facts && { types: null, facts };
}

type BtfParts = {
  readonly types: TypeTable | null;
  readonly splitBase: SplitBase | null;
  readonly ext: ExtTables;
  readonly btfIds: BtfIdTable;
  readonly headers: readonly HeaderBlock[];
};

const NO_BTF: BtfParts = {
  types: null,
  splitBase: null,
  ext: NO_EXT,
  btfIds: NO_BTF_IDS,
  headers: [],
};

async function readBtf(
  source: ByteSource,
  elf: ElfParts,
  issues: Issue[],
  options: IngestOptions,
): Promise<BtfParts> {
  const headers: HeaderBlock[] = [];
  options.onProgress?.({ step: 'reading types', done: 0, total: 0 });
  const baseRegion = await regionOf(source, elf, '.BTF.base', issues);
  const base = baseRegion && attempt(issues, () => ingestBtf(baseRegion, null, issues));
  if (base) headers.push(base.header);

  const region = await regionOf(source, elf, '.BTF', issues);
  const distilled = base?.types ?? null;
  const btf = region && attempt(issues, () => ingestPlacedBtf(region, distilled, options, issues));
  if (btf) headers.push(btf.header);
  if (baseRegion && !region) {
    issues.push(absent('.BTF.base without .BTF', '.BTF.base', baseRegion, 'btf.base-without-btf'));
  }

  options.signal?.throwIfAborted();
  const extRegion = await regionOf(source, elf, '.BTF.ext', issues);
  let ext: ExtTables = NO_EXT;
  if (extRegion && btf) {
    const read = attempt(issues, () => ingestExt(extRegion, btf.stored, elf.sections, issues));
    if (read) ext = btf.move === null ? read.ext : moveExt(read.ext, btf.move);
    if (read?.header) headers.push(read.header);
  } else if (extRegion && !region) {
    issues.push(absent('.BTF.ext without .BTF', '.BTF.ext', extRegion, 'btf.ext-without-btf'));
  }

  if (btf && btf.types.endian !== elf.endian) {
    issues.push({
      severity: 'warning',
      code: 'btf.other-endian',
      region: '.BTF',
      message: `.BTF is ${btf.types.endian}-endian, the file ${elf.endian}-endian`,
      span: region ? spanOfRegion(region, 2) : null,
      expected: `${elf.endian}-endian`,
      found: `${btf.types.endian}-endian`,
    });
  }
  const ids = await ingestBtfIds(source, elf, btf?.stored ?? null, issues);
  return {
    types: btf?.types ?? null,
    splitBase: btf?.splitBase ?? null,
    ext,
    btfIds: btf?.move ? { ...ids, id: ids.id.map(btf.move.id) } : ids,
    headers,
  };
}

/** Returns the first section with the name `name` and its bytes. A second one becomes an issue. */
async function regionOf(
  source: ByteSource,
  elf: ElfParts,
  name: string,
  issues: Issue[],
): Promise<BtfRegion | null> {
  const indexes = sectionsNamed(elf.sections, name);
  const [first] = indexes;
  if (first === undefined) return null;
  if (indexes.length > 1) issues.push(manyOf(elf.sections, name, indexes));
  const read = await readSection(source, elf, first, issues);
  const pointerBytes = elf.addressBits === 64 ? 8 : 4;
  return read && { bytes: read.bytes, fileOffset: read.fileOffset, region: name, pointerBytes };
}

function manyOf(sections: SectionTable, name: string, indexes: readonly number[]): Issue {
  const second = indexes[1] ?? 0;
  const start = sections.headerOffset[second] ?? 0;
  return {
    severity: 'warning',
    code: 'elf.section-twice',
    region: name,
    message: `more than one ${name} section: the first of ${indexes.length} is read`,
    span: { start, end: start + sections.headerSize },
    expected: `one section named ${name}`,
    found: `${indexes.length}`,
  };
}

function absent(message: string, region: string, at: BtfRegion, code: string): Issue {
  return {
    severity: 'warning',
    code,
    region,
    message,
    span: spanOfRegion(at, at.bytes.length),
    expected: 'a .BTF section that it belongs to',
    found: 'none',
  };
}

function spanOfRegion(region: BtfRegion, length: number) {
  return region.fileOffset === null
    ? null
    : { start: region.fileOffset, end: region.fileOffset + length };
}
