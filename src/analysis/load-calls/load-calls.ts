/**
 * What libbpf hands to the kernel for one object: the BTF, then each map, then each program,
 * with the attributes of `union bpf_attr` that carry BTF.
 *
 * In: a model and the bytes of its code. Out: plain data; offsets in instructions of the
 * program as it is loaded, that is with its subprograms behind it.
 *
 * Source: libbpf 1.8, libbpf.c: bpf_object__create_map, bpf_object__reloc_code,
 * bpf_object__append_subprog_code, adjust_prog_btf_ext_info, bpf_object_load_prog.
 */
import { asLoaded } from '#analysis/check/fixups.ts';
import { programType } from '#analysis/code/programs.ts';
import { readCode, type SectionCode } from '#analysis/lint/section-code.ts';
import { type FunctionRange, functionAt, functionsOf } from '#analysis/objects/functions.ts';
import { loaderSections } from '#analysis/objects/loader-sections.ts';
import { buildPlaceIndex, type PlaceIndex, rowsBetween } from '#analysis/objects/place-index.ts';
import { relocationsInRange } from '#analysis/relocations/by-place.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { datasecsOf } from '#analysis/types/datasecs.ts';
import { impliedMaps } from '#analysis/values/implied-maps.ts';
import { btfMaps, type MapAttributes } from '#analysis/values/map-definitions.ts';
import { selectionOfVariable } from '#analysis/values/variables.ts';
import { oncePer } from '#bytes/keep.ts';
import type { ByteSource } from '#bytes/source.ts';
import { decodeInsn, type Insn, insnOffsets, isCall, isLdImm64 } from '#formats/bpf/insn.ts';
import { CALL_SOURCE } from '#formats/bpf/opcodes.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type SectionIndex, type TypeId, typeId } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import type { Selection } from '#model/selection.ts';
import { componentIdx, kindOf, lastId, nameOf, refOf } from '#model/type-table.ts';

/** One BPF_MAP_CREATE. Names are raw text. */
export type MapCreate = {
  readonly name: string;
  readonly selection: Selection | null;
  /** BPF_MAP_TYPE_*, and its name; null where the definition does not say. */
  readonly mapType: number | null;
  readonly mapTypeName: string | null;
  readonly keySize: number;
  readonly valueSize: number;
  /** After libbpf’s changes, with pages of 4096 bytes; null: it takes the number of CPUs. */
  readonly maxEntries: bigint | null;
  /** Is btf_fd the descriptor of BPF_BTF_LOAD? Else it is 0. */
  readonly hasBtf: boolean;
  /** btf_key_type_id and btf_value_type_id; 0 = none. */
  readonly keyTypeId: number;
  readonly valueTypeId: number;
  /** Is it created without being asked for? */
  readonly autocreate: boolean;
  /** Where an id is 0: why, in a sentence; else empty. */
  readonly reason: string;
};

/** A stretch of a program: itself, or a subprogram that is appended. */
export type ProgramPart = {
  /** Raw text. */
  readonly name: string;
  readonly section: SectionIndex;
  /** Bytes from the start of the section; the end is exclusive. */
  readonly start: number;
  readonly end: number;
  /** Instructions of the program before this part. */
  readonly insnOff: number;
  readonly hasFuncInfo: boolean;
  readonly hasLineInfo: boolean;
};

/** One BPF_PROG_LOAD. Names are raw text. */
export type ProgLoad = {
  readonly name: string;
  readonly sectionName: string;
  /** What libbpf makes of the section's name: `xdp`; empty where it knows no such name. */
  readonly kind: string;
  /** Slots of eight bytes with those of the subprograms. */
  readonly insnCount: number;
  readonly parts: readonly ProgramPart[];
  readonly funcInfoCount: number;
  readonly lineInfoCount: number;
  /** Is the program loaded without being asked for? Not where its section begins with `?`. */
  readonly autoload: boolean;
  /** Why libbpf refuses it or leaves records out, in a sentence; else empty. */
  readonly fault: string;
};

export type LoadCalls = {
  /** BPF_BTF_LOAD: bytes of the BTF after the fix-ups. */
  readonly btfSize: number;
  readonly fixups: number;
  readonly maps: readonly MapCreate[];
  readonly programs: readonly ProgLoad[];
  /** Bytes of one record of func_info and line_info, as `.BTF.ext` declares. */
  readonly funcInfoRecSize: number;
  readonly lineInfoRecSize: number;
  /** Programs that are not listed: their subprograms are too many to follow. */
  readonly morePrograms: number;
  /** Why libbpf makes none of these calls, in a sentence; null where it does. */
  readonly stopped: string | null;
};

