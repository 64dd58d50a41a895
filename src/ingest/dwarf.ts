/**
 * Reads the types of a file from DWARF as the table that all views read. The blob of the table is
 * made here, so no byte of it is in the file; each type knows the offset of its entry instead.
 */
import { append } from '#bytes/arrays.ts';
import { MAX_U32 } from '#bytes/byte-reader.ts';
import { attempt, type Issue, IssueCollector } from '#bytes/issue.ts';
import { SLICE_MS, Slices } from '#bytes/long-work.ts';
import type { ByteSource } from '#bytes/source.ts';
import { counted } from '#bytes/text.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { DW_AT } from '#formats/dwarf/constants.ts';
import { languageName } from '#formats/dwarf/language-names.ts';
import { DwarfReader, type DwarfUnit } from '#formats/dwarf/reader.ts';
import { SHF } from '#formats/elf/constants.ts';
import { MAX_PARTS, movedParts, type PartBudget } from '#ingest/dwarf/class-parts.ts';
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
import {
  dwarfSection,
  type LoadedDwarf,
  PLACE_SECTIONS,
  readDwarfSections,
  TYPE_SECTIONS,
} from './dwarf-sections.ts';
import { issuesBeside, SplitFiles, type SplitUnits, skeletonsInside } from './dwarf-split.ts';
import { readSupplement } from './dwarf-supplement.ts';
import type { ElfParts } from './elf.ts';
import type { IngestOptions } from './ingest-options.ts';

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
  const { info } = loaded.sections;
  const supplement = await readSupplement(source, elf, info, issues, options);
  const skeletons = await skeletonsInside(source, elf);
  const reader = new DwarfReader(loaded.sections, { supplement, skeletons });
  append(issues, reader.issues);
  const names = new NamePool(info.length);
  const read = await readUnits(unitsOf(source.name, reader, issues, options), names, options);
  append(issues, read.issues);
  const { records, variables, places } = read;
  const facts = factsOf(reader, loaded, read.facts);
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
  // Entries of supplementary and split files are none of `section`.
  const ownSize = info.length;
  const columns = places.columns(dieOffset, elf.sections, loaded.addresses, encoded.source());
  const ownDies = dieOffset.map((offset) => (offset < ownSize ? offset : -1));
  return {
    types: { ...types, places: columns },
    facts: { ...facts, dieOffset: ownDies, places: columns },
  };
}

/** Largest size in bytes of the entries that are read only for `dwarfFacts`. */
const MAX_FACTS_SIZE = 8 << 20;

/** Returns facts about DWARF whose types are not needed; without units if it is large. */
export async function dwarfFacts(source: ByteSource, elf: ElfParts): Promise<DwarfFacts | null> {
  const section = dwarfSection(elf);
  if (section === null) return null;
  const isLarge = (elf.sections.byteLength[section] ?? 0) > MAX_FACTS_SIZE;
  const loaded = isLarge ? null : await readDwarfSections(source, elf, [], TYPE_SECTIONS);
  if (loaded !== null) {
    const reader = new DwarfReader(loaded.sections);
    return factsOf(reader, loaded, new UnitFacts().add(reader.units));
  }
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
  readonly issues: readonly Issue[];
  readonly facts: UnitFacts;
};

/** Yields the units of a file and of its supplementary file, then those of its split files. */
async function* unitsOf(
  name: string,
  reader: DwarfReader,
  issues: Issue[],
  options: IngestOptions,
): AsyncGenerator<SplitUnits> {
  const { units, supplement } = reader;
  yield { reader, units: supplement === null ? units : [...units, ...supplement.units] };
  const split = new SplitFiles(reader);
  yield* split.units(name, options);
  append(issues, split.issues());
}

async function readUnits(
  files: AsyncIterable<SplitUnits>,
  names: NamePool,
  { signal, onProgress }: IngestOptions,
): Promise<ReadUnits> {
  const issues: Issue[] = [];
  const facts = new UnitFacts();
  const merged = new MergedTypes();
  const variables: DwarfVariable[] = [];
  const places = new TypePlaces();
  const slices = new Slices(SLICE_MS, signal);
  const budget: PartBudget = { left: MAX_PARTS };
  for await (const { reader, units, beside } of files) {
    const { info } = reader.sections;
    const faults = new IssueCollector(info.region);
    let lostReferences = 0;
    names.addFile(info.length);
    // References across units need all their units at once; those of C without LTO have none.
    const isOneBatch = reader.supplement !== null || refersAcrossUnits(reader);
    const batches = isOneBatch ? [units] : units.map((unit) => [unit]);
    for (const together of batches) {
      const batch = new UnitTypes(names, faults);
      for (const done of batch.read(together)) {
        if (!slices.isOver) continue;
        onProgress?.({ step: 'reading DWARF', done: done - reader.base, total: info.length });
        await slices.rest();
      }
      const known = merged.records.last;
      const ids = merged.add(batch.records);
      for (let id = known + 1; id <= merged.records.last; id++) {
        const die = merged.records.die[id] ?? 0;
        places.add(batch.rowsAt(die), die);
        const parts = batch.partsAt(die, budget);
        if (parts.length > 0) merged.records.parts.set(id, movedParts(parts, ids));
      }
      for (const each of batch.variables) {
        places.add(batch.rowsAt(each.die), each.die, each.address);
        variables.push({ ...each, type: ids[each.type] ?? 0 });
      }
      lostReferences += batch.lostReferences;
    }
    facts.add(units);
    const own = [...faults.issues(), ...(lostReferences > 0 ? [lost(reader, lostReferences)] : [])];
    append(issues, beside === undefined ? own : issuesBeside(beside, own));
  }
  if (budget.left <= 0) issues.push(PARTS_LEFT_OUT);
  const resolved = resolveForwards(merged);
  return {
    records: resolved.merged.records,
    variables: variables.map((each) => ({ ...each, type: resolved.ids[each.type] ?? 0 })),
    places,
    issues,
    facts,
  };
}

const PARTS_LEFT_OUT: Issue = {
  severity: 'note',
  code: 'dwarf.parts',
  region: '.debug_info',
  message: `More than ${MAX_PARTS} methods, parameters and static members: the rest is not shown`,
  span: null,
};

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

function factsOf(
  { units }: DwarfReader,
  { infoSection }: LoadedDwarf,
  { producer, languages }: UnitFacts,
): DwarfFacts {
  const first = units.find(({ isTypeUnit }) => !isTypeUnit);
  return {
    section: infoSection,
    debugFile: null,
    version: first?.header.version ?? null,
    producer,
    languages: [...languages],
    unitCount: units.length,
    dieOffset: null,
    places: null,
    unitOffset: Float64Array.from(units, ({ offset }) => offset),
  };
}

/** What the entries of units state. Skeletons state neither producer nor language. */
class UnitFacts {
  /** DW_AT_producer of the first unit that states it. */
  producer: string | null = null;
  readonly languages = new Set<string>();

  add(units: readonly DwarfUnit[]): this {
    for (const unit of units) {
      if (!unit.isTypeUnit) {
        this.producer ??= attempt([], () => unit.root.string(DW_AT.producer));
      }
      const language = attempt([], () => sourceLanguage(unit)) ?? 0;
      if (language !== 0) this.languages.add(languageName(language));
    }
    return this;
  }
}

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
