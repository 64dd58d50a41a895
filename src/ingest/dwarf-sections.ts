/** Reads the sections of DWARF: unpacked, and in relocatable files with their relocations applied. */
import { append } from '#bytes/arrays.ts';
import { ByteReader } from '#bytes/byte-reader.ts';
import { attemptAsync, type Issue } from '#bytes/issue.ts';
import { type ByteSource, MAX_MEMORY } from '#bytes/source.ts';
import { decompress } from '#formats/containers/decompress.ts';
import {
  type DwarfSections,
  OPTIONAL_SECTIONS,
  type OptionalSection,
} from '#formats/dwarf/reader.ts';
import { SHT } from '#formats/elf/constants.ts';
import type { SectionIndex } from '#model/ids.ts';
import { sectionName } from '#model/sections.ts';
import { addressesOf, RelocatedSections } from './dwarf-relocations.ts';
import { type ElfParts, readSection, sectionsNamed } from './elf.ts';

export type LoadedDwarf = {
  readonly sections: DwarfSections;
  /** Section with the entries: `.debug_info`, or that of a split file. */
  readonly infoSection: SectionIndex;
  /** Address of each section, to which addresses in DWARF refer. */
  readonly addresses: BigUint64Array;
};

/** Start of a `.zdebug_` section: `ZLIB`, then the unpacked size as 8 bytes in big-endian order. */
const ZLIB_HEADER = 12;

/** Names under which a section may be in the file. A split file adds `.dwo`. */
const namesOf = (name: string, suffix: string) => [
  `.debug_${name}${suffix}`,
  `.zdebug_${name}${suffix}`,
];

/** Returns the section with the entries of DWARF; null if the file has none with bytes. */
export function dwarfSection({ sections }: ElfParts): SectionIndex | null {
  return find({ sections }, 'info', '.dwo') ?? find({ sections }, 'info', '');
}

function find(
  { sections }: Pick<ElfParts, 'sections'>,
  name: string,
  suffix: string,
): SectionIndex | null {
  for (const each of namesOf(name, suffix)) {
    for (const index of sectionsNamed(sections, each)) {
      // A file of debugging information alone keeps the other sections as headers (SHT_NOBITS).
      const isEmpty = sections.type[index] === SHT.nobits || sections.declaredSize[index] === 0n;
      if (!isEmpty) return index;
    }
  }
  return null;
}

/**
 * Reads the sections `names` and those of the entries. Returns null if the file has no entries, or
 * with an issue if they cannot be read.
 */
export async function readDwarfSections(
  source: ByteSource,
  elf: ElfParts,
  issues: Issue[],
  names: readonly OptionalSection[] = OPTIONAL_SECTIONS,
): Promise<LoadedDwarf | null> {
  const infoSection = dwarfSection(elf);
  if (infoSection === null) return null;
  const suffix = find(elf, 'info', '.dwo') === null ? '' : '.dwo';
  const addresses = addressesOf(elf);
  const relocated = new RelocatedSections(elf, addresses);
  const read = async (name: string): Promise<ByteReader | undefined> => {
    const index = find(elf, name, suffix) ?? find(elf, name, '');
    if (index === null) return undefined;
    const bytes = await unpacked(source, elf, index, issues);
    return bytes === null ? undefined : relocated.apply(index, bytes);
  };
  const info = await read('info');
  const abbrev = await read('abbrev');
  if (info === undefined || abbrev === undefined) {
    if (abbrev === undefined && info !== undefined && find(elf, 'abbrev', suffix) === null) {
      issues.push(withoutAbbrev(info));
    }
    return null;
  }
  const others = new Map<OptionalSection, ByteReader | undefined>();
  for (const name of names) others.set(name, await read(name));
  const optional = Object.fromEntries(others) as { [Name in OptionalSection]?: ByteReader };
  return { sections: { ...optional, info, abbrev }, infoSection, addresses };
}

function withoutAbbrev(info: ByteReader): Issue {
  return {
    severity: 'error',
    code: 'dwarf.abbrev-absent',
    region: info.region,
    message: `${info.region}: the file has no .debug_abbrev`,
    span: info.span(0, info.length),
    expected: 'a section .debug_abbrev with the forms of the entries',
    found: 'none',
  };
}

async function unpacked(
  source: ByteSource,
  elf: ElfParts,
  index: SectionIndex,
  issues: Issue[],
): Promise<ByteReader | null> {
  const read = await readSection(source, elf, index, issues);
  if (read === null) return null;
  const { bytes, fileOffset } = read;
  const name = sectionName(elf.sections, index);
  const reader = new ByteReader(bytes, name, elf.endian, fileOffset ?? 0);
  if (!name.startsWith('.zdebug_')) return reader;
  return attemptAsync(issues, async () => {
    reader.require(0, ZLIB_HEADER, 'the header of a compressed section');
    const packed = await decompress('zlib', bytes.subarray(ZLIB_HEADER), {
      region: name,
      limit: MAX_MEMORY,
      fileOffset: (fileOffset ?? 0) + ZLIB_HEADER,
    });
    append(issues, packed.issues);
    source.onUnpacked?.(packed.bytes.length);
    return new ByteReader(packed.bytes, name, elf.endian);
  });
}
