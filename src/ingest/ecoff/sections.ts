/**
 * Section headers of an eCOFF file in the model's columns. Row 0 is a null section, as in ELF, so
 * row `i + 1` is header `i`.
 *
 * `type` and `flags` have the equivalent values of ELF, which tell views whether a section has
 * code, data or no bytes. `ecoffFile(model).sections` has the stored values.
 */
import type { EcoffFile } from '#formats/ecoff/ecoff-file.ts';
import {
  hasRawData,
  KIND_MASK,
  SECTION_HEADER,
  SECTION_NAME_SIZE,
  type SectionHeader,
} from '#formats/ecoff/section-headers.ts';
import { SHF, SHT } from '#formats/elf/constants.ts';
import { type SectionIndex, sectionIndex } from '#model/ids.ts';
import { newSections, type SectionTable, sectionName } from '#model/sections.ts';

/** Sections begin and end at multiples of 16 bytes. */
const ALIGNMENT = 16n;

/** Values of `s_flags`: single bits, then numbers in the bits of `KIND_MASK`. */
const STYP = { text: 0x20, rdata: 0x100, init: 0x80000000 } as const;
const KIND = { fini: 0x01000000, comment: 0x02100000, rconst: 0x02200000 } as const;

/** Returns the section headers. The bytes of a section are cut at the end of the file. */
export function ecoffSections(file: EcoffFile): SectionTable {
  const { sections, bytes } = file;
  const names = new Uint8Array(1 + sections.length * (SECTION_NAME_SIZE + 1));
  const table = newSections(sections.length + 1, SECTION_HEADER.size, names);
  table.addralign.fill(ALIGNMENT, 1);
  table.headerOffset.fill(-1, 0, 1);
  let nameEnd = 1;
  for (const [i, section] of sections.entries()) {
    const row = i + 1;
    const name = bytes.subarray(section.fileOffset, section.fileOffset + SECTION_NAME_SIZE);
    table.nameOff[row] = nameEnd;
    table.names.set(name, nameEnd);
    nameEnd += SECTION_NAME_SIZE + 1;
    const there = placeOf(section, bytes.length);
    table.type[row] = hasRawData(section) || section.sSize === 0n ? SHT.progbits : SHT.nobits;
    table.flags[row] = elfFlags(section.sFlags);
    table.addr[row] = section.sVaddr;
    table.declaredOffset[row] = section.sScnptr;
    table.declaredSize[row] = section.sSize;
    table.fileOffset[row] = there.start;
    table.byteLength[row] = there.length;
    table.headerOffset[row] = section.fileOffset;
  }
  return table;
}

/** Returns the row of each section name; for several sections of a name, the first row. */
export function rowsByName(sections: SectionTable): ReadonlyMap<string, SectionIndex> {
  const rows = new Map<string, SectionIndex>();
  for (let i = sections.count - 1; i > 0; i--) {
    rows.set(sectionName(sections, sectionIndex(i)), sectionIndex(i));
  }
  return rows;
}

function placeOf(section: SectionHeader, size: number): { start: number; length: number } {
  if (!hasRawData(section) || section.sScnptr >= BigInt(size)) return { start: 0, length: 0 };
  const start = Number(section.sScnptr);
  const rest = BigInt(size - start);
  return { start, length: Number(section.sSize < rest ? section.sSize : rest) };
}

function elfFlags(sFlags: number): bigint {
  const kind = sFlags & KIND_MASK;
  if (kind === KIND.comment) return 0n;
  const isCode = (sFlags & (STYP.text | STYP.init)) !== 0 || kind === KIND.fini;
  if (isCode) return SHF.alloc | SHF.execinstr;
  const isConstant = (sFlags & STYP.rdata) !== 0 || kind === KIND.rconst;
  return isConstant ? SHF.alloc : SHF.alloc | SHF.write;
}
