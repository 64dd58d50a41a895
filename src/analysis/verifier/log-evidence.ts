/**
 * Finds what a log says about the program and the kernel that it is of, and compares that with
 * objects and kernels. A log names neither: programs are found by name, opcodes and source lines,
 * kernels by the ids of types and functions.
 */
import { lineRowsOf, sourceLine } from '#analysis/code/source-lines.ts';
import type { ProgramPart } from '#analysis/libbpf/program-parts.ts';
import { specOf } from '#analysis/log/ask-target.ts';
import type { LogLine } from '#analysis/log/log-line.ts';
import { functionsOf } from '#analysis/objects/functions.ts';
import { getOrCreate } from '#bytes/cache.ts';
import { isRest, type Progress } from '#bytes/long-work.ts';
import type { ByteSource } from '#bytes/source.ts';
import { SLOT_SIZE } from '#formats/bpf/insn.ts';
import { LINE_CLASSES } from '#formats/verifier-log/line.ts';
import type { ObjectModel } from '#model/object-model.ts';
import {
  type Agreement,
  compareMatches,
  type NamedId,
  namedIn,
  type ProgramMatch,
} from './agreement.ts';
import type { LogPart } from './log-parts.ts';
import type { LogTable } from './log-table.ts';
import { type LoadedCode, programCodes } from './program-codes.ts';

/** What one part of a log says about its program. */
export type LogEvidence = {
  readonly program: string | null;
  /** Instructions with their opcodes, each once, in the order of the log. */
  readonly insns: readonly (readonly [index: number, opcode: number])[];
  /** Source lines, each once, without the space at both ends. */
  readonly sources: readonly string[];
  /** Types with ids of the object's BTF. */
  readonly ownTypes: readonly NamedId[];
};

/** Types and functions by their ids in the BTF of the kernel. */
export type KernelTypes = Map<number, NamedId>;

/** Maximum entries of each list: more would make no match surer. */
const MAX_INSNS = 2048;
const MAX_LISTED = 256;
/** Lines of a part that are read; a loop repeats the same instructions. */
const MAX_READ = 200_000;

const SOURCE = LINE_CLASSES.indexOf('source');
const INSN = LINE_CLASSES.indexOf('insn');
const ARG_INFO = LINE_CLASSES.indexOf('arg-info');

/**
 * Collects the evidence of a part, and adds to `kernel`. `readings` are the lines of loaders among
 * its lines.
 */
export function* evidenceOf(
  table: LogTable,
  part: LogPart,
  readings: readonly LogLine[],
  kernel: KernelTypes,
): Generator<Progress, LogEvidence, void> {
  const insns = new Map<number, number>();
  const sources = new Set<string>();
  const own = new Map<number, NamedId>();
  const end = Math.min(part.lastLine + 1, part.firstLine + MAX_READ);
  for (let line = part.firstLine; line < end; line++) {
    if (isRest(line)) yield { step: 'reading the log', done: line, total: table.lineCount };
    const lineClass = table.classes[line];
    if (lineClass === INSN && insns.size < MAX_INSNS) {
      const index = table.insns[line] ?? -1;
      if (insns.has(index)) continue;
      const content = table.line(line);
      if (content.class !== 'insn' || !/^[0-9a-f]{2}$/.test(content.op)) continue;
      if (POISONED.test(content.text)) continue;
      insns.set(index, Number.parseInt(content.op, 16));
      const call = KERNEL_CALL.exec(content.text);
      if (call !== null) addNamed(kernel, Number(call[2]), 'func', call[1] ?? '');
    } else if (lineClass === SOURCE && sources.size < MAX_LISTED) {
      const content = table.line(line);
      if (content.class === 'source' && content.text.trim() !== '')
        sources.add(content.text.trim());
    } else if (lineClass === ARG_INFO) {
      const arg = ARG_TYPE.exec(table.textOf(line));
      if (arg !== null) {
        addNamed(kernel, Number(arg[1]), (arg[2] ?? '').toLowerCase(), arg[3] ?? '');
      }
    }
  }
  for (const line of readings) {
    const spec = specOf(line);
    if (spec === null || spec.typeName === '') continue;
    const isCandidate = line.event?.event === 'candidate';
    addNamed(isCandidate ? kernel : own, spec.typeId, spec.typeKind, spec.typeName);
  }
  return {
    program: part.program,
    insns: [...insns],
    sources: [...sources],
    ownTypes: [...own.values()],
  };
}

