/**
 * Reads the split files (`.dwo`) of a file and packages of them (`.dwp`). The skeleton units of the
 * file state their names, and an id for each. Source: DWARF 5, sections 7.3.2 and 7.3.5.
 */
import { append } from '#bytes/arrays.ts';
import { attempt, attemptAsync, type Issue } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';
import { counted, hexText, visible } from '#bytes/text.ts';
import { DW_AT, DW_UT } from '#formats/dwarf/constants.ts';
import {
  DwarfReader,
  type DwarfUnit,
  isSplitSection,
  type Skeletons,
} from '#formats/dwarf/reader.ts';
import { hasSplitUnits, PLACE_SECTIONS, readDwarfSections } from './dwarf-sections.ts';
import { type ElfParts, ingestElf } from './elf.ts';
import type { FilesBeside, IngestOptions } from './ingest-options.ts';

/** Limit of names that are looked for, and of the parts of a name. */
const MAX_NAMES = 1 << 17;
const MAX_PARTS = 16;
/** Longest path that is looked for, in characters: PATH_MAX of Linux. */
const MAX_PATH = 4096;
/** Limit of offsets of entries: those of members have 34 bits. */
const MAX_OFFSET = 2 ** 34;

/** A skeleton unit, and the name of the file with its split unit, not escaped; empty if too long. */
type Skeleton = { readonly id: bigint; readonly unit: DwarfUnit; readonly dwoName: string };

/** Units of a file, or those of its split file `beside` that belong to its skeletons. */
export type SplitUnits = {
  readonly reader: DwarfReader;
  readonly units: readonly DwarfUnit[];
  readonly beside?: string;
};

/** The split files of the skeleton units of a file. */
export class SplitFiles {
  readonly #region: string;
  readonly #skeletons: readonly Skeleton[];
  readonly #byId: Skeletons;
  readonly #found = new Set<bigint>();
  readonly #asked = new Set<string>();
  readonly #read = new Set<ByteSource>();
  /** Files without a unit of a skeleton, with the id of their first unit. */
  readonly #others: { readonly name: string; readonly id: bigint }[] = [];
  readonly #issues: Issue[] = [];
  #end: number;

  /** `reader` is that of the file, whose entries come before those of split files. */
  constructor(reader: DwarfReader) {
    const { info, types } = reader.sections;
    this.#region = info.region;
    this.#skeletons = isSplitSection(info) ? [] : skeletonsOf(reader.units);
    this.#byId = new Map(this.#skeletons.map(({ id, unit }) => [id, unit]));
    this.#end = info.length + (types?.length ?? 0);
  }

