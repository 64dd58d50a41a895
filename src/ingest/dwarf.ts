/**
 * Reads the types of a file from DWARF as the table that all views read. The blob of the table is
 * made here, so no byte of it is in the file; each type knows the offset of its entry instead.
 */
import { append } from '#bytes/arrays.ts';
import { MAX_U32 } from '#bytes/byte-reader.ts';
import { attempt, attemptAsync, type Issue, IssueCollector } from '#bytes/issue.ts';
import { SLICE_MS, Slices } from '#bytes/long-work.ts';
import type { ByteSource } from '#bytes/source.ts';
import { counted, decodeName, stringEnd, visible } from '#bytes/text.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { DW_AT, DW_UT } from '#formats/dwarf/constants.ts';
import { languageName } from '#formats/dwarf/language-names.ts';
import {
  DwarfReader,
  type DwarfSections,
  type DwarfUnit,
  isSplitSection,
} from '#formats/dwarf/reader.ts';
import { SHF } from '#formats/elf/constants.ts';
import { movedParts } from '#ingest/dwarf/class-parts.ts';
import { encodeTypes, type VariableSection } from '#ingest/dwarf/encode-types.ts';
import { MergedTypes, resolveForwards } from '#ingest/dwarf/merge-types.ts';
import { TypePlaces } from '#ingest/dwarf/type-places.ts';
import { type DwarfVariable, NamePool, type TypeRecords } from '#ingest/dwarf/type-records.ts';
import { refersAcrossUnits, sourceLanguage } from '#ingest/dwarf/unit-rows.ts';
import { UnitTypes } from '#ingest/dwarf/unit-types.ts';
import type { DwarfFacts } from '#model/dwarf.ts';
import { sectionIndex } from '#model/ids.ts';
import { sectionName } from '#model/sections.ts';
import type { TypeTable } from '#model/type-table.ts';
import { ingestBtf } from './btf.ts';
import { dwarfSection, type LoadedDwarf, readDwarfSections } from './dwarf-sections.ts';
import { type ElfParts, ingestElf, readSection, sectionsNamed } from './elf.ts';
import type { IngestOptions } from './ingest-options.ts';

/** Sections that hold types. */
const TYPE_SECTIONS = [
  ...(['types', 'str', 'line_str', 'str_offsets', 'addr'] as const),
  ...(['cu_index', 'tu_index'] as const),
] as const;
/** Sections that hold types, files and ranges of code; lists of locations are not needed. */
const PLACE_SECTIONS = [...TYPE_SECTIONS, 'line', 'ranges', 'rnglists'] as const;

export type IngestedDwarf = {
  /** Types; null if there are none. */
  readonly types: TypeTable | null;
  readonly facts: DwarfFacts;
};

/** Reads all units. Returns null if the file has no entries. Damaged units become issues. */
export async function ingestDwarf(
  source: ByteSource,
  elf: ElfParts,
  issues: Issue[],
  options: IngestOptions,
): Promise<IngestedDwarf | null> {
  options.onProgress?.({ step: 'reading DWARF', done: 0, total: 0 });
  const loaded = await readDwarfSections(source, elf, issues, PLACE_SECTIONS);
  if (loaded === null) return null;
  const link = await supplementLink(source, elf);
  const supplement = await readSupplement(link, issues, options);
  if (link !== null && supplement === null) issues.push(supplementAbsent(loaded, link.name));
  const reader = new DwarfReader(loaded.sections, supplement);
  append(issues, reader.issues);
  append(issues, splitNotes(reader));
  const names = new NamePool(loaded.sections.info.length);
  const read = await readUnits(reader, names, issues, options);
  const { records, variables, places } = read;
  const facts = factsOf(reader, loaded);
  if (records.last === 0) {
    issues.push(noTypes(loaded, reader));
    return { types: null, facts };
  }
  const sections = variableSections(elf, loaded, records, variables);
  const encoded = encodeTypes(records, names, sections, elf.endian);
  if (encoded.droppedMembers > 0) issues.push(dropped(loaded, encoded.droppedMembers));
  const region = {
    bytes: encoded.blob,
    fileOffset: null,
    region: loaded.sections.info.region,
    pointerBytes: elf.addressBits === 64 ? 8 : 4,
  } as const;
  const btf = attempt(issues, () => ingestBtf(region, null, issues));
  const types = btf?.types ?? null;
  if (types === null) return { types, facts };
  const { dieOffset } = encoded;
  // Entries of a supplementary file are none of `section`.
  const ownSize = loaded.sections.info.length;
  const own = encoded.source(ownSize);
  const columns = places.columns(dieOffset, elf.sections, loaded.addresses, own);
  const ownDies = dieOffset.map((offset) => (offset < ownSize ? offset : -1));
  return { types, facts: { ...facts, dieOffset: ownDies, places: columns } };
}

