/** Where lists and sets lie in `.BTF_ids`, by the symbols in that section. */
import type { ByteReader } from '#bytes/byte-reader.ts';
import type { Issue } from '#bytes/issue.ts';
import {
  type BtfIdGroup,
  type BtfIdGroupKind,
  type BtfIdLabel,
  btfIdLabel,
  readBtfIdGroup,
} from '#formats/btf/ids.ts';
import { ET, fileTypeName } from '#formats/elf/constants.ts';
import { symbolIndex } from '#model/ids.ts';
import { SymbolType, symbolName, symbolType } from '#model/symbols.ts';
import type { ElfParts } from './elf.ts';

const WORD = 4;

/** A label of one id: what sort of type is meant, and its name. */
export type IdLabel = Extract<BtfIdLabel, { readonly what: 'id' }>;

export type PlacedGroup = BtfIdGroup & {
  /** null for words that no label speaks of. */
  readonly kind: BtfIdGroupKind | null;
  readonly name: string;
  /** Bytes from the start of the section. */
  readonly byteOffset: number;
};

/** By bytes from the start of the section. */
type GroupLabels = ReadonlyMap<
  number,
  { readonly kind: BtfIdGroupKind; readonly name: string; readonly size: number }
>;

export type Labels = {
  readonly ids: ReadonlyMap<number, IdLabel>;
  readonly groups: GroupLabels;
};

/** What the symbols of section `index` label in its first `end` bytes. */
export function labelsIn(elf: ElfParts, index: number, end: number): Labels {
  const { symbols, sections } = elf;
  // In linked files values are addresses.
  const base = elf.fileType === fileTypeName(ET.rel) ? 0n : (sections.addr[index] ?? 0n);
  const ids = new Map<number, IdLabel>();
  const groups = new Map<number, { kind: BtfIdGroupKind; name: string; size: number }>();
  for (let row = 0; row < symbols.count; row++) {
    if (symbols.section[row] !== index) continue;
    if (symbolType(symbols, symbolIndex(row)) === SymbolType.SECTION) continue;
    const byteOffset = (symbols.value[row] ?? 0n) - base;
    const name = symbolName(symbols, symbolIndex(row));
    if (byteOffset < 0n || byteOffset >= BigInt(end) || name === '') continue;
    const label = btfIdLabel(name);
    const at = Number(byteOffset);
    // Everything in the section is made of words.
    if (at % WORD !== 0) continue;
    if (label.what === 'id') ids.set(at, label);
    // The macros put the label of a list in front of each set too.
    else if (label.what !== 'list' || !groups.has(at)) {
      groups.set(at, { kind: label.what, name: label.name, size: Number(symbols.size[row] ?? 0n) });
    }
  }
  return { ids, groups };
}

/** All of the first `end` bytes of the section as groups, in their order. A set that does not fit is told and cut. */
export function groupsIn(
  section: ByteReader,
  end: number,
  labels: GroupLabels,
  issues: Issue[],
): PlacedGroup[] {
  const starts = [...labels.keys()].sort((a, b) => a - b);
  const groups: PlacedGroup[] = [];
  const addWords = (from: number, to: number) => {
    const words = readBtfIdGroup(section, 'list', from, to, 0);
    if (words.count > 0) groups.push({ ...words, kind: null, name: '', byteOffset: from });
  };
  addWords(0, starts[0] ?? end);
  for (const [i, byteOffset] of starts.entries()) {
    const label = labels.get(byteOffset);
    const next = starts[i + 1] ?? end;
    if (label === undefined) continue;
    const group = readGroup(section, label.kind, byteOffset, next, label.size);
    const needed = group?.cnt ?? 0;
    if (group === null || needed > group.count) {
      issues.push(tooMany(section, label.name, byteOffset, next, needed));
    }
    if (group === null) continue;
    groups.push({ ...group, kind: label.kind, name: label.name, byteOffset });
    addWords(group.entriesOffset + group.count * group.entrySize, next);
  }
  return groups;
}

/** null where not even the counters of the set fit. */
function readGroup(
  section: ByteReader,
  kind: BtfIdGroupKind,
  byteOffset: number,
  end: number,
  size: number,
): BtfIdGroup | null {
  const fits = kind === 'list' || byteOffset + (kind === 'set8' ? 8 : 4) <= end;
  return fits ? readBtfIdGroup(section, kind, byteOffset, end, size) : null;
}

function tooMany(
  section: ByteReader,
  name: string,
  byteOffset: number,
  end: number,
  cnt: number,
): Issue {
  return {
    severity: 'warning',
    code: 'btf-ids.set-past-end',
    region: section.region,
    message: `${section.region}: the set ${name} runs into what follows it`,
    span: section.span(byteOffset, Math.min(4, end - byteOffset)),
    expected: `a set inside ${end - byteOffset} bytes`,
    found: `${cnt} ids`,
  };
}
