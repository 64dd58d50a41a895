/**
 * Opens an object as libbpf does: programs, maps, externs and struct_ops maps, or the failure.
 * Source: libbpf 1.8, libbpf.c: bpf_object_open.
 */
import { type CoreObject, coreObjectOf } from '#analysis/core/core-records.ts';
import { type FunctionRange, functionAt } from '#analysis/objects/functions.ts';
import { readCode } from '#analysis/objects/section-code.ts';
import type { SectionBytes } from '#analysis/values/object-data.ts';
import type { ByteSource } from '#bytes/source.ts';
import { SHT } from '#formats/elf/constants.ts';
import { NO_EXT } from '#model/ext.ts';
import { type SectionIndex, sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import type { TypeTable } from '#model/type-table.ts';
import { btfExtFailure } from './btf-ext-rules.ts';
import { checkBtf } from './check-btf.ts';
import { relocationFailures } from './collect-relocations.ts';
import { checkElf, type ElfVerdict, isIgnored } from './elf-rules.ts';
import { collectExterns, type Extern, type Externs, KCONFIG } from './externs.ts';
import { asLoaded } from './fixups.ts';
import { btfMaps } from './map-definitions.ts';
import { mapFailures } from './map-failures.ts';
import { type ObjectMap, objectMaps, STRUCT_OPS_SECTION, sectionMapName } from './object-maps.ts';
import { openNotes } from './open-notes.ts';
import { errnoText, type Failure, failed, failedSilently } from './outcome.ts';
import { type ProgLoad, progLoads, programCode } from './program-parts.ts';
import { type Program, programType } from './program-types.ts';
import { sectionUses } from './section-uses.ts';
import { type OpenedStructOps, openStructOps, type StructOpsMap } from './struct-ops-open.ts';

export type LoadProgram = Program & {
  readonly func: FunctionRange;
  readonly autoload: boolean;
  /** The program's call of BPF_PROG_LOAD, with the subprograms that libbpf appends. */
  readonly load: ProgLoad;
};

/** An opened object as plain data for a worker; `openedObject` adds the reader of sections. */
export type LoadData = {
  readonly model: ObjectModel;
  /** Bytes by section number: of code, of struct_ops variables, and of what CO-RE patches. */
  readonly contents: ReadonlyMap<number, Uint8Array>;
  /**
   * Failures of bpf_object__open in libbpf's order, each as if those before it were repaired; empty
   * if it succeeds.
   */
  readonly failures: readonly Failure[];
  /** True if the file or its BTF is so broken that nothing after the failures can be judged. */
  readonly isBroken: boolean;
  /** Warnings while opening, without those of `failures`. */
  readonly openWarnings: readonly string[];
  /** Log lines of level "info" while opening, about skipped sections; names are raw text. */
  readonly openInfos: readonly string[];
  /** Sentences on what another libbpf, or the kernel, does with an object that opens; raw names. */
  readonly notes: readonly string[];
  readonly externs: readonly Extern[];
  readonly maps: readonly ObjectMap[];
  readonly structOps: readonly StructOpsMap[];
  readonly programs: readonly LoadProgram[];
  /** Number of programs left out after `MAX_CALLS` calls of subprograms. */
  readonly morePrograms: number;
  readonly core: CoreObject | null;
};

export type LoadObject = LoadData & { readonly sectionBytes: SectionBytes };

export function openedObject(data: LoadData): LoadObject {
  return { ...data, sectionBytes: (section) => data.contents.get(section) ?? null };
}

/** Opens a BPF object. Rejects if `source` rejects. */
export async function loadObject(file: ObjectModel, source: ByteSource): Promise<LoadObject> {
  const btf = await openBtf(file, source);
  const { model } = btf;
  const code = await programCode(model, source);
  const contents = new Map<number, Uint8Array>();
  for (const [section, { bytes }] of code) contents.set(section, bytes);
  for (const section of otherSections(model)) {
    if (contents.has(section)) continue;
    contents.set(section, (await readCode(model, source, section)).bytes);
  }
  const sectionBytes = (section: number) => contents.get(section) ?? null;
  const { programs, morePrograms } = progLoads(model, code);
  const externs = collectExterns(model);
  const maps = objectMaps(model);
  const structOps = openStructOps(model, maps);
  const elf = checkElf(model);
  const failures = openFailures({ ...btf, elf, externs, structOps, sectionBytes });
  return openedObject({
    model,
    contents,
    failures,
    notes: failures.length === 0 ? openNotes(model) : [],
    isBroken: isBrokenElf(elf) || btf.failure !== null,
    openWarnings: elf?.verdict === 'refused' ? [] : openWarnings(btf, externs),
    openInfos: openInfos(model, elf),
    externs: externs.list,
    maps,
    structOps: structOps.maps,
    programs: programs.flatMap((load) => programOf(model, load)),
    morePrograms,
    core: coreObjectOf(model, sectionBytes),
  });
}

/** Returns the sections of struct_ops variables and the sections that CO-RE patches. */
function otherSections(model: ObjectModel): Set<SectionIndex> {
  const wanted = new Set<SectionIndex>();
  for (let i = 1; i < model.sections.count; i++) {
    const section = sectionIndex(i);
    if (model.sections.type[i] === SHT.nobits) continue;
    if (STRUCT_OPS_SECTION.test(sectionName(model.sections, section))) wanted.add(section);
  }
  for (const section of new Set(model.ext.core.section)) {
    if (section >= 0) wanted.add(sectionIndex(section));
  }
  return wanted;
}

function programOf(model: ObjectModel, load: ProgLoad): LoadProgram[] {
  const [main] = load.parts;
  const func = main === undefined ? null : functionAt(model, main.section, main.start);
  // libbpf reads sections such as `license` by name, even if they are executable.
  if (func === null || sectionUses(model).uses[func.section] !== 'code') return [];
  const section = load.sectionName.replace(/^\?/, '');
  const { name, autoload } = load;
  return [{ name, section, kind: programType(section).kind, func, autoload, load }];
}

/** An object after `bpf_object__init_btf`: without BTF if libbpf refuses it. */
type OpenedBtf = {
  readonly model: ObjectModel;
  readonly warnings: readonly string[];
  readonly failure: Failure | null;
};

/** Matches the messages about BTF that libbpf logs as warnings; others are of level "debug". */
const IS_LOGGED = /^(?:btf: |BTF types? |Can't load BTF )/;

/** Returns the object with its BTF, unless libbpf refuses it. Source: bpf_object__init_btf. */
async function openBtf(model: ObjectModel, source: ByteSource): Promise<OpenedBtf> {
  const { sections, types, endian } = model;
  const names = Array.from({ length: sections.count }, (_, i) =>
    isIgnored(model, i) ? '' : sectionName(sections, sectionIndex(i)),
  );
  const bytesOf = async (name: string) => {
    const section = names.lastIndexOf(name);
    return section < 0 ? null : (await readCode(model, source, sectionIndex(section))).bytes;
  };
  const isNeeded = names.some((name) => name === '.maps' || STRUCT_OPS_SECTION.test(name));
  const without = (errno: string, warnings: readonly string[], known: TypeTable | null) => ({
    model: { ...model, types: known, ext: NO_EXT },
    warnings,
    failure: isNeeded ? failed(errno, 'BTF is required, but is missing or corrupted.') : null,
  });
  const btf = types?.blob ?? (await bytesOf('.BTF'));
  if (btf === null || !names.includes('.BTF')) return without('ENOENT', [], null);
  const verdict = checkBtf(btf, null).libbpf;
  if (types === null || verdict.verdict !== 'ok') {
    const { errno: named, message } =
      verdict.verdict === 'ok' ? { errno: 'EINVAL', message: '' } : verdict;
    // Only btf__parse_raw, which reads files, has an error of its own for the magic number.
    const errno = named === 'EPROTO' ? 'EINVAL' : named;
    const line = `Error loading ELF section .BTF: ${errnoText(errno)}.`;
    return without(errno, IS_LOGGED.test(message) ? [message, line] : [line], null);
  }
  const ext = await bytesOf('.BTF.ext');
  const failure = ext === null ? null : btfExtFailure(ext, endian);
  if (failure === null) return { model, warnings: [], failure: null };
  const line = `Error loading ELF section .BTF.ext: ${errnoText(failure.errno)}. Ignored and continue.`;
  return without(failure.errno, [...failure.lines, line], types);
}

/** Returns the warnings of a BTF that libbpf ignores, and of an option without a size. */
function openWarnings({ warnings, failure }: OpenedBtf, { unsized }: Externs): readonly string[] {
  return unsized === null || failure !== null ? warnings : [...warnings, unsized];
}

/** Returns the lines about skipped sections, up to the section that libbpf refuses. */
function openInfos(model: ObjectModel, elf: ElfVerdict | null): readonly string[] {
  const end = (elf?.verdict === 'refused' ? elf.section : undefined) ?? Infinity;
  return [...sectionUses(model).infos].filter(([at]) => at < end).map(([, line]) => line);
}

/** An object while it is being opened. */
type Opening = OpenedBtf & {
  readonly elf: ElfVerdict | null;
  readonly externs: Externs;
  readonly structOps: OpenedStructOps;
  readonly sectionBytes: SectionBytes;
};

/** Steps of opening, in libbpf's order. Each yields failures; libbpf stops at the first of all. */
const OPEN_STEPS: readonly ((opening: Opening) => Iterable<Failure | null>)[] = [
  ({ failure }) => [failure],
  ({ externs }) => [externs.failure],
  ({ externs, model }) => [externs.failure === null ? (asLoaded(model)?.failure ?? null) : null],
  mapFailures,
  ({ externs, model }) => [kconfigFailure(model, externs)],
  ({ structOps }) => [structOps.typeFailure],
  ({ model, externs, sectionBytes }) =>
    relocationFailures({
      model,
      maps: btfMaps(model),
      externs: isAllCollected(externs) ? new Set(externs.list.map(({ symbol }) => symbol)) : null,
      sectionBytes,
    }),
  ({ structOps }) => [structOps.relocationFailure],
];

/** Returns true if the sections are not known well enough to judge what follows. */
function isBrokenElf(elf: ElfVerdict | null): boolean {
  return elf?.verdict === 'refused' && elf.errno !== 'ENOTSUP';
}

/** Maximum number of failures that are listed. */
const MAX_FAILURES = 20;

/** Returns the failures of opening in libbpf's order, at most `MAX_FAILURES`. */
function openFailures(opening: Opening): readonly Failure[] {
  const failures: Failure[] = [];
  const { elf, failure } = opening;
  if (elf?.verdict === 'refused') {
    const { errno, message, rule } = elf;
    const isSilent = message === '';
    failures.push(
      isSilent ? failedSilently(errno, `Broken rule: ${rule}`) : failed(errno, message),
    );
    if (isBrokenElf(elf)) return failures;
  }
  for (const step of failure === null ? OPEN_STEPS : OPEN_STEPS.slice(0, 1)) {
    for (const one of step(opening)) {
      if (failures.length === MAX_FAILURES) return failures;
      if (one !== null) failures.push(one);
    }
  }
  return failures;
}

function isAllCollected({ failure, unsized }: Externs): boolean {
  return failure === null && unsized === null;
}

/** Returns the failure of a map `.kconfig` of size 0. Source: bpf_object__init_internal_map. */
function kconfigFailure(model: ObjectModel, { unsized }: Externs): Failure | null {
  if (unsized === null) return null;
  const name = sectionMapName(model.name, KCONFIG);
  return failed('EINVAL', `failed to alloc map '${name}' content buffer: -EINVAL`);
}
