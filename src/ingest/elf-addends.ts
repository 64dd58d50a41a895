/**
 * The addend A of BPF's REL entries, which lies at the place that is patched.
 *
 * Source: bpf-llvm-relocations.rst, "Relocation Record" and "Different
 * Relocation Types": site and width of each type are in `#formats/bpf/relocations.ts`.
 * Sites may come in any order, so that the file is walked by windows that hold
 * some: every byte is read once at most.
 */
import { ByteReader } from '#bytes/byte-reader.ts';
import type { ByteSource } from '#bytes/source.ts';
import { bpfRelocationType } from '#formats/bpf/relocations.ts';
import { ET, SHF } from '#formats/elf/constants.ts';
import type { ElfHeader } from '#formats/elf/header.ts';
import { AddendSource, type RelocationTable } from '#model/relocations.ts';
import type { SectionTable } from '#model/sections.ts';
import type { ReadOptions } from './elf-pieces.ts';

const WINDOW_BYTES = 16 * 1024 * 1024;
/** The widest site: it may stand at the end of a window and reach behind it. */
const SITE_BYTES = 8;
const NO_SITE = -1;

/** Fills `addend` and `addendSource` of the rows whose site lies in the file. */
export async function readImplicitAddends(
  source: ByteSource,
  header: ElfHeader,
  sections: SectionTable,
  relocations: RelocationTable,
  options: ReadOptions,
): Promise<void> {
  const sites = new Float64Array(relocations.count);
  const windows = new Map<number, { start: number; end: number }>();
  for (let row = 0; row < relocations.count; row++) {
    const site = siteOf(header, sections, relocations, row);
    sites[row] = site;
    if (site === NO_SITE) continue;
    const number = Math.floor(site / WINDOW_BYTES);
    const window = windows.get(number);
    if (window === undefined) windows.set(number, { start: site, end: site + SITE_BYTES });
    else {
      window.start = Math.min(window.start, site);
      window.end = Math.max(window.end, site + SITE_BYTES);
    }
  }
  for (const [number, { start, end }] of windows) {
    options.signal?.throwIfAborted();
    const reader = new ByteReader(await source.read(start, end), 'site', header.endian, start);
    for (let row = 0; row < relocations.count; row++) {
      const site = sites[row] ?? NO_SITE;
      if (site === NO_SITE || Math.floor(site / WINDOW_BYTES) !== number) continue;
      relocations.addend[row] = readAddend(reader, site - start, relocations.type[row] ?? 0);
      relocations.addendSource[row] = AddendSource.implicit;
    }
  }
}

/** File offset of the bytes that are patched; `NO_SITE` where there are none to read. */
function siteOf(
  header: ElfHeader,
  sections: SectionTable,
  relocations: RelocationTable,
  row: number,
): number {
  const target = relocations.targetSection[row] ?? -1;
  if (target < 0 || relocations.addendSource[row] !== AddendSource.unknown) return NO_SITE;
  if (((sections.flags[target] ?? 0n) & SHF.compressed) !== 0n) return NO_SITE;
  const { siteByteDelta, siteBitWidth } = bpfRelocationType(relocations.type[row] ?? 0);
  if (siteBitWidth === 0) return NO_SITE;
  const base = header.eType === ET.rel ? 0n : (sections.addr[target] ?? 0n);
  const offset = (relocations.offset[row] ?? 0n) - base + BigInt(siteByteDelta);
  const byteLength = BigInt(sections.byteLength[target] ?? 0);
  if (offset < 0n || offset + BigInt(siteBitWidth / 8) > byteLength) return NO_SITE;
  return (sections.fileOffset[target] ?? 0) + Number(offset);
}

/**
 * A, so that the type's formula gives what the linker has to write.
 *
 * R_BPF_64_64 stores A in the low half of a ld_imm64 whose high half is 0, so
 * it is never negative ("must be less than or equal to UINT32_MAX").
 * R_BPF_64_32 is (S + A) / 8 - 1, and the site holds that formula's value for
 * S = 0: -1 for a function's own symbol, hence A = 0; 2 for `lfunc` at 0x18 of
 * its section, hence A = (2 + 1) * 8 = 0x18. So A = (imm + 1) * 8.
 * All others are S + A over the whole field, which is read with its sign.
 */
function readAddend(reader: ByteReader, offset: number, rType: number): bigint {
  switch (rType) {
    case 1:
      return BigInt(reader.u32(offset));
    case 10:
      return (BigInt(reader.i32(offset)) + 1n) * 8n;
    default:
      return bpfRelocationType(rType).siteBitWidth === 64
        ? reader.i64(offset)
        : BigInt(reader.i32(offset));
  }
}
