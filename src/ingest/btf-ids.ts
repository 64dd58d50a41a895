/**
 * Reads `.BTF_ids` of a kernel or module as a table. Symbols mark lists and sets, and the ids in
 * lists. A finished set is sorted by id, so the names of its ids come from the types.
 */
import { ByteReader } from '#bytes/byte-reader.ts';
import type { Issue } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';
import {
  BTF_IDS_SECTION,
  type BtfIdGroup,
  type BtfIdGroupKind,
  type BtfIdLabel,
  btfIdLabel,
  readBtfIdGroup,
} from '#formats/btf/ids.ts';
import { kindName } from '#formats/btf/kinds.ts';
import { StringPool } from '#formats/btf/write-records.ts';
import { ET, fileTypeName } from '#formats/elf/constants.ts';
import { BTF_ID_COLUMNS, BtfIdGroupType, type BtfIdTable, NO_BTF_IDS } from '#model/btf-ids.ts';
import { newColumns } from '#model/columns.ts';
import { symbolIndex, typeId } from '#model/ids.ts';
import { SymbolType, symbolName, symbolType } from '#model/symbols.ts';
import { hasType, kindOf, nameOf, type TypeTable } from '#model/type-table.ts';
import { type ElfParts, readSection, sectionsNamed } from './elf.ts';

/** Largest number of bytes that are read. The section of a kernel has some kilobytes. */
const MAX_SECTION_SIZE = 1024 * 1024;
const WORD = 4;

/** Reads the section; the table is empty if there is none. Anomalies become issues. */
export async function ingestBtfIds(
  source: ByteSource,
  elf: ElfParts,
  types: TypeTable | null,
  issues: Issue[],
): Promise<BtfIdTable> {
  const [index] = sectionsNamed(elf.sections, BTF_IDS_SECTION);
  if (index === undefined) return NO_BTF_IDS;
  const read = await readSection(source, elf, index, issues);
  if (read === null) return NO_BTF_IDS;
  const bytes = read.bytes.subarray(0, MAX_SECTION_SIZE);
  const section = new ByteReader(bytes, BTF_IDS_SECTION, elf.endian, read.fileOffset ?? 0);
  checkLength(section, read.bytes.length, issues);
  const end = section.length - (section.length % WORD);
  const labels = labelsIn(elf, index, end);
  const groups = groupsIn(section, end, labels.groups, issues);
  return tableOf(section, groups, labels, types, read.fileOffset);
}

function checkLength(section: ByteReader, length: number, issues: Issue[]): void {
  const partial = length % WORD;
  const isCut = section.length < length;
  if (partial === 0 && !isCut) return;
  issues.push({
    severity: 'warning',
    code: 'btf-ids.length',
    region: BTF_IDS_SECTION,
    message: isCut
      ? `${BTF_IDS_SECTION}: only the first ${MAX_SECTION_SIZE} bytes are read`
      : `${BTF_IDS_SECTION} ends inside an id`,
    span: isCut ? null : section.span(length - partial, partial),
    expected: isCut ? `at most ${MAX_SECTION_SIZE} bytes` : `a multiple of ${WORD} bytes`,
    found: `${length} bytes`,
  });
}

function tableOf(
  section: ByteReader,
  groups: readonly PlacedGroup[],
  labels: Labels,
  types: TypeTable | null,
  fileOffset: number | null,
): BtfIdTable {
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  const names = new StringPool(0);
  const rows = newColumns(BTF_ID_COLUMNS, count);
  let row = 0;
  for (const [number, group] of groups.entries()) {
    const meaningOf = meanings(section, group, labels, types);
    for (let i = 0; i < group.count; i++, row++) {
      const at = group.entriesOffset + i * group.entrySize;
      const id = section.u32(at);
      const meaning = meaningOf(at, id);
      rows.byteOffset[row] = at;
      rows.id[row] = id;
      rows.flags[row] = group.entrySize === 8 ? section.u32(at + 4) : 0;
      rows.group[row] = number;
      rows.kindOff[row] = names.offsetOf('name', meaning.typeKind);
      rows.nameOff[row] = names.offsetOf('name', meaning.name);
    }
  }
  const groupNameOff = Uint32Array.from(groups, (group) => names.offsetOf('name', group.name));
  const nameBytes = new Uint8Array(names.length);
  names.writeTo(nameBytes, 0);
  return {
    count,
    fileOffset,
    ...rows,
    names: nameBytes,
    groups: {
      count: groups.length,
      type: Uint8Array.from(groups, (group) => BtfIdGroupType[group.kind ?? 'words']),
      nameOff: groupNameOff,
      byteOffset: Uint32Array.from(groups, (group) => group.byteOffset),
      cnt: Uint32Array.from(groups, (group) => group.cnt ?? group.count),
      flags: Uint32Array.from(groups, (group) => group.flags),
    },
  };
}