/** Largest size in bytes of the entries that are read only for `dwarfFacts`. */
const MAX_FACTS_SIZE = 8 << 20;

/** Returns facts about DWARF whose types are not needed; without units if it is large. */
export async function dwarfFacts(source: ByteSource, elf: ElfParts): Promise<DwarfFacts | null> {
  const section = dwarfSection(elf);
  if (section === null) return null;
  const isLarge = (elf.sections.byteLength[section] ?? 0) > MAX_FACTS_SIZE;
  const loaded = isLarge ? null : await readDwarfSections(source, elf, [], TYPE_SECTIONS);
  if (loaded !== null) return factsOf(new DwarfReader(loaded.sections), loaded);
  return {
    section,
    debugFile: null,
    version: null,
    producer: null,
    languages: [],
    unitCount: null,
    dieOffset: null,
    places: null,
    unitOffset: null,
  };
}

type ReadUnits = {
  readonly records: TypeRecords;
  readonly variables: readonly DwarfVariable[];
  readonly places: TypePlaces;
};

async function readUnits(
  reader: DwarfReader,
  names: NamePool,
  issues: Issue[],
  { signal, onProgress }: IngestOptions,
): Promise<ReadUnits> {
  const { info } = reader.sections;
  const faults = new IssueCollector(info.region);
  const merged = new MergedTypes();
  const variables: DwarfVariable[] = [];
  const places = new TypePlaces();
  let lostReferences = 0;
  const slices = new Slices(SLICE_MS, signal);
  // References across units need all their units at once; those of C without LTO have none.
  const units = [...reader.units, ...(reader.supplement?.units ?? [])];
  const isOneBatch = reader.supplement !== null || refersAcrossUnits(reader);
  const batches = isOneBatch ? [units] : units.map((unit) => [unit]);
  for (const together of batches) {
    const batch = new UnitTypes(names, faults);
    for (const done of batch.read(together)) {
      if (!slices.isOver) continue;
      onProgress?.({ step: 'reading DWARF', done, total: info.length });
      await slices.rest();
    }
    const known = merged.records.last;
    const ids = merged.add(batch.records);
    for (let id = known + 1; id <= merged.records.last; id++) {
      const die = merged.records.die[id] ?? 0;
      places.add(batch.rowsAt(die), die);
      const parts = batch.partsAt(die);
      if (parts.length > 0) merged.records.parts.set(id, movedParts(parts, ids));
    }
    for (const each of batch.variables) {
      places.add(batch.rowsAt(each.die), each.die, each.address);
      variables.push({ ...each, type: ids[each.type] ?? 0 });
    }
    lostReferences += batch.lostReferences;
  }
  append(issues, faults.issues());
  if (lostReferences > 0) issues.push(lost(reader, lostReferences));
  const resolved = resolveForwards(merged);
  return {
    records: resolved.merged.records,
    variables: variables.map((each) => ({ ...each, type: resolved.ids[each.type] ?? 0 })),
    places,
  };
}