/** The calls for a BPF object with BTF, in order; null for all other files. Rejects as `source` does. */
export async function loadCalls(model: ObjectModel, source: ByteSource): Promise<LoadCalls | null> {
  const code = await programCode(model, source);
  const loaded = isBpf(model) ? asLoaded(model) : null;
  if (loaded === null) return null;
  const { programs, morePrograms } = progLoads(model, code);
  const legacy = loaderSections.of(model.sections).maps.length > 0;
  return {
    btfSize: loaded.blob.length,
    fixups: loaded.rewrites.length + loaded.moreRewrites,
    maps: mapCreates(model),
    programs,
    funcInfoRecSize: model.ext.func.recordSize,
    lineInfoRecSize: model.ext.line.recordSize,
    morePrograms,
    stopped: loaded.stopped ?? (legacy ? 'libbpf 1.0 and later refuse the section maps.' : null),
  };
}

/** Map types for which libbpf clears btf_fd and both ids, since the kernel refuses BTF with them. */
const WITHOUT_BTF: ReadonlySet<string> = new Set(
  `PERF_EVENT_ARRAY CGROUP_ARRAY STACK_TRACE ARRAY_OF_MAPS HASH_OF_MAPS DEVMAP DEVMAP_HASH
  CPUMAP XSKMAP SOCKMAP SOCKHASH QUEUE STACK ARENA`
    .split(/\s+/)
    .map((name) => `BPF_MAP_TYPE_${name}`),
);
const STRUCT_OPS = 'BPF_MAP_TYPE_STRUCT_OPS';
const RINGS: ReadonlySet<string> = new Set(['BPF_MAP_TYPE_RINGBUF', 'BPF_MAP_TYPE_USER_RINGBUF']);
const PERF_EVENT_ARRAY = 'BPF_MAP_TYPE_PERF_EVENT_ARRAY';

type NamedMap = MapAttributes & Pick<MapCreate, 'name' | 'selection' | 'autocreate'>;

function mapCreates(model: ObjectModel): MapCreate[] {
  const datasecs = model.types === null ? new Map<string, TypeId>() : datasecsOf(model.types);
  const defined = btfMaps(model).flatMap((map): NamedMap[] => {
    const { inner } = map;
    const place = { selection: selectionOfVariable(map), autocreate: true };
    // The kernel wants an example of what is held: libbpf creates it first.
    return inner === null || inner === 'program'
      ? [{ ...map, ...place }]
      : [
          { ...inner, name: `${map.name}.inner`, ...place },
          { ...map, ...place },
        ];
  });
  return [
    ...defined.map((map) => mapCreate(map, map.key.type ?? 0, map.value.type ?? 0, 'definition')),
    ...impliedMaps(model).map((map) =>
      mapCreate(map, 0, map.value.type ?? datasecs.get(map.name) ?? 0, 'section'),
    ),
  ];
}

function mapCreate(
  map: NamedMap,
  key: number,
  value: number,
  from: 'definition' | 'section',
): MapCreate {
  const { mapType, mapTypeName } = map;
  const isCleared = WITHOUT_BTF.has(mapTypeName ?? '');
  const isStructOps = mapTypeName === STRUCT_OPS;
  return {
    name: map.name,
    selection: map.selection,
    autocreate: map.autocreate,
    mapType,
    mapTypeName,
    keySize: map.key.byteSize ?? 0,
    valueSize: map.value.byteSize ?? 0,
    maxEntries: entriesOf(mapTypeName, map.maxEntries ?? 0n),
    hasBtf: !isCleared,
    keyTypeId: isCleared || isStructOps ? 0 : key,
    valueTypeId: isCleared || isStructOps ? 0 : value,
    reason: isCleared ? CLEARED : isStructOps ? OF_KERNEL : missingIds(key, value, from),
  };
}

const PAGE = 4096n;

/** As libbpf changes max_entries: CPUs for 0 of a perf event array, and whole pages, a power of two of them, for a ring. */
export function entriesOf(mapType: string | null, stated: bigint): bigint | null {
  if (mapType === PERF_EVENT_ARRAY && stated === 0n) return null;
  if (mapType === null || !RINGS.has(mapType) || stated === 0n) return stated;
  let size = PAGE;
  while (size < stated && size < 1n << 31n) size *= 2n;
  return size;
}

const CLEARED =
  'libbpf sets btf_fd and both ids to 0 for this map type: the kernel accepts no BTF with it.';
const OF_KERNEL =
  'The value is a struct of the kernel: its id in the kernel’s BTF is in btf_vmlinux_value_type_id.';

function missingIds(key: number, value: number, from: 'definition' | 'section'): string {
  if (from === 'section') {
    return value === 0
      ? 'No DATASEC has the name of the section, so there is no type for its value.'
      : 'The value is the whole section, its type the DATASEC; an index as key needs no type.';
  }
  if (key !== 0 && value !== 0) return '';
  return 'An id is 0 where the definition states a size, or nothing, and no type.';
}

