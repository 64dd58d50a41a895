/** Reads what an encoding takes from an ELF file. */
import type { EncodedFile } from '#analysis/encode/encode.ts';
import { encodedFile, sectionsToRead } from '#analysis/encode/encoded-file.ts';
import type { ByteSource } from '#bytes/source.ts';
import { readDwarfFile } from '#ingest/dwarf-file.ts';
import type { ElfParts } from '#ingest/elf.ts';

/** Returns the file to encode; null if it has no DWARF. Rejects with `Malformed` if it is damaged. */
export async function readEncodedFile(
  source: ByteSource,
  elf: ElfParts,
): Promise<EncodedFile | null> {
  const read = await readDwarfFile(source, elf, sectionsToRead(elf));
  const parts = { ...elf, size: source.size };
  return read && encodedFile(parts, read.dwarf, read.addresses, read.contents);
}