type Meaning = { readonly typeKind: string; readonly name: string };
const UNKNOWN: Meaning = { typeKind: '', name: '' };

/** Returns a function that names an id of a group, given the id and its `byteOffset`. */
function meanings(
  section: ByteReader,
  group: PlacedGroup,
  { ids }: Labels,
  types: TypeTable | null,
): (byteOffset: number, id: number) => Meaning {
  const places = Array.from(
    { length: group.count },
    (_, i) => group.entriesOffset + i * group.entrySize,
  );
  const labels = places.flatMap((at) => ids.get(at) ?? []);
  const isSet = group.kind === 'set' || group.kind === 'set8';
  const isSorted = isSet && places.some((at) => section.u32(at) !== 0);
  if (labels.length > 0 && !isSorted) return (byteOffset) => ids.get(byteOffset) ?? UNKNOWN;
  // If no label has the name of an id's type, the id counts from a base that is not available.
  const known = new Set(labels.map((label) => label.name));
  return (_byteOffset, id) => {
    const meaning = typeMeaning(types, id);
    return labels.length === 0 || known.has(meaning.name) ? meaning : UNKNOWN;
  };
}

function typeMeaning(types: TypeTable | null, id: number): Meaning {
  if (types === null || !hasType(types, typeId(id))) return UNKNOWN;
  return {
    typeKind: kindName(kindOf(types, typeId(id))).toLowerCase(),
    name: nameOf(types, typeId(id)),
  };
}

/** Symbol that marks a single id: the kind of type and the name. */
type IdLabel = Extract<BtfIdLabel, { readonly what: 'id' }>;

type PlacedGroup = BtfIdGroup & {
  /** Kind of the group; null for ids without a symbol. */
  readonly kind: BtfIdGroupKind | null;
  readonly name: string;
  /** Offset of the group in bytes from the start of the section. */
  readonly byteOffset: number;
};

/** Labels of groups. The keys are offsets in bytes from the start of the section. */
type GroupLabels = ReadonlyMap<
  number,
  { readonly kind: BtfIdGroupKind; readonly name: string; readonly size: number }
>;

type Labels = {
  readonly ids: ReadonlyMap<number, IdLabel>;
  readonly groups: GroupLabels;
};

/** Returns the labels that symbols give to the first `end` bytes of section `index`. */
function labelsIn(elf: ElfParts, index: number, end: number): Labels {
  const { symbols, sections } = elf;
  // The value of a symbol in a linked file is an address.
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
    // A label must be at a multiple of the word size.
    if (at % WORD !== 0) continue;
    if (label.what === 'id') ids.set(at, label);
    // The kernel's macros give each set also the label of a list: ignore that label.
    else if (label.what !== 'list' || !groups.has(at)) {
      groups.set(at, { kind: label.what, name: label.name, size: Number(symbols.size[row] ?? 0n) });
    }
  }
  return { ids, groups };
}

/** Returns the first `end` bytes of the section as groups. Cuts an oversized set, with an issue. */
function groupsIn(
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
      issues.push({
        severity: 'warning',
        code: 'btf-ids.set-past-end',
        region: section.region,
        message: `${section.region}: the set ${label.name} runs into what follows it`,
        span: section.span(byteOffset, Math.min(4, next - byteOffset)),
        expected: `a set inside ${next - byteOffset} bytes`,
        found: `${needed} ids`,
      });
    }
    if (group === null) continue;
    groups.push({ ...group, kind: label.kind, name: label.name, byteOffset });
    addWords(group.entriesOffset + group.count * group.entrySize, next);
  }
  return groups;
}

/** Reads a group. Returns null if its counter does not fit into the section. */
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