/** Call that libbpf writes over an instruction of any opcode. Source: libbpf.c and relo_core.c. */
const POISONED = /\bcall unknown#(?:195896080|200[12]\d{6})$/;

/** Number of helpers is about 220; a larger number is the BTF id of a kernel function. */
const KERNEL_CALL = /\bcall (\w{1,128})#(\d{4,10})\b/;
/** Line of btf_ctx_access: `func 'f' arg0 has btf_id 37287 type STRUCT 'mptcp_sock'`. */
const ARG_TYPE = /has btf_id (\d{1,10}) type (STRUCT|UNION|ENUM) '(\w{1,128})'/;

function addNamed(to: Map<number, NamedId>, id: number, typeKind: string, typeName: string): void {
  if (to.size < MAX_LISTED) to.set(id, { typeId: id, typeKind, typeName });
}

/** Fewest instructions and source lines that find a program without a name. */
const MIN_INSNS = 4;
const MIN_SOURCES = 2;

/** Returns the program of an object that each part of a log is of; null where none agrees. */
export async function matchPrograms(
  model: ObjectModel,
  source: ByteSource,
  parts: readonly LogEvidence[],
): Promise<readonly (ProgramMatch | null)[]> {
  const programs = functionsOf(model).filter(({ isProgram }) => isProgram);
  const codes = await programCodes({ model, source });
  const texts = new Map<string, ReadonlySet<string>>();
  return parts.map((evidence) => {
    const types = namedIn(model.types, evidence.ownTypes);
    const found: ProgramMatch[] = [];
    for (const { name, ...own } of programs) {
      const isNamed = evidence.program === name;
      if (evidence.program !== null && !isNamed) continue;
      const { bytes: code, parts: functions } = codes.get(name) ?? NO_CODE;
      const lines = (functions.length > 0 ? functions : [own]).map((part) =>
        getOrCreate(texts, `${part.section} ${part.start}`, () => sourceTexts(model, part)),
      );
      const match = {
        program: name,
        isNamed,
        alike: 0,
        insns: sameOpcodes(code, evidence.insns),
        sources: inLines(lines, evidence.sources),
        types,
      };
      if (agrees(match)) found.push(match);
    }
    const [best, ...others] = found.toSorted((a, b) => compareMatches(b, a));
    if (best !== undefined) {
      return { ...best, alike: others.filter((one) => compareMatches(one, best) === 0).length };
    }
    if (evidence.program !== null || !isMost(types)) return null;
    return { program: null, isNamed: false, alike: 0, insns: [0, 0], sources: [0, 0], types };
  });
}

const NO_CODE: LoadedCode = {
  bytes: new Uint8Array(0),
  endian: 'little',
  parts: [],
  externs: new Map(),
};

/** Compares opcodes with those of a program and its subprograms. */
function sameOpcodes(code: Uint8Array, insns: LogEvidence['insns']): Agreement {
  const own = insns.filter(([index]) => index >= 0 && index * SLOT_SIZE < code.length);
  const equal = own.filter(([index, opcode]) => code[index * SLOT_SIZE] === opcode).length;
  return [equal, own.length];
}

/** Returns the source lines of the code in a range of a section. */
function sourceTexts(
  model: ObjectModel,
  { section, start, end }: Pick<ProgramPart, 'section' | 'start' | 'end'>,
): ReadonlySet<string> {
  const rows = lineRowsOf(model, section, start, end);
  return new Set(Array.from(rows, (row) => sourceLine(model, row).text.trim()));
}

function inLines(lines: readonly ReadonlySet<string>[], sources: readonly string[]): Agreement {
  return [sources.filter((text) => lines.some((of) => of.has(text))).length, sources.length];
}

function isMost([equal, compared]: Agreement): boolean {
  return compared > 0 && equal * 10 >= compared * 9;
}

/** CO-RE changes some opcodes, and a log can be of an older build: a named program may differ. */
function agrees({ isNamed, insns, sources }: ProgramMatch): boolean {
  if (isNamed) return insns[1] === 0 || insns[0] * 2 >= insns[1];
  if (insns[1] > 0 && !isMost(insns)) return false;
  // Lines of inlined functions of other sections may be missing.
  if (sources[1] > 0 && sources[0] * 2 < sources[1]) return false;
  return insns[0] >= MIN_INSNS || sources[0] >= MIN_SOURCES;
}