/** The code of all functions; a section's first 64 MiB. */
export async function programCode(model: ObjectModel, source: ByteSource): Promise<Code> {
  const code = new Map<number, SectionCode>();
  for (const { section } of functionsOf(model)) {
    if (!code.has(section)) code.set(section, await readCode(model, source, section));
  }
  return code;
}

type Code = ReadonlyMap<number, SectionCode>;

/** Calls that are followed in all programs together: an object of many programs has some thousands. */
const MOST_CALLS = 500_000;

/** The programs of an object, whether it has BTF or not. */
export function progLoads(
  model: ObjectModel,
  code: Code,
): Pick<LoadCalls, 'programs' | 'morePrograms'> {
  const all = functionsOf(model).filter(({ isProgram }) => isProgram);
  const callees = calleesOf(model, code);
  const callbacks = exceptionCallbacks(model);
  const budget = { left: MOST_CALLS };
  const programs: ProgLoad[] = [];
  for (const func of all) {
    const callback = (func.typeId === null ? undefined : callbacks.get(func.typeId)) ?? null;
    const ranges = withSubprograms(func, callees, callback, budget);
    if (budget.left < 0) break;
    programs.push(progLoad(model, func, ranges));
  }
  return { programs, morePrograms: all.length - programs.length };
}

/**
 * The program, and behind it what it calls, in the order in which libbpf appends it: a call
 * is followed before the next one, and each subprogram is appended once. The exception
 * callback comes last.
 */
function withSubprograms(
  main: FunctionRange,
  callees: (func: FunctionRange) => readonly FunctionRange[],
  callback: FunctionRange | null,
  budget: { left: number },
): FunctionRange[] {
  const ranges = new Set<FunctionRange>();
  for (const root of callback === null ? [main] : [main, callback]) {
    const waiting = [root];
    for (let func = waiting.pop(); func !== undefined && budget.left >= 0; func = waiting.pop()) {
      if (ranges.has(func)) continue;
      ranges.add(func);
      const next = callees(func);
      budget.left -= next.length + 1;
      for (let i = next.length - 1; i >= 0; i--) {
        const callee = next[i];
        if (callee !== undefined && !ranges.has(callee)) waiting.push(callee);
      }
    }
  }
  return [...ranges];
}

/** The section of subprograms; undefined where there are none. */
export function textSection(model: ObjectModel): SectionIndex | undefined {
  return functionsOf(model).find(({ section }) => sectionName(model.sections, section) === '.text')
    ?.section;
}

/** What a function calls or takes the address of, each subprogram once, in order of its instructions. */
function calleesOf(model: ObjectModel, code: Code) {
  const text = textSection(model);
  return oncePer((func: FunctionRange): readonly FunctionRange[] => {
    const bytes = code.get(func.section)?.bytes.subarray(func.start, func.end);
    const found = new Set<FunctionRange>();
    if (bytes === undefined) return [];
    for (const offset of insnOffsets(bytes, model.endian)) {
      const insn = decodeInsn(bytes, offset, model.endian);
      const place = insn && subprogramAt(model, func, insn);
      if (place === null || place.section !== text) continue;
      const callee = functionAt(model, place.section, place.offset);
      if (callee !== null) found.add(callee);
    }
    return [...found];
  });
}

/** The code that an instruction calls or loads the address of; null where it does neither. Its offset in bytes of the section. */
export function subprogramAt(
  model: ObjectModel,
  { section, start }: Pick<FunctionRange, 'section' | 'start'>,
  insn: Insn,
): { readonly section: SectionIndex; readonly offset: number } | null {
  const isSubprogramCall = isCall(insn) && insn.srcReg === CALL_SOURCE.pseudoCall;
  if (!isSubprogramCall && !isLdImm64(insn)) return null;
  const at = start + insn.offset;
  const [reloc] = relocationsInRange(model, section, at, at + SLOT);
  if (reloc !== undefined) {
    const { target } = relocationMeaning(model, reloc);
    if (target === null || target.section === null) return null;
    return { section: target.section, offset: Number(target.offset) };
  }
  // Without a relocation imm counts from the next instruction, in the same section.
  return isSubprogramCall ? { section, offset: at + SLOT * (1 + insn.imm) } : null;
}

/** The exception callbacks that DECL_TAGs name, by the FUNC of the program. Source: libbpf.c, bpf_prog_assign_exc_cb. */
function exceptionCallbacks(model: ObjectModel): ReadonlyMap<TypeId, FunctionRange> {
  const globals = functionsOf(model).filter((func) => func.global);
  const byName = new Map(globals.map((func) => [func.name, func]));
  const found = new Map<TypeId, FunctionRange>();
  for (const { program, callback } of callbackTags(model)) {
    const func = byName.get(callback);
    if (func !== undefined) found.set(program, func);
  }
  return found;
}