/** Longest chain of types that is followed for the size of a variable. */
const MAX_CHAIN = 64;

/** Returns the size of a type in bytes; 0 if it has none. */
function sizeOf({ kind, value, ref }: TypeRecords, id: number, pointerBytes: number): number {
  let at = id;
  let count = 1;
  for (let steps = 0; steps < MAX_CHAIN && at !== 0; steps++) {
    switch (kind[at]) {
      case BtfKind.INT:
      case BtfKind.FLOAT:
      case BtfKind.STRUCT:
      case BtfKind.UNION:
      case BtfKind.ENUM:
      case BtfKind.ENUM64:
        return count * (value[at] ?? 0);
      case BtfKind.PTR:
        return count * pointerBytes;
      case BtfKind.ARRAY:
        count *= value[at] ?? 0;
        break;
      case BtfKind.TYPEDEF:
      case BtfKind.CONST:
      case BtfKind.VOLATILE:
      case BtfKind.RESTRICT:
      case BtfKind.TYPE_TAG:
        break;
      default:
        return 0;
    }
    at = ref[at] ?? 0;
  }
  return 0;
}

/** Returns the sections of the file that have variables, with these in the order of address. */
function variableSections(
  elf: ElfParts,
  { addresses }: LoadedDwarf,
  records: TypeRecords,
  variables: readonly DwarfVariable[],
): VariableSection[] {
  const { sections } = elf;
  const loaded: { readonly index: number; readonly start: bigint; readonly end: bigint }[] = [];
  for (let index = 1; index < sections.count; index++) {
    const flags = sections.flags[index] ?? 0n;
    const isTls = (flags & SHF.tls) !== 0n;
    if ((flags & SHF.alloc) === 0n || isTls || (flags & SHF.execinstr) !== 0n) continue;
    const start = addresses[index] ?? 0n;
    loaded.push({ index, start, end: start + (sections.declaredSize[index] ?? 0n) });
  }
  loaded.sort((a, b) => (a.start < b.start ? -1 : Number(a.start > b.start)));
  const sorted = [...variables].sort((a, b) =>
    a.address < b.address ? -1 : Number(a.address > b.address),
  );
  const result: VariableSection[] = [];
  let next = 0;
  for (const { index, start, end } of loaded) {
    const own: VariableSection['variables'][number][] = [];
    let last = -1n;
    for (; next < sorted.length; next++) {
      const variable = sorted[next];
      if (variable === undefined || variable.address >= end) break;
      // Each address once: a variable of an inlined function may have several entries.
      if (variable.address < start || variable.address === last) continue;
      last = variable.address;
      const size = Math.min(sizeOf(records, variable.type, elf.addressBits / 8), MAX_U32);
      const offset = Number(variable.address - start);
      if (offset <= MAX_U32) own.push({ ...variable, offset, size });
    }
    if (own.length === 0) continue;
    const size = Math.min(Number(sections.declaredSize[index] ?? 0n), MAX_U32);
    result.push({ name: sectionName(sections, sectionIndex(index)), size, variables: own });
  }
  return result;
}

function factsOf(reader: DwarfReader, { infoSection }: LoadedDwarf): DwarfFacts {
  const first = reader.units.find(({ isTypeUnit }) => !isTypeUnit);
  const issues: Issue[] = [];
  const root = first === undefined ? null : attempt(issues, () => first.root);
  const producer = root === null ? null : attempt(issues, () => root.string(DW_AT.producer));
  return {
    section: infoSection,
    debugFile: null,
    version: first?.header.version ?? null,
    producer,
    languages: languagesOf(reader.units),
    unitCount: reader.units.length,
    dieOffset: null,
    places: null,
    unitOffset: Float64Array.from(reader.units, ({ offset }) => offset),
  };
}

