/** Reads the sections of DWARF: unpacked, and in relocatable files with their relocations applied. */
import { append, concatBytes } from '#bytes/arrays.ts';
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

/** Sections that hold types. */
export const TYPE_SECTIONS = [
  ...(['types', 'str', 'line_str', 'str_offsets', 'addr'] as const),
  ...(['cu_index', 'tu_index'] as const),
] as const;
/** Sections that hold types, files and ranges of code; lists of locations are not needed. */
export const PLACE_SECTIONS = [...TYPE_SECTIONS, 'line', 'ranges', 'rnglists'] as const;

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
export function dwarfSection(elf: Pick<ElfParts, 'sections'>): SectionIndex | null {
  return findAll(elf, 'info', '.dwo')[0] ?? findAll(elf, 'info', '')[0] ?? null;
}

/** Returns true if a file has entries of split units. */
export function hasSplitUnits(elf: Pick<ElfParts, 'sections'>): boolean {
  return findAll(elf, 'info', '.dwo').length > 0;
}

/** Returns the sections with a name: relocatable files have one for each type of C++. */
function findAll(
  { sections }: Pick<ElfParts, 'sections'>,
  name: string,
  suffix: string,
): readonly SectionIndex[] {
  return namesOf(name, suffix)
    .flatMap((each) => sectionsNamed(sections, each))
    .filter((index) => {
      // A file of debugging information alone keeps the other sections as headers (SHT_NOBITS).
      const isEmpty = sections.type[index] === SHT.nobits || sections.declaredSize[index] === 0n;
      return !isEmpty;
    });
}

/**
 * Reads the sections `names` and those of the entries: with `suffix`, of split units if there are
 * some. Returns null if the file has no entries, or with an issue if they cannot be read.
 */
export async function readDwarfSections(
  source: ByteSource,
  elf: ElfParts,
  issues: Issue[],
  names: readonly OptionalSection[] = OPTIONAL_SECTIONS,
  suffix: '' | '.dwo' = hasSplitUnits(elf) ? '.dwo' : '',
): Promise<LoadedDwarf | null> {
  const [infoSection] = findAll(elf, 'info', suffix);
  if (infoSection === undefined) return null;
  const addresses = addressesOf(elf);
  const sectionsOf = (name: string) => {
    const own = findAll(elf, name, suffix);
    return own.length === 0 ? findAll(elf, name, '') : own;
  };
  // References to a later section of one name count from the start of the first one.
  for (const name of ['info', 'types']) placeInTurn(elf, sectionsOf(name), addresses);
  const relocated = new RelocatedSections(source, elf, addresses);
  const read = async (name: string): Promise<ByteReader | undefined> => {
    const parts: ByteReader[] = [];
    for (const index of sectionsOf(name)) {
      const bytes = await unpacked(source, elf, index, issues);
      if (bytes !== null) parts.push(await relocated.apply(index, bytes));
    }
    const [first] = parts;
    if (first === undefined || parts.length === 1) return first;
    const joined = concatBytes(parts.map(({ bytes }) => bytes));
    return new ByteReader(joined, first.region, first.endian, first.fileOffset);
  };
  const info = await read('info');
  const abbrev = await read('abbrev');
  if (info === undefined || abbrev === undefined) {
    if (info !== undefined && sectionsOf('abbrev').length === 0) {
      issues.push(withoutAbbrev(info));
    }
    return null;
  }
  const others = new Map<OptionalSection, ByteReader | undefined>();
  for (const name of names) others.set(name, await read(name));
  const optional = Object.fromEntries(others) as { [Name in OptionalSection]?: ByteReader };
  return { sections: { ...optional, info, abbrev }, infoSection, addresses };
}

/** Sets the addresses of sections that are read as one. */
function placeInTurn(
  { sections, fileType }: ElfParts,
  indexes: readonly SectionIndex[],
  addresses: BigUint64Array,
): void {
  let next = 0n;
  if (fileType !== 'relocatable') return;
  for (const index of indexes) {
    addresses[index] = next;
    next += sections.declaredSize[index] ?? 0n;
  }
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
