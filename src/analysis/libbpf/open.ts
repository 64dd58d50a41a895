/**
 * Opens an object as libbpf does: programs, maps, externs and struct_ops maps, or the failure.
 * Source: libbpf 1.8, libbpf.c: bpf_object_open.
 */
import { type CoreObject, coreObjectOf } from '#analysis/core/core-records.ts';
import { type FunctionRange, functionAt } from '#analysis/objects/functions.ts';
import { readCode } from '#analysis/objects/section-code.ts';
import { datasecsOf } from '#analysis/types/datasecs.ts';
import type { SectionBytes } from '#analysis/values/object-data.ts';
import type { ByteSource } from '#bytes/source.ts';
import { OPCODE } from '#formats/bpf/opcodes.ts';
import { SHT } from '#formats/elf/constants.ts';
import { NO_EXT } from '#model/ext.ts';
import { type SectionIndex, sectionIndex, symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { isCode, sectionName } from '#model/sections.ts';
import { symbolName } from '#model/symbols.ts';
import { varSecinfosOf } from '#model/type-items.ts';
import { sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';
import { checkBtf } from './check-btf.ts';
import { checkElf, checkProgramRelocations, type ElfVerdict } from './elf-rules.ts';
import { collectExterns, type Extern, type Externs } from './externs.ts';
import { asLoaded } from './fixups.ts';
import { btfMaps } from './map-definitions.ts';
import { type ObjectMap, objectMaps, STRUCT_OPS_SECTION } from './object-maps.ts';
import { type Failure, failed, RELOC } from './outcome.ts';
import { type ProgLoad, progLoads, programCode } from './program-parts.ts';
import { type Program, programType } from './program-types.ts';
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
  /** Failure of bpf_object__open; null if it succeeds. */
  readonly failure: Failure | null;
  /** Warnings while opening, without those of `failure`. */
  readonly openWarnings: readonly string[];
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
  const btf = openBtf(file);
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
  return openedObject({
    model,
    contents,
    failure: openFailure({ ...btf, externs, structOps, sectionBytes }),
    openWarnings: btf.warnings,
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
  if (func === null) return [];
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

/** Returns the object with its BTF, unless libbpf refuses it. Source: bpf_object__init_btf. */
function openBtf(model: ObjectModel): OpenedBtf {
  const { sections, types, issues } = model;
  const names = Array.from({ length: sections.count }, (_, i) =>
    sectionName(sections, sectionIndex(i)),
  );
  const isNeeded = names.some((name) => name === '.maps' || STRUCT_OPS_SECTION.test(name));
  const without = (errno: string, warnings: readonly string[], known: TypeTable | null) => ({
    model: { ...model, types: known, ext: NO_EXT },
    warnings,
    failure: isNeeded ? failed(errno, 'BTF is required, but is missing or corrupted.') : null,
  });
  if (!names.includes('.BTF')) return without('ENOENT', [], null);
  const verdict = types === null ? null : checkBtf(types.blob, types.base).libbpf;
  if (verdict?.verdict !== 'ok') {
    const { errno, message } = verdict ?? { errno: 'EINVAL', message: '' };
    const line = `Error loading ELF section .BTF: -${errno}.`;
    return without(errno, message.startsWith('btf: ') ? [message, line] : [line], null);
  }
  const isExtRefused = issues.some(
    ({ region, severity, code }) =>
      region === '.BTF.ext' && severity !== 'note' && code !== 'ext.section-name-outside',
  );
  if (!names.includes('.BTF.ext') || !isExtRefused) return { model, warnings: [], failure: null };
  const line = 'Error loading ELF section .BTF.ext: -EINVAL. Ignored and continue.';
  return without('EINVAL', [line], types);
}

/** An object while it is being opened. */
type Opening = OpenedBtf & {
  readonly externs: Externs;
  readonly structOps: OpenedStructOps;
  readonly sectionBytes: SectionBytes;
};

/** Steps of opening, in libbpf's order. Each returns a failure, or null if libbpf continues. */
const OPEN_STEPS: readonly ((opening: Opening) => Failure | null)[] = [
  ({ model }) => refusal(checkElf(model)),
  ({ failure }) => failure,
  ({ externs }) => externs.failure,
  ({ model }) => {
    const stopped = asLoaded(model)?.stopped ?? null;
    return stopped === null ? null : failed('ENOENT', stopped);
  },
  ({ model }) => mapFailure(model),
  ({ structOps }) => structOps.typeFailure,
  ({ model }) => refusal(checkProgramRelocations(model)),
  relocationFailure,
  ({ structOps }) => structOps.relocationFailure,
];

function openFailure(opening: Opening): Failure | null {
  for (const step of OPEN_STEPS) {
    const failure = step(opening);
    if (failure !== null) return failure;
  }
  return null;
}

function refusal(verdict: ElfVerdict | null): Failure | null {
  return verdict?.verdict === 'refused' ? failed(verdict.errno, verdict.message) : null;
}

/** Matches sections whose symbols are variables: global data, arenas and jump tables. */
const DATA = /^\.(?:data|bss|rodata|addr_space\.1|jumptables)(?:\..*)?$/;

/** Checks that loaded addresses have a known target. Source: bpf_program__record_reloc. */
function relocationFailure({ model, sectionBytes }: Opening): Failure | null {
  const { relocations, sections, symbols } = model;
  const places = mapPlaces(model);
  for (let row = 0; row < relocations.count; row++) {
    const section = sectionIndex(relocations.targetSection[row] ?? 0);
    const symbol = relocations.symbol[row] ?? -1;
    const target = sectionIndex(symbols.section[symbol] ?? 0);
    const code = isCode(sections, section) ? sectionBytes(section) : null;
    const offset = Number(relocations.offset[row] ?? 0n);
    if (code === null || target <= 0 || code[offset] !== OPCODE.ldImm64) continue;
    const name = sectionName(sections, target);
    if (isCode(sections, target) || DATA.test(name)) continue;
    const program = functionAt(model, section, offset)?.name ?? '';
    if (name !== '.maps') {
      const label = symbolName(symbols, symbolIndex(symbol));
      const line = `prog '${program}': bad map relo against '${label}' in section '${name}'`;
      return failed(RELOC, line);
    }
    if (!places.has(Number(symbols.value[symbol] ?? 0n))) {
      const where = `section '${name}', off ${symbols.value[symbol]}`;
      return failed(RELOC, `prog '${program}': map relo failed to find map for ${where}`);
    }
  }
  return null;
}

/** Returns the offsets of the maps in `.maps`, from the BTF after libbpf's fix-ups. */
function mapPlaces(model: ObjectModel): ReadonlySet<number> {
  const t = model.types;
  const datasec = t === null ? undefined : datasecsOf(t).get('.maps');
  if (t === null || datasec === undefined) return new Set();
  const isFilled = sizeOrTypeOf(t, datasec) !== 0;
  const stored = varSecinfosOf(t, datasec).map(({ offset }) => offset);
  const places = isFilled ? stored : btfMaps(model).map(({ byteOffset }) => byteOffset ?? -1);
  return new Set(places);
}

/** Returns the failure of the first faulty map. Source: parse_btf_map_def. */
function mapFailure(model: ObjectModel): Failure | null {
  for (const { name, mapType, faults, unknownField } of btfMaps(model)) {
    const [fault] = faults;
    if (unknownField !== null) {
      return failed('ENOTSUP', `map '${name}': unknown field '${unknownField}'.`);
    }
    if (fault !== undefined) return failed('EINVAL', `map '${name}': ${fault}`);
    if (mapType === null || mapType === 0) {
      return failed('EINVAL', `map '${name}': map type isn't specified.`);
    }
  }
  return null;
}
