/** Finds the parts of an ELF file that can be opened: BPF objects and additional BTF sections. */
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

/** The embedded objects of an executable, as archive members. */
export type EmbeddedObjects = {
  readonly members: readonly ArchiveMember[];
  readonly issues: readonly Issue[];
};

/** Additional BTF sections: `.BTF.base` has no base, `.BTF.inline` is split BTF on `.BTF`. */
const BTF_SECTIONS = ['.BTF.base', '.BTF.inline'];

/** Returns the BTF sections besides `.BTF` as archive members, named by section. Omits compressed sections. */
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

/** Maximum number of members to name: to look up a name, all sections or symbols are visited. */
const MAX_NAMED = 1000;

/**
 * Returns the BTF sections and the BPF objects inside the ELF file `source`. A BPF object contains
 * no further objects; other formats have neither. An object is named after the symbol or section
 * that contains it, else `bpf`; the file offset is added unless the symbol's name is unique. Reads
 * the whole file once.
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

/** Returns the name of the symbol, else of the section, that contains the file offset. */
function placeName(model: ObjectModel, fileOffset: number) {
  const section = sectionAt(model.sections, fileOffset);
  if (section === null) return NO_PLACE;
  const offset = fileOffset - (model.sections.fileOffset[section] ?? 0);
  const symbol = symbolAt(model, section, offset);
  if (symbol !== null) return { name: symbolName(model.symbols, symbol), isSymbol: true };
  return { name: sectionName(model.sections, section) || 'bpf', isSymbol: false };
}
