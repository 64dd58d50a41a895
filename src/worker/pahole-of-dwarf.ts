/** Writes pahole's text of a file with DWARF in C and without BTF, as the command does. */
import { encodedFile, sectionsToRead } from '#analysis/encode/encoded-file.ts';
import { attempt } from '#bytes/issue.ts';
import { readDwarfFile } from '#ingest/dwarf-file.ts';
import { ingestElf } from '#ingest/elf.ts';
import { btfOf } from '#model/object-model.ts';
import { hasPaholeText, writePaholeOfDwarf } from '#print/pahole/pahole-dwarf.ts';
import type { Opened } from './read-again.ts';
import type { TextWriter } from './text-answers.ts';

/** Largest file in bytes whose DWARF is read again for the text: its sections stay in memory. */
const MAX_SIZE = 64 << 20;

/** Returns the writer of the text; null if the types are written as those of BTF. */
export async function paholeOfDwarf({
  model,
  source,
  debugFile,
}: Opened): Promise<TextWriter | null> {
  const from = debugFile ?? source;
  if (model.format !== 'elf' || model.dwarf === null || btfOf(model) !== null) return null;
  if (from.size > MAX_SIZE) return null;
  const elf = debugFile === undefined ? model : await ingestElf(from, [], { sectionsOnly: true });
  const read = await readDwarfFile(from, elf, sectionsToRead(elf));
  if (read === null || attempt([], () => hasPaholeText(read.dwarf)) !== true) return null;
  const parts = { ...elf, size: from.size };
  const file = encodedFile(parts, read.dwarf, read.addresses, read.contents);
  return function* (types, out) {
    for (const _step of writePaholeOfDwarf(file, out)) yield types.count;
  };
}