  /** Yields the split units of the file `name`, a file after the other. */
  async *units(name: string, { filesBeside, signal }: IngestOptions): AsyncGenerator<SplitUnits> {
    if (filesBeside === undefined || this.#skeletons.length === 0) return;
    yield* this.#unitsOf([`${name}.dwp`], filesBeside);
    for (const { id, unit, dwoName } of this.#skeletons) {
      signal?.throwIfAborted();
      if (this.#found.has(id)) continue;
      const folder = attempt([], () => unit.root.string(DW_AT.comp_dir)) ?? '';
      yield* this.#unitsOf(namesBeside(dwoName, folder), filesBeside, id);
    }
  }

  async *#unitsOf(
    names: readonly string[],
    filesBeside: FilesBeside,
    id: bigint | null = null,
  ): AsyncGenerator<SplitUnits> {
    const fresh = names.filter((name) => !this.#asked.has(name));
    for (const name of fresh) this.#asked.add(name);
    if (fresh.length === 0 || this.#asked.size > MAX_NAMES) return;
    for await (const source of filesBeside(fresh)) {
      if (this.#read.has(source)) continue;
      this.#read.add(source);
      const read = await this.#readFile(source);
      if (read !== null) yield read;
      if (id !== null && this.#found.has(id)) return;
    }
  }

  /** Reads the units of a file that belong to skeletons; null if none does. */
  async #readFile(source: ByteSource): Promise<SplitUnits | null> {
    const issues: Issue[] = [];
    const reader = await attemptAsync(issues, async () => {
      const elf = await ingestElf(source, issues, { sectionsOnly: true });
      if (!hasSplitUnits(elf)) return null;
      const loaded = await readDwarfSections(source, elf, issues, PLACE_SECTIONS);
      const around = { base: this.#end, skeletons: this.#byId };
      return loaded && new DwarfReader(loaded.sections, around);
    });
    if (reader !== null) append(issues, reader.issues);
    const faults = issues.filter(({ severity }) => severity !== 'note');
    append(this.#issues, issuesBeside(source.name, faults));
    if (reader === null) return null;
    const units = reader.units.filter((unit) => unit.isTypeUnit || this.#take(unit));
    const isOther = units.every(({ isTypeUnit }) => isTypeUnit);
    if (isOther) {
      const id = reader.units.map(idOf).find((each) => each !== null) ?? null;
      const isKnown = id !== null && this.#byId.has(id);
      if (id !== null && !isKnown) this.#others.push({ name: source.name, id });
      return null;
    }
    const { info, types } = reader.sections;
    const end = this.#end + info.length + (types?.length ?? 0);
    if (end > MAX_OFFSET) return null;
    this.#end = end;
    return { reader, units, beside: source.name };
  }

  /** Returns true for the first split unit of a skeleton. */
  #take(unit: DwarfUnit): boolean {
    const id = idOf(unit);
    if (id === null || !this.#byId.has(id) || this.#found.has(id)) return false;
    this.#found.add(id);
    return true;
  }

  /** Returns issues about files that were read, and about units whose files were not found. */
  issues(): readonly Issue[] {
    const missing = this.#skeletons.filter(({ id }) => !this.#found.has(id));
    const [first] = missing;
    if (first === undefined) return this.#issues;
    const expected = `a unit with the id ${hexText(first.id)}`;
    const others = this.#others.map(({ name, id }): Issue => {
      const message = `${visible(name)} is not a split file of this file`;
      const found = hexText(id);
      return { ...warning('dwarf.split-id', name, message), expected, found };
    });
    const count = counted(missing.length, 'unit');
    const named = missing.find(({ dwoName }) => dwoName !== '')?.dwoName ?? '';
    const as = named === '' ? '' : `, as ${visible(named)}`;
    const message = `The types of ${count} are in other files${as}`;
    const absent: Issue = {
      ...warning('dwarf.split', this.#region, message),
      advice: 'Put that file, or a package of all (.dwp), beside this one, or open it alone.',
    };
    return [...this.#issues, ...others, absent];
  }
}

/** Returns the issues of another file, of whose bytes a model has none. */
export function issuesBeside(name: string, issues: readonly Issue[]): readonly Issue[] {
  return issues.map((issue) => ({ ...issue, span: null, region: `${name}: ${issue.region}` }));
}

function warning(code: string, region: string, message: string): Issue {
  return { severity: 'warning', code, region, message, span: null };
}

/** Returns the skeletons of split units that are in the same file; none if it has none. */
export async function skeletonsInside(source: ByteSource, elf: ElfParts): Promise<Skeletons> {
  const loaded = hasSplitUnits(elf)
    ? await readDwarfSections(source, elf, [], PLACE_SECTIONS, '')
    : null;
  const units = loaded === null ? [] : new DwarfReader(loaded.sections).units;
  return new Map(skeletonsOf(units).map(({ id, unit }) => [id, unit]));
}

function idOf(unit: DwarfUnit): bigint | null {
  return attempt([], () => unit.dwoId);
}

function skeletonsOf(units: readonly DwarfUnit[]): Skeleton[] {
  const skeletons: Skeleton[] = [];
  for (const unit of units) {
    const { unitType, version } = unit.header;
    if (unitType !== DW_UT.skeleton && version >= 5) continue;
    const dwoName = attempt([], () => {
      const { root } = unit;
      return root.string(DW_AT.dwo_name) ?? root.string(DW_AT.GNU_dwo_name);
    });
    const id = idOf(unit);
    if (dwoName === null || id === null) continue;
    skeletons.push({ id, unit, dwoName: dwoName.length > MAX_PATH ? '' : dwoName });
  }
  return skeletons;
}

/**
 * Returns the names that a split file may have below the folder of its file: first as stated, then
 * each end of the stated path, since the folder of the compilation may be anywhere.
 */
function namesBeside(dwoName: string, compDir: string): readonly string[] {
  if (dwoName === '') return [];
  const parts: string[] = [];
  const isWhole = dwoName.startsWith('/') || compDir.length + dwoName.length > MAX_PATH;
  const path = isWhole ? dwoName : `${compDir}/${dwoName}`;
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  const ends = Array.from({ length: Math.min(parts.length, MAX_PARTS) }, (_, i) =>
    parts.slice(-1 - i).join('/'),
  );
  const stated = ends.find((end) => end === dwoName);
  return stated === undefined ? ends : [stated, ...ends.filter((end) => end !== stated)];
}
