/**
 * The programs of an object with the subprograms that libbpf appends, and the func_info and
 * line_info of both. Source: libbpf 1.8, libbpf.c: bpf_object__reloc_code,
 * bpf_object__append_subprog_code, adjust_prog_btf_ext_info.
 */
import { type FunctionRange, functionAt, functionsOf } from '#analysis/objects/functions.ts';
import { type PlaceIndex, recordIndexSteps, rowsBetween } from '#analysis/objects/place-index.ts';
import { readCode, type SectionCode } from '#analysis/objects/section-code.ts';
import { relocationsInRange } from '#analysis/relocations/by-place.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import type { InsnPlace } from '#analysis/selection/selection.ts';
import { memoized } from '#bytes/cache.ts';
import { finish } from '#bytes/long-work.ts';
import type { ByteSource } from '#bytes/source.ts';
import {
  decodeInsn,
  type Insn,
  insnOffsets,
  isCall,
  isLdImm64,
  SLOT_SIZE,
} from '#formats/bpf/insn.ts';
import { CALL_SOURCE } from '#formats/bpf/opcodes.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type SectionIndex, type TypeId, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { componentIdx, kindOf, lastId, nameOf, refOf } from '#model/type-table.ts';
import { programType } from './program-types.ts';

/** A part of a loaded program: the program itself, or an appended subprogram. */
export type ProgramPart = {
  /** Name of the function as raw text. */
  readonly name: string;
  readonly section: SectionIndex;
  /** Range in bytes from the start of the section; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** Number of instruction slots of the loaded program before this part. */
  readonly insnOff: number;
  readonly hasFuncInfo: boolean;
  readonly hasLineInfo: boolean;
};

/** Returns the place of an instruction slot of a program with its subprograms; null for none. */
export function slotPlace(parts: readonly ProgramPart[], slot: number): InsnPlace | null {
  const part = parts.findLast(({ insnOff }) => insnOff <= slot);
  if (part === undefined) return null;
  return { section: part.section, insnOff: part.start + (slot - part.insnOff) * SLOT_SIZE };
}

/** One call of BPF_PROG_LOAD; names are raw text. */
export type ProgLoad = {
  readonly name: string;
  readonly sectionName: string;
  /** Kind of program by the name of its section: `xdp`; empty if libbpf knows none. */
  readonly kind: string;
  /** Number of 8-byte instruction slots, including subprograms. */
  readonly insnCount: number;
  readonly parts: readonly ProgramPart[];
  readonly funcInfoCount: number;
  readonly lineInfoCount: number;
  /** False for a section with `?`, whose programs libbpf does not load by default. */
  readonly autoload: boolean;
  /** Reason why libbpf refuses the program, as a sentence; empty if it does not. */
  readonly fault: string;
};

/** Reads the code of all functions, up to 64 MiB per section. */
export async function programCode(model: ObjectModel, source: ByteSource): Promise<Code> {
  const code = new Map<number, SectionCode>();
  for (const { section } of functionsOf(model)) {
    if (!code.has(section)) code.set(section, await readCode(model, source, section));
  }
  return code;
}

type Code = ReadonlyMap<number, SectionCode>;

/** Maximum number of calls in all programs; objects with many programs have a few thousand. */
const MAX_CALLS = 500_000;

