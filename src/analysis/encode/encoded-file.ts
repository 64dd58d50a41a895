/** Prepares a file for its encoding: addresses as libdwfl gives them, symbols, notes. */
import type { ByteReader } from '#bytes/byte-reader.ts';
import { byteText } from '#bytes/byte-text.ts';
import { stringEnd } from '#bytes/text.ts';
import type { DwarfReader } from '#formats/dwarf/reader.ts';
import { SHF, SHT } from '#formats/elf/constants.ts';
import { type SectionIndex, sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { isNamed } from '#model/sections.ts';
import type { EncodedSymbol, IdSection } from './elf-functions.ts';
import type { EncodedFile } from './encode.ts';
import type { EncodedSection } from './section-index.ts';

/** The parts of a model of which BTF is made. */
export type EncodedParts = Pick<
  ObjectModel,
  'endian' | 'machine' | 'fileType' | 'sections' | 'symbols' | 'size'
>;

/**
 * Address of the first section of a relocatable file. Source: elfutils, libdwfl, offline.c,
 * `OFFLINE_REDZONE`.
 */
const FIRST_ADDRESS = 0x10000n;
const BTF_IDS = '.BTF_ids';
/** LINUX_ELFNOTE_LTO_INFO, of the kernel's include/linux/elfnote-lto.h. */
const LTO_INFO = 0x101;

/** Returns the sections whose bytes decide about an encoding: `.BTF_ids` and notes. */
export function sectionsToRead({ sections }: Pick<EncodedParts, 'sections'>): SectionIndex[] {
  const indexes: SectionIndex[] = [];
  for (let i = 1; i < sections.count; i++) {
    const index = sectionIndex(i);
    if (sections.type[i] === SHT.note || isNamed(sections, index, BTF_IDS)) indexes.push(index);
  }
  return indexes;
}

/**
 * Returns the file to encode. `addresses` are those of the sections to which the addresses in
 * `dwarf` refer; `contents` has the bytes of `sectionsToRead`.
 */
export function encodedFile(
  parts: EncodedParts,
  dwarf: DwarfReader,
  addresses: BigUint64Array,
  contents: ReadonlyMap<SectionIndex, ByteReader>,
): EncodedFile {
  const { endian, machine, fileType, sections, size } = parts;
  const bias = fileType === 'relocatable' ? FIRST_ADDRESS : 0n;
  const placed: EncodedSection[] = [];
  let ids: IdSection | null = null;
  let isLto: boolean | null = null;
  for (let i = 0; i < sections.count; i++) {
    const index = sectionIndex(i);
    const start = sections.nameOff[i] ?? 0;
    const isLoaded = ((sections.flags[i] ?? 0n) & SHF.alloc) !== 0n;
    placed.push({
      name: byteText(sections.names.subarray(start, stringEnd(sections.names, start))),
      type: sections.type[i] ?? 0,
      address: (addresses[i] ?? 0n) + (isLoaded ? bias : 0n),
      size: sections.declaredSize[i] ?? 0n,
    });
    const bytes = contents.get(index);
    if (bytes === undefined) continue;
    if (sections.type[i] === SHT.note) isLto ??= ltoOf(bytes);
    else ids = { index, address: sections.addr[i] ?? 0n, bytes };
  }
  const symbols = symbolsOf(parts);
  return {
    dwarf,
    size,
    endian,
    machine: machine?.number ?? 0,
    bias,
    sections: placed,
    symbols,
    ids,
    isLto,
  };
}

/** Returns the symbols of `.symtab`; null if the file has no such table. */
function symbolsOf({ sections, symbols }: EncodedParts): EncodedSymbol[] | null {
  let table = -1;
  for (let i = 1; i < sections.count && table < 0; i++) {
    if (isNamed(sections, sectionIndex(i), '.symtab')) table = i;
  }
  if (table < 0) return null;
  const { names } = symbols;
  const all: EncodedSymbol[] = [];
  for (let i = 0; i < symbols.count; i++) {
    if (symbols.table[i] !== table) continue;
    const start = symbols.nameOff[i] ?? 0;
    all.push({
      name: byteText(names.subarray(start, stringEnd(names, start))),
      type: (symbols.info[i] ?? 0) & 0xf,
      value: symbols.value[i] ?? 0n,
      size: symbols.size[i] ?? 0n,
      section: symbols.section[i] ?? 0,
    });
  }
  return all;
}

/**
 * Returns what a section of notes says about link-time optimisation; null if nothing. Source:
 * pahole 1.31, dwarf_loader.c, `cus__merging_cu`.
 */
function ltoOf(notes: ByteReader): boolean | null {
  for (let at = 0; at + 12 <= notes.length; ) {
    const nameSize = notes.u32(at);
    const descSize = notes.u32(at + 4);
    const type = notes.u32(at + 8);
    const name = at + 12;
    const desc = name + aligned(nameSize);
    if (desc + descSize > notes.length) return null;
    if (type === LTO_INFO && byteText(notes.bytes.subarray(name, name + 6)) === 'Linux\0') {
      return descSize >= 4 && notes.u32(desc) !== 0;
    }
    at = desc + aligned(descSize);
  }
  return null;
}

function aligned(size: number): number {
  return Math.ceil(size / 4) * 4;
}
