/**
 * Thread pointer and base of TLS offsets in a linked file, as addresses. Source: "ELF Handling For
 * Thread-Local Storage" (Drepper), the supplements, and lld 19 (`getTlsTpOffset`).
 */
import { EM } from '#formats/elf/constants.ts';
import type { ProgramHeader } from '#formats/elf/program-headers.ts';

/** Machines whose TLS block ends at the thread pointer (variant II). */
const BEFORE_TP: ReadonlySet<number> = new Set([
  EM.x86_64,
  EM.i386,
  EM.s390,
  EM.sparcv9,
  EM.sparc,
  EM.sparc32plus,
]);

/** Size in bytes of the thread control block before the TLS block (variant I). */
const CONTROL_BLOCK: Readonly<Record<number, bigint>> = {
  [EM.aarch64]: 16n,
  [EM.arm]: 8n,
  [EM.superh]: 8n,
  [EM.alpha]: 16n,
};

/** Machines whose thread pointer and DTP offsets are moved to reach more with 16 bits. */
const MOVED: ReadonlySet<number> = new Set([EM.ppc, EM.ppc64, EM.mips, EM.m68k]);

/** Returns `TPB`, `DTPB`, and `TLS`, the start of the TLS block. */
export function tlsBases(
  machine: number,
  { vaddr, memsz, align }: Pick<ProgramHeader, 'vaddr' | 'memsz' | 'align'>,
): readonly (readonly [string, bigint])[] {
  const by = align > 0n ? align : 1n;
  const up = (value: bigint) => ((value + by - 1n) / by) * by;
  const moved = MOVED.has(machine);
  const block = CONTROL_BLOCK[machine];
  let tp = vaddr;
  if (BEFORE_TP.has(machine)) tp = up(vaddr + memsz);
  else if (block !== undefined) tp = vaddr - up(block);
  else if (moved) tp = vaddr + 0x7000n;
  const dtp = machine === EM.riscv ? 0x800n : moved ? 0x8000n : 0n;
  return [
    ['TPB', tp],
    ['DTPB', vaddr + dtp],
    ['TLS', vaddr],
  ];
}
