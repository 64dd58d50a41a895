/** Program headers of linked files. Source: System V gABI chapter 5, "Program Header". */
import type { ByteReader } from '#bytes/byte-reader.ts';
import type { ElfHeader } from './header.ts';

export const PT = { load: 1, tls: 7 } as const;

export type ProgramHeader = {
  readonly type: number;
  readonly vaddr: bigint;
  readonly memsz: bigint;
  readonly align: bigint;
};

/** Returns the program headers that are inside the file. `file` begins at offset 0. */
export function programHeaders(
  file: ByteReader,
  { elfClass, endian, ePhoff, ePhentsize, ePhnum }: ElfHeader,
): readonly ProgramHeader[] {
  const reader = file.as(endian);
  const size = elfClass === 64 ? 56 : 32;
  const headers: ProgramHeader[] = [];
  if (ePhentsize < size || ePhoff > BigInt(file.length)) return headers;
  for (let i = 0; i < ePhnum; i++) {
    const at = Number(ePhoff) + i * ePhentsize;
    if (at + size > file.length) break;
    headers.push(
      elfClass === 64
        ? {
            type: reader.u32(at),
            vaddr: reader.u64(at + 16),
            memsz: reader.u64(at + 40),
            align: reader.u64(at + 48),
          }
        : {
            type: reader.u32(at),
            vaddr: BigInt(reader.u32(at + 8)),
            memsz: BigInt(reader.u32(at + 20)),
            align: BigInt(reader.u32(at + 28)),
          },
    );
  }
  return headers;
}