function languagesOf(units: readonly DwarfUnit[]): string[] {
  const languages = new Set<string>();
  const issues: Issue[] = [];
  for (const unit of units) {
    const language = attempt(issues, () => sourceLanguage(unit));
    if (language !== null && language !== 0) languages.add(languageName(language));
  }
  return [...languages];
}

/** Returns an issue about units whose types are in other files; none if there are no such units. */
function splitNotes({ units, sections: { info } }: DwarfReader): readonly Issue[] {
  const names: string[] = [];
  // A split unit of DWARF 4 states the name of its file, too.
  if (isSplitSection(info)) return [];
  for (const unit of units) {
    const name = attempt([], () => {
      const { root } = unit;
      return root.string(DW_AT.dwo_name) ?? root.string(DW_AT.GNU_dwo_name);
    });
    const isSkeleton = unit.header.unitType === DW_UT.skeleton || unit.header.version < 5;
    if (name !== null && isSkeleton) names.push(name);
  }
  const [first] = names;
  if (first === undefined) return [];
  return [
    {
      severity: 'warning',
      code: 'dwarf.split',
      region: info.region,
      message: `The types of ${counted(names.length, 'unit')} are in other files, as ${first}`,
      span: null,
      advice: 'Open that file, or compile without -gsplit-dwarf.',
    },
  ];
}

/** File with the entries that several files share: its name, and its build id or checksum. */
type SupplementLink = { readonly name: string; readonly id: Uint8Array };

/**
 * Returns the link to a supplementary file, as dwz makes it; null if there is none. Source: DWARF 5,
 * section 7.3.6; dwz(1), option -m.
 */
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

/** Reads the sections of a supplementary file; null if it is absent, another file or without DWARF. */
async function readSupplement(
  link: SupplementLink | null,
  issues: Issue[],
  { openSupplement }: IngestOptions,
): Promise<DwarfSections | null> {
  const source = link === null ? null : await openSupplement?.(link.name);
  if (link === null || source == null) return null;
  return await attemptAsync(issues, async () => {
    const elf = await ingestElf(source, issues, { sectionsOnly: true });
    if (!(await hasId(source, elf, link.id))) return null;
    const loaded = await readDwarfSections(source, elf, issues);
    return loaded?.sections ?? null;
  });
}

/** Size in bytes of a note before its contents, with the name `GNU`. */
const NOTE_HEAD = 16;

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

function supplementAbsent({ sections: { info } }: LoadedDwarf, name: string): Issue {
  return {
    severity: 'warning',
    code: 'dwarf.supplement',
    region: info.region,
    message: `Types that several files share are in another file, ${visible(name)}`,
    span: null,
    expected: 'that file, with the build id that this one states, in the same folder',
    advice: 'Put the file there, or open it alone for its types.',
  };
}

/** Sections that name a supplementary file, and the offset of the name. */
const SUPPLEMENTS = [
  ['.gnu_debugaltlink', 0],
  ['.debug_sup', 3],
] as const;

function noTypes({ sections: { info } }: LoadedDwarf, reader: DwarfReader): Issue {
  return {
    severity: 'note',
    code: 'dwarf.no-types',
    region: info.region,
    message: `DWARF of ${counted(reader.units.length, 'unit')} has no types`,
    span: info.span(0, info.length),
  };
}

function lost({ sections: { info } }: DwarfReader, count: number): Issue {
  return {
    severity: 'warning',
    code: 'dwarf.lost-references',
    region: info.region,
    message: `${counted(count, 'reference')} to types lead nowhere: void is shown`,
    span: null,
    expected: 'the entry of a type in this file',
    found: 'another entry, or a type of another file',
    advice: 'A file that dwz -m changed has types in a second file, which is not read.',
  };
}

function dropped({ sections: { info } }: LoadedDwarf, count: number): Issue {
  return {
    severity: 'warning',
    code: 'dwarf.dropped-members',
    region: info.region,
    message: `${counted(count, 'member')} beyond 2 MB in structs with bit-fields left out`,
    span: null,
  };
}
