/** Reads the supplementary file of a file that dwz changed. Source: DWARF 5, section 7.3.6. */
import { append } from '#bytes/arrays.ts';
import type { ByteReader } from '#bytes/byte-reader.ts';
import { attemptAsync, type Issue } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';
import { decodeName, stringEnd, visible } from '#bytes/text.ts';
import type { DwarfSections } from '#formats/dwarf/reader.ts';
import { readDwarfSections } from './dwarf-sections.ts';
import { type ElfParts, ingestElf, readSection, sectionsNamed } from './elf.ts';
import type { IngestOptions } from './ingest-options.ts';

/** Sections that name a supplementary file, and the offset of the name. */
const SUPPLEMENTS = [
  ['.gnu_debugaltlink', 0],
  ['.debug_sup', 3],
] as const;

/** Size in bytes of a note before its contents, with the name `GNU`. */
const NOTE_HEAD = 16;

/**
 * Reads the sections of the supplementary file that a file names; null if it names none, or with an
 * issue at `info` if no file beside it fits.
 */
export async function readSupplement(
  source: ByteSource,
  elf: ElfParts,
  info: ByteReader,
  issues: Issue[],
  { filesBeside }: IngestOptions,
): Promise<DwarfSections | null> {
  const link = await supplementLink(source, elf);
  if (link === null) return null;
  const name = link.name.slice(link.name.lastIndexOf('/') + 1);
  for await (const beside of filesBeside?.([name]) ?? []) {
    const own: Issue[] = [];
    const read = await attemptAsync(own, async () => {
      const other = await ingestElf(beside, own, { sectionsOnly: true });
      if (!(await hasId(beside, other, link.id))) return null;
      return await readDwarfSections(beside, other, own);
    });
    if (read === null) continue;
    append(issues, own);
    return read.sections;
  }
  issues.push(absent(info, link.name));
  return null;
}

/** File with the entries that several files share: its name, and its build id or checksum. */
type SupplementLink = { readonly name: string; readonly id: Uint8Array };

/** Returns the link to a supplementary file, as dwz makes it (dwz(1), option -m); null for none. */
async function supplementLink(source: ByteSource, elf: ElfParts): Promise<SupplementLink | null> {
  for (const [section, start] of SUPPLEMENTS) {
    const [index] = sectionsNamed(elf.sections, section);
    if (index === undefined) continue;
    const read = await readSection(source, elf, index, []);
    // A supplementary file has .debug_sup, too: the byte before the name is 1 there.
    if (read === null || (start > 0 && read.bytes[start - 1] === 1)) continue;
    const name = decodeName(read.bytes, start);
    const id = read.bytes.subarray(stringEnd(read.bytes, start) + 1);
    if (name !== '') return { name, id };
  }
  return null;
}

/** Returns true if a file has the build id or checksum `id` that a link to it states. */
async function hasId(source: ByteSource, elf: ElfParts, id: Uint8Array): Promise<boolean> {
  const [note] = sectionsNamed(elf.sections, '.note.gnu.build-id');
  const [sup] = sectionsNamed(elf.sections, '.debug_sup');
  const index = note ?? sup;
  const read = index === undefined ? null : await readSection(source, elf, index, []);
  if (read === null) return false;
  const start = note === undefined ? stringEnd(read.bytes, 3) + 1 : NOTE_HEAD;
  const own = read.bytes.subarray(start, start + id.length);
  return own.length === id.length && own.every((byte, i) => byte === id[i]);
}

function absent({ region }: ByteReader, name: string): Issue {
  return {
    severity: 'warning',
    code: 'dwarf.supplement',
    region,
    message: `Types that several files share are in another file, ${visible(name)}`,
    span: null,
    expected: 'that file, with the build id that this one states, in the same folder',
    advice: 'Put the file there, or open it alone for its types.',
  };
}
