/**
 * An object as libbpf opens it: programs, maps, externs, tables of functions; or why it does not.
 *
 * Source: libbpf 1.8, libbpf.c: bpf_object_open and what it calls.
 */
import { checkBtf } from '#analysis/check/check.ts';
import { checkElf, checkProgramRelocations } from '#analysis/check/elf-rules.ts';
import { asLoaded } from '#analysis/check/fixups.ts';
import { programType } from '#analysis/code/programs.ts';
import { type CoreObject, coreObjectOf } from '#analysis/core/core-records.ts';
import { readCode } from '#analysis/lint/section-code.ts';
import {
  entriesOf,
  type ProgLoad,
  progLoads,
  programCode,
} from '#analysis/load-calls/load-calls.ts';
import { type FunctionRange, functionAt } from '#analysis/objects/functions.ts';
import { datasecsOf } from '#analysis/types/datasecs.ts';
import { impliedMaps, STRUCT_OPS_SECTION } from '#analysis/values/implied-maps.ts';
import { btfMaps } from '#analysis/values/map-definitions.ts';
import type { SectionBytes } from '#analysis/values/object-data.ts';
import type { ByteSource } from '#bytes/source.ts';
import { OPCODE } from '#formats/bpf/opcodes.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { NO_EXT } from '#model/ext.ts';
import { type SectionIndex, sectionIndex, symbolIndex, type TypeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { isCode, sectionName } from '#model/sections.ts';
import { symbolName } from '#model/symbols.ts';
import { varSecinfosOf } from '#model/type-items.ts';
import { kindOf, sizeOrTypeOf, type TypeTable, varLinkage } from '#model/type-table.ts';
import type { Program } from './attach.ts';
import { collectExterns, type Extern } from './externs.ts';
import { type Failure, failed, RELOC } from './failure.ts';
import { type StructOpsMap, structOpsMaps } from './struct-ops.ts';

/** A map as it is after opening. */
export type MapAtOpen = {
  /** As the kernel would see it: at most 15 characters of the object and the section. Raw text. */
  readonly name: string;
  readonly type: number;
  readonly keySize: number;
  readonly valueSize: number;
  readonly maxEntries: bigint;
  readonly flags: bigint;
  readonly keyTypeId: number;
  readonly valueTypeId: number;
  readonly extra: bigint;
  readonly autocreate: boolean;
  /** Is it pinned by its name? Then what is there at load counts. */
  readonly isPinned: boolean;
  /** Is it of `.maps`? */
  readonly isDefined: boolean;
};

export type LoadProgram = Program & {
  readonly func: FunctionRange;
  readonly autoload: boolean;
  /** With its subprograms behind it. */
  readonly load: ProgLoad;
};

/** Plain data, so that it can be sent to where a kernel is held: see `openedObject`. */
export type LoadData = {
  readonly model: ObjectModel;
  /** Bytes of code, of tables of functions and of what CO-RE patches, by section. */
  readonly contents: ReadonlyMap<number, Uint8Array>;
  /** Why libbpf does not open it; null where it does. */
  readonly failure: Failure | null;
  /** What libbpf logs as warnings while it opens the object, but for the lines of `failure`. */
  readonly openWarnings: readonly string[];
  readonly externs: readonly Extern[];
  readonly maps: readonly MapAtOpen[];
  readonly structOps: readonly StructOpsMap[];
  readonly programs: readonly LoadProgram[];
  readonly core: CoreObject | null;
};

export type LoadObject = LoadData & { readonly sectionBytes: SectionBytes };

export function openedObject(data: LoadData): LoadObject {
  return { ...data, sectionBytes: (section) => data.contents.get(section) ?? null };
}

const NOBITS = 8;

/** Opens a BPF object. Rejects as `source` does. */
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
  const { programs } = progLoads(model, code);
  const externs = collectExterns(model);
  const maps = mapsAtOpen(model);
  return openedObject({
    model,
    contents,
    failure: openFailure(btf, externs.failure, sectionBytes),
    openWarnings: btf.warnings,
    externs: externs.list,
    maps,
    structOps: structOpsMaps(model),
    programs: programs.flatMap((load) => programOf(model, load)),
    core: coreObjectOf(model, sectionBytes),
  });
}

