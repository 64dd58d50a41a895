/** Members of an ELF file that can be opened: BPF objects in executables, and BTF sections besides `.BTF`. */
import type { Issue } from '#bytes/issue.ts';
import type { Progress } from '#bytes/long-work.ts';
import type { ByteSource } from '#bytes/source.ts';
import { hexText } from '#bytes/text.ts';
import { findBpfObjects } from '#formats/containers/bpf-objects.ts';
import { SHF } from '#formats/elf/constants.ts';
import { sectionIndex } from '#model/ids.ts';
import { type ArchiveMember, isBpf, type ObjectModel } from '#model/object-model.ts';
import { isNamed, sectionAt, sectionName } from '#model/sections.ts';
import { symbolName } from '#model/symbols.ts';
import { symbolAt } from './symbol-places.ts';

/** The embedded objects of an executable, as members. */
export type EmbeddedObjects = {
  readonly members: readonly ArchiveMember[];
  readonly issues: readonly Issue[];
};

/** Sections with additional BTF: `.BTF.base` has no base, `.BTF.inline` is split BTF on `.BTF`. */
const BTF_SECTIONS = ['.BTF.base', '.BTF.inline'];

/** Returns the sections with BTF besides `.BTF` as members with the section names. Compressed sections are omitted. */
export function btfMembers({ sections }: ObjectModel): ArchiveMember[] {
  const members: ArchiveMember[] = [];
  for (let i = 1; i < sections.count; i++) {
    const section = sectionIndex(i);
    const name = BTF_SECTIONS.find((each) => isNamed(sections, section, each));
    const size = sections.byteLength[section] ?? 0;
    const isPacked = ((sections.flags[section] ?? 0n) & SHF.compressed) !== 0n;
    if (name === undefined || size === 0 || isPacked) continue;
    const fileOffset = sections.fileOffset[section] ?? 0;
    members.push({ name, kind: 'BTF', fileOffset, size, packing: null });
  }
  return members;
}

/** Limits the members with names of symbols or sections: each lookup visits all sections. */
const MAX_NAMED = 1000;

/**
 * Returns the BTF sections and the BPF objects in the ELF file `source` of `model`; no objects for
 * a BPF object, empty for other formats. The name of an object is the enclosing symbol, else
 * `SECTION@0xOFFSET`, else `bpf@0xOFFSET`, with the file offset; duplicate names get the offset,
 * too. Reads the whole file once.
 */
export async function embeddedObjects(
  model: ObjectModel,
  source: ByteSource,
  options: {
    readonly signal?: AbortSignal;
    readonly onProgress?: (progress: Progress) => void;
  } = {},
): Promise<EmbeddedObjects> {
  if (model.format !== 'elf') return { members: [], issues: [] };
  const blobs = btfMembers(model);
  if (isBpf(model)) return { members: blobs, issues: [] };
  const { spans, issues } = await findBpfObjects(source, options);
  const names = new Set<string>();
  const members = spans.map(({ start, end }, i): ArchiveMember => {
    const place = i < MAX_NAMED ? placeName(model, start) : NO_PLACE;
    const isTaken = !place.isSymbol || names.has(place.name);
    const name = isTaken ? `${place.name}@${hexText(start)}` : place.name;
    names.add(name);
    return { name, kind: 'BPF object', fileOffset: start, size: end - start, packing: null };
  });
  return { members: [...blobs, ...members], issues };
}

const NO_PLACE = { name: 'bpf', isSymbol: false };

/** Returns the name of the symbol, else of the section, at a file offset. */
function placeName(model: ObjectModel, fileOffset: number) {
  const section = sectionAt(model.sections, fileOffset);
  if (section === null) return NO_PLACE;
  const offset = fileOffset - (model.sections.fileOffset[section] ?? 0);
  const symbol = symbolAt(model, section, offset);
  if (symbol !== null) return { name: symbolName(model.symbols, symbol), isSymbol: true };
  return { name: sectionName(model.sections, section) || 'bpf', isSymbol: false };
}