/** Returns the programs of an object, and the number of those left out after `MAX_CALLS` calls. */
export function progLoads(
  model: ObjectModel,
  code: Code,
): { readonly programs: readonly ProgLoad[]; readonly morePrograms: number } {
  const all = functionsOf(model).filter(({ isProgram }) => isProgram);
  const callees = calleesOf(model, code);
  const callbacks = exceptionCallbacks(model);
  const budget = { left: MAX_CALLS };
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
 * Returns the program and its subprograms in libbpf's order. The callees of a call come before
 * those of the next call; the exception callback is last.
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

/** Returns the section `.text`; undefined if it contains no function. */
export function textSection(model: ObjectModel): SectionIndex | undefined {
  return functionsOf(model).find(({ section }) => sectionName(model.sections, section) === '.text')
    ?.section;
}

/** Returns a function that lists the subprograms which a function calls or takes the address of. */
function calleesOf(model: ObjectModel, code: Code) {
  const text = textSection(model);
  return memoized((func: FunctionRange): readonly FunctionRange[] => {
    const bytes = code.get(func.section)?.bytes.subarray(func.start, func.end);
    const callees = new Set<FunctionRange>();
    if (bytes === undefined) return [];
    for (const offset of insnOffsets(bytes, model.endian)) {
      const insn = decodeInsn(bytes, offset, model.endian);
      const place = insn && subprogramAt(model, func, insn);
      if (place === null || place.section !== text) continue;
      const callee = functionAt(model, place.section, place.offset);
      if (callee !== null) callees.add(callee);
    }
    return [...callees];
  });
}

/** Returns the place in a section that an instruction calls or takes the address of; else null. */
export function subprogramAt(
  model: ObjectModel,
  { section, start }: Pick<FunctionRange, 'section' | 'start'>,
  insn: Insn,
): { readonly section: SectionIndex; readonly offset: number } | null {
  const isSubprogramCall = isCall(insn) && insn.srcReg === CALL_SOURCE.pseudoCall;
  if (!isSubprogramCall && !isLdImm64(insn)) return null;
  const at = start + insn.offset;
  const [reloc] = relocationsInRange(model, section, at, at + SLOT_SIZE);
  if (reloc !== undefined) {
    const { target } = relocationMeaning(model, reloc);
    if (target === null || target.section === null) return null;
    return { section: target.section, offset: Number(target.offset) };
  }
  // Without a relocation, imm is the number of slots from the next instruction to the target.
  return isSubprogramCall ? { section, offset: at + SLOT_SIZE * (1 + insn.imm) } : null;
}

/** Returns the exception callback for the FUNC of each program. Source: bpf_prog_assign_exc_cb. */
function exceptionCallbacks(model: ObjectModel): ReadonlyMap<TypeId, FunctionRange> {
  const globals = functionsOf(model).filter((func) => func.global);
  const byName = new Map(globals.map((func) => [func.name, func]));
  const callbacks = new Map<TypeId, FunctionRange>();
  for (const { program, callback } of callbackTags(model)) {
    const func = byName.get(callback);
    if (func !== undefined) callbacks.set(program, func);
  }
  return callbacks;
}

type CallbackTag = { readonly program: TypeId; readonly callback: string };

/** Tags that declare exception callbacks, in the order of ids. */
export const callbackTags = memoized((model: ObjectModel): readonly CallbackTag[] => {
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
  let insnCount = 0;
  for (const { name: partName, section, start, end } of ranges) {
    const place = { section, start, end };
    const first = parts[0];
    const hasFuncInfo =
      (first?.hasFuncInfo ?? true) && recordRows(funcIndex(model), place).length > 0;
    const hasLineInfo =
      (first?.hasLineInfo ?? true) && recordRows(lineIndex(model), place).length > 0;
    parts.push({ ...place, name: partName, insnOff: insnCount, hasFuncInfo, hasLineInfo });
    insnCount += Math.floor((end - start) / SLOT_SIZE);
  }
  const [first, ...subprograms] = parts;
  const faults = subprograms.flatMap((part) =>
    missingInfo(part, first ?? part).map(
      (kind) => `libbpf fails: the program has ${kind}, and its subprogram ${part.name} has none.`,
    ),
  );
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

/** Returns the record kinds that a part needs and lacks. Source: reloc_prog_func_and_line_info. */
export function missingInfo(part: ProgramPart, main: ProgramPart): ('func_info' | 'line_info')[] {
  const isMain = part === main;
  return [
    ...((isMain || main.hasFuncInfo) && !part.hasFuncInfo ? (['func_info'] as const) : []),
    ...((isMain || main.hasLineInfo) && !part.hasLineInfo ? (['line_info'] as const) : []),
  ];
}

const indexOf = (kind: 'func' | 'line') =>
  memoized(({ ext, sections }: ObjectModel) => finish(recordIndexSteps(ext[kind], sections.count)));
const funcIndex = indexOf('func');
const lineIndex = indexOf('line');

type Range = Pick<ProgramPart, 'section' | 'start' | 'end'>;

function recordRows(index: PlaceIndex, { section, start, end }: Range): Uint32Array {
  return rowsBetween(index, section, start, end);
}

/** A record of a loaded program: its row in the file, and its instruction slot in the program. */
export type LoadedRecord = { readonly row: number; readonly insnOff: number };

/** Returns the func_info records of a program, in order. */
export function funcInfoOf(model: ObjectModel, { parts }: ProgLoad): LoadedRecord[] {
  const { insnOff } = model.ext.func;
  return parts
    .filter((part) => part.hasFuncInfo)
    .flatMap((part) => recordsOf(funcIndex(model), insnOff, part));
}

/** Returns the line_info records of a program, in order. */
export function lineInfoOf(model: ObjectModel, { parts }: ProgLoad): LoadedRecord[] {
  const { insnOff } = model.ext.line;
  return parts
    .filter((part) => part.hasLineInfo)
    .flatMap((part) => recordsOf(lineIndex(model), insnOff, part));
}

function recordsOf(index: PlaceIndex, offsets: Uint32Array, part: ProgramPart): LoadedRecord[] {
  return Array.from(recordRows(index, part), (row) => ({
    row,
    insnOff: part.insnOff + Math.floor(((offsets[row] ?? 0) - part.start) / SLOT_SIZE),
  }));
}