/** Tables of functions, and what CO-RE patches. */
function otherSections(model: ObjectModel): Set<SectionIndex> {
  const wanted = new Set<SectionIndex>();
  for (let i = 1; i < model.sections.count; i++) {
    const section = sectionIndex(i);
    if (model.sections.type[i] === NOBITS) continue;
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

/** An object as libbpf sees it behind `bpf_object__init_btf`: without the BTF that it refuses. */
type OpenedBtf = {
  readonly model: ObjectModel;
  readonly warnings: readonly string[];
  readonly failure: Failure | null;
};

/** Source: bpf_object__init_btf, libbpf_needs_btf. */
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

function openFailure(
  { model, failure: ofBtf }: OpenedBtf,
  ofExterns: Failure | null,
  sectionBytes: SectionBytes,
): Failure | null {
  const elf = checkElf(model);
  if (elf?.verdict === 'refused') return failed(elf.errno, elf.message);
  if (ofBtf !== null) return ofBtf;
  if (ofExterns !== null) return ofExterns;
  const stopped = asLoaded(model)?.stopped ?? null;
  if (stopped !== null) return failed('ENOENT', stopped);
  const entries = checkProgramRelocations(model);
  return (
    mapFailure(model) ??
    (entries.verdict === 'refused' ? failed(entries.errno, entries.message) : null) ??
    relocationFailure(model, sectionBytes)
  );
}

/** Sections whose symbols are variables: global data, arenas and jump tables. */
const DATA = /^\.(?:data|bss|rodata|addr_space\.1|jumptables)(?:\..*)?$/;

/** An address that a program loads is that of a map, a variable or a function. Source: bpf_program__record_reloc. */
function relocationFailure(model: ObjectModel, sectionBytes: SectionBytes): Failure | null {
  const { relocations, sections, symbols } = model;
  const places = mapPlaces(model);
  for (let row = 0; row < relocations.count; row++) {
    const section = sectionIndex(relocations.targetSection[row] ?? 0);
    const symbol = relocations.symbol[row] ?? -1;
    const of = symbols.section[symbol] ?? 0;
    const code = isCode(sections, section) ? sectionBytes(section) : null;
    const offset = Number(relocations.offset[row] ?? 0n);
    if (code === null || of <= 0 || code[offset] !== OPCODE.ldImm64) continue;
    const owner = sectionIndex(of);
    const name = sectionName(sections, owner);
    if (isCode(sections, owner) || DATA.test(name)) continue;
    const program = functionAt(model, section, offset)?.name ?? '';
    if (name !== '.maps') {
      const label = symbolName(symbols, symbolIndex(symbol));
      return failed(
        RELOC,
        `prog '${program}': bad map relo against '${label}' in section '${name}'`,
      );
    }
    if (!places.has(Number(symbols.value[symbol] ?? 0n))) {
      const where = `section '${name}', off ${symbols.value[symbol]}`;
      return failed(RELOC, `prog '${program}': map relo failed to find map for ${where}`);
    }
  }
  return null;
}

/** Bytes from the start of `.maps` at which BTF has a map, as libbpf has filled them in. */
function mapPlaces(model: ObjectModel): ReadonlySet<number> {
  const t = model.types;
  const datasec = t === null ? undefined : datasecsOf(t).get('.maps');
  if (t === null || datasec === undefined) return new Set();
  const isFilled = sizeOrTypeOf(t, datasec) !== 0;
  const stored = varSecinfosOf(t, datasec).map(({ offset }) => offset);
  const places = isFilled ? stored : btfMaps(model).map(({ byteOffset }) => byteOffset ?? -1);
  return new Set(places);
}

/** Source: parse_btf_map_def, bpf_object__init_user_btf_map. */
function mapFailure(model: ObjectModel): Failure | null {
  for (const { name, mapType, faults } of btfMaps(model)) {
    const [fault] = faults;
    const unknown = fault === undefined ? null : /^(.*): not known$/.exec(fault);
    if (unknown !== null) return failed('ENOTSUP', `map '${name}': unknown field '${unknown[1]}'.`);
    if (fault !== undefined) return failed('EINVAL', `map '${name}': ${fault}`);
    if (mapType === null || mapType === 0) {
      return failed('EINVAL', `map '${name}': map type isn't specified.`);
    }
  }
  return null;
}

const MMAPABLE = 1024n;
const READ_ONLY = 128n;
const MAX_NAME = 15;

function mapsAtOpen(model: ObjectModel): MapAtOpen[] {
  const datasecs = model.types === null ? new Map<string, TypeId>() : datasecsOf(model.types);
  const defined = btfMaps(model).map((map) => ({
    name: map.name,
    type: map.mapType ?? 0,
    keySize: map.key.byteSize ?? 0,
    valueSize: map.value.byteSize ?? 0,
    maxEntries: entriesOf(map.mapTypeName, map.maxEntries ?? 0n) ?? 0n,
    flags: map.mapFlags ?? 0n,
    keyTypeId: map.key.type ?? 0,
    valueTypeId: map.value.type ?? 0,
    extra: map.mapExtra ?? 0n,
    autocreate: true,
    isPinned: map.pinning === 1n,
    isDefined: true,
  }));
  const implied = impliedMaps(model).map((map) => {
    const isSection = map.name.startsWith('.');
    const datasec = isSection ? (datasecs.get(map.name) ?? null) : null;
    return {
      name: isSection ? sectionMapName(model.name, map.name) : map.name,
      type: map.mapType ?? 0,
      keySize: map.key.byteSize ?? 0,
      valueSize: map.value.byteSize ?? 0,
      maxEntries: map.maxEntries ?? 0n,
      flags: isSection ? sectionFlags(model, map.name, datasec) : (map.mapFlags ?? 0n),
      keyTypeId: 0,
      valueTypeId: datasec ?? map.value.type ?? 0,
      extra: 0n,
      autocreate: map.autocreate,
      isPinned: false,
      isDefined: false,
    };
  });
  return [...defined, ...implied];
}

/** Source: internal_map_name. */
function sectionMapName(objectName: string, section: string): string {
  const stem = (objectName.split('.')[0] ?? '').slice(0, MAX_NAME);
  const end = Math.min(Math.max(7, section.length), MAX_NAME);
  const prefix = section.indexOf('.', 1) >= 0 ? '' : stem.slice(0, MAX_NAME - end);
  return `${prefix}${section.slice(0, end)}`.replace(/[^\w.]/g, '_');
}

/** Source: bpf_object__init_internal_map, map_is_mmapable. */
function sectionFlags({ types }: ObjectModel, section: string, datasec: TypeId | null): bigint {
  const isReadOnly = section.startsWith('.rodata') || section === '.kconfig';
  const isMapped =
    types !== null &&
    datasec !== null &&
    varSecinfosOf(types, datasec).some(
      ({ type }) => kindOf(types, type) === BtfKind.VAR && varLinkage(types, type) !== 0,
    );
  return (isReadOnly ? READ_ONLY : 0n) | (isMapped ? MMAPABLE : 0n);
}
