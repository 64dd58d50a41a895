/** Reads the bytes of code sections for analyses of all instructions. */
import type { ByteSource } from '#bytes/source.ts';
import { SLOT_SIZE } from '#formats/bpf/insn.ts';
import { OPCODE } from '#formats/bpf/opcodes.ts';
import { SHF } from '#formats/elf/constants.ts';
import type { SectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { isCode, type SectionTable } from '#model/sections.ts';

/** Read limit: eight million instructions. The kernel loads at most one million per program. */
const MAX_BYTES = 64 * 1024 * 1024;

export type SectionCode = {
  readonly section: SectionIndex;
  readonly bytes: Uint8Array;
  /** Position of `bytes[0]` in the file. */
  readonly fileOffset: number;
  /** Number of unread bytes at the end of a section that exceeds the limit. */
  readonly left: number;
};

/** Returns true if the section contains BPF instructions that the file stores uncompressed. */
export function hasReadableCode(sections: SectionTable, section: SectionIndex): boolean {
  return (
    isCode(sections, section) &&
    (sections.byteLength[section] ?? 0) > 0 &&
    !isCompressed(sections, section)
  );
}

export function isCompressed(sections: SectionTable, section: SectionIndex): boolean {
  return ((sections.flags[section] ?? 0n) & SHF.compressed) !== 0n;
}

/** Reads at most the first 64 MiB of a code section. Throws read errors of the source. */
export async function readCode(
  model: ObjectModel,
  source: ByteSource,
  section: SectionIndex,
): Promise<SectionCode> {
  const fileOffset = model.sections.fileOffset[section] ?? 0;
  const length = model.sections.byteLength[section] ?? 0;
  const bytes = await source.read(fileOffset, fileOffset + Math.min(length, MAX_BYTES));
  return { section, bytes, fileOffset, left: Math.max(0, length - MAX_BYTES) };
}

/** Returns an array with one entry per 8-byte slot: 1 for the second half of a ld_imm64, else 0. */
export function secondHalves(bytes: Uint8Array): Uint8Array {
  const slots = Math.floor(bytes.length / SLOT_SIZE);
  const halves = new Uint8Array(slots);
  for (let slot = 0; slot < slots; slot++) {
    if (bytes[slot * SLOT_SIZE] !== OPCODE.ldImm64 || slot + 1 >= slots) continue;
    slot += 1;
    halves[slot] = 1;
  }
  return halves;
}