type CallbackTag = { readonly program: TypeId; readonly callback: string };

/** The tags of exception callbacks in their order. */
export const callbackTags = oncePer((model: ObjectModel): readonly CallbackTag[] => {
  const t = model.types;
  if (t === null) return [];
  const tags: CallbackTag[] = [];
  for (let n = t.firstId; n <= lastId(t); n++) {
    const id = typeId(n);
    if (kindOf(t, id) !== BtfKind.DECL_TAG || componentIdx(t, id) !== -1) continue;
    const tag = nameOf(t, id);
    const program = refOf(t, id);
    if (!tag.startsWith(EXCEPTION_CALLBACK) || program === null) continue;
    tags.push({ program, callback: tag.slice(EXCEPTION_CALLBACK.length) });
  }
  return tags;
});

const EXCEPTION_CALLBACK = 'exception_callback:';

function progLoad(
  model: ObjectModel,
  main: FunctionRange,
  ranges: readonly FunctionRange[],
): ProgLoad {
  const name = sectionName(model.sections, main.section);
  const parts: ProgramPart[] = [];
  const faults: string[] = [];
  let insnCount = 0;
  for (const { name: partName, section, start, end } of ranges) {
    const place = { section, start, end };
    const first = parts[0];
    const hasFuncInfo =
      (first?.hasFuncInfo ?? true) && recordRows(funcIndex(model), place).length > 0;
    const hasLineInfo =
      (first?.hasLineInfo ?? true) && recordRows(lineIndex(model), place).length > 0;
    if (first?.hasFuncInfo === true && !hasFuncInfo) faults.push(missing('func_info', partName));
    if (first?.hasLineInfo === true && !hasLineInfo) faults.push(missing('line_info', partName));
    parts.push({ ...place, name: partName, insnOff: insnCount, hasFuncInfo, hasLineInfo });
    insnCount += Math.floor((end - start) / SLOT);
  }
  const count = (index: PlaceIndex, kind: 'hasFuncInfo' | 'hasLineInfo') =>
    parts.reduce((sum, part) => sum + (part[kind] ? recordRows(index, part).length : 0), 0);
  return {
    name: main.name,
    sectionName: name,
    kind: programType(name).kind,
    insnCount,
    parts,
    funcInfoCount: count(funcIndex(model), 'hasFuncInfo'),
    lineInfoCount: count(lineIndex(model), 'hasLineInfo'),
    autoload: !name.startsWith('?'),
    fault: faults[0] ?? '',
  };
}

function missing(kind: string, subprogram: string): string {
  return `libbpf fails: the program has ${kind}, and its subprogram ${subprogram} has none.`;
}

const funcIndex = oncePer(({ ext: { func }, sections }: ObjectModel) =>
  buildPlaceIndex(
    func.count,
    sections.count,
    (row) => func.section[row] ?? -1,
    (row) => func.insnOff[row] ?? 0,
  ),
);

const lineIndex = oncePer(({ ext: { line }, sections }: ObjectModel) =>
  buildPlaceIndex(
    line.count,
    sections.count,
    (row) => line.section[row] ?? -1,
    (row) => line.insnOff[row] ?? 0,
  ),
);

type Stretch = Pick<ProgramPart, 'section' | 'start' | 'end'>;

function recordRows(index: PlaceIndex, { section, start, end }: Stretch): Uint32Array {
  return rowsBetween(index, section, start, end);
}

/** A record as the kernel gets it: its row in the model, and its place in instructions of the program. */
export type LoadedRecord = { readonly row: number; readonly insnOff: number };

/** The func_info records of a program, in order. */
export function funcInfoOf(model: ObjectModel, { parts }: ProgLoad): LoadedRecord[] {
  const { insnOff } = model.ext.func;
  return parts
    .filter((part) => part.hasFuncInfo)
    .flatMap((part) => moved(funcIndex(model), insnOff, part));
}

/** The line_info records of a program, in order. */
export function lineInfoOf(model: ObjectModel, { parts }: ProgLoad): LoadedRecord[] {
  const { insnOff } = model.ext.line;
  return parts
    .filter((part) => part.hasLineInfo)
    .flatMap((part) => moved(lineIndex(model), insnOff, part));
}

/** From bytes of the section to instructions of the program. */
function moved(index: PlaceIndex, offsets: Uint32Array, part: ProgramPart): LoadedRecord[] {
  return Array.from(recordRows(index, part), (row) => ({
    row,
    insnOff: part.insnOff + Math.floor(((offsets[row] ?? 0) - part.start) / SLOT),
  }));
}

const SLOT = 8;
