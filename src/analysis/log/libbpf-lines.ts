/**
 * Lines of libbpf: its debug output on CO-RE, its errors, and what it writes into
 * the verifier's log. Source: libbpf 1.8,
 * src/relo_core.c and src/libbpf.c, calls of `pr_debug` and `pr_warn`.
 */
import type { CoreEvent, LineReading, LogInsnForm } from './log-line.ts';
import { parseSpec, parseType } from './spec-line.ts';

const PREFIX = 'libbpf: ';
const PROG = /^prog '([^']{0,512})': (?:relo #(\d{1,10}): )?/;
const UNRESOLVED = 'failed to resolve CO-RE relocation ';

/** What `line` says where libbpf speaks; null where it does not. */
export function readLibbpfLine(line: string): LineReading | null {
  const unresolved = line.indexOf(UNRESOLVED);
  if (unresolved >= 0) {
    const spec = parseSpec(line.slice(unresolved + UNRESOLVED.length));
    return spec === null ? null : { source: 'libbpf', event: { event: 'unresolved', spec } };
  }
  const at = line.indexOf(PREFIX);
  const text = at < 0 ? line.trimStart() : line.slice(at + PREFIX.length);
  const prog = PROG.exec(text);
  if (prog !== null) {
    const rest = text.slice(prog[0].length);
    const relo = prog[2];
    const event = relo === undefined ? progEvent(rest) : reloEvent(rest);
    if (event === null && at < 0) return null;
    return {
      source: 'libbpf',
      event,
      prog: prog[1] ?? null,
      reloIndex: relo === undefined ? null : Number(relo),
    };
  }
  const event = otherEvent(text);
  return event === null && at < 0 ? null : { source: 'libbpf', event };
}

/** `[423] struct inode.i_atime.tv_sec (0:15:0 @ offset 88)`: a spec that was cut out of its line. */
export function readBareSpec(line: string): LineReading | null {
  const text = line.trim();
  const spec = text.includes(' @ offset ') ? parseSpec(text) : null;
  return spec === null ? null : { source: 'libbpf', event: { event: 'spec', spec } };
}

/** What follows `relo #N: `. */
function reloEvent(text: string): CoreEvent | null {
  switch (text) {
    case 'no matching targets found':
      return { event: 'no-match' };
    case 'unhandled relocation kind':
      return { event: 'relocation-failed', errno: -95 };
    default:
  }
  if (text.startsWith('<')) {
    const spec = parseSpec(text);
    return spec === null ? null : { event: 'spec', spec };
  }
  return candidateEvent(text) ?? insnEvent(text) ?? faultEvent(text);
}

const CANDIDATE = /^(non-)?matching candidate #(\d{1,10}) /;

function candidateEvent(text: string): CoreEvent | null {
  const match = CANDIDATE.exec(text);
  const spec = match === null ? null : parseSpec(text.slice(match[0].length));
  if (match === null || spec === null) return null;
  const matches = match[1] === undefined;
  return { event: 'candidate', number: Number(match[2]), matches, spec };
}

const FORM = '(ALU/ALU64|LDX/ST/STX|LDIMM64)';
const PATCHED = new RegExp(
  `^patched insn #(\\d{1,10}) \\(${FORM}\\) (imm64|imm|off|mem_sz) (-?\\d{1,20}) -> (-?\\d{1,20})$`,
);
const POISONED = /^substituting insn #(\d{1,10}) w\/ invalid insn$/;
const UNEXPECTED = new RegExp(
  `^unexpected insn #(\\d{1,10}) \\(${FORM}\\) value: got (-?\\d{1,20}), exp (-?\\d{1,20}) -> (-?\\d{1,20})$`,
);
const WRONG_ACCESS = /^insn #(\d{1,10}) \(([A-Z/0-9]{1,20})\) accesses field incorrectly/;
const TOO_BIG = /^insn #(\d{1,10}) \([A-Z/0-9]{1,20}\) value too big: (\d{1,20})$/;
const MEM_SIZE =
  /^insn #(\d{1,10}) \([A-Z/0-9]{1,20}\) unexpected mem size: got (\d{1,10}), exp (\d{1,10})$/;
const UNRECOGNIZED = /^trying to relocate unrecognized insn #(\d{1,10}), code:0x([0-9a-f]{1,8}),/;

function insnEvent(text: string): CoreEvent | null {
  const patched = PATCHED.exec(text);
  if (patched !== null) {
    const [, insn, form, field, from = '0', to = '0'] = patched;
    return {
      event: 'patched',
      insnIndex: Number(insn),
      form: insnForm(form),
      field: fieldOf(field),
      from: BigInt(from),
      to: BigInt(to),
    };
  }
  const unexpected = UNEXPECTED.exec(text);
  if (unexpected !== null) {
    const [, insn, form, got = '0', expected = '0', to = '0'] = unexpected;
    return {
      event: 'unexpected-insn',
      insnIndex: Number(insn),
      form: insnForm(form),
      got: BigInt(got),
      expected: BigInt(expected),
      to: BigInt(to),
    };
  }
  const poisoned = POISONED.exec(text);
  if (poisoned !== null) return { event: 'poisoned', insnIndex: Number(poisoned[1]) };
  const access = WRONG_ACCESS.exec(text);
  if (access !== null) {
    return { event: 'wrong-access', insnIndex: Number(access[1]), form: access[2] ?? '' };
  }
  const big = TOO_BIG.exec(text);
  if (big !== null) {
    return { event: 'value-too-big', insnIndex: Number(big[1]), value: BigInt(big[2] ?? 0) };
  }
  const size = MEM_SIZE.exec(text);
  if (size !== null) {
    const [, insn, got, expected] = size;
    return {
      event: 'unexpected-mem-size',
      insnIndex: Number(insn),
      got: Number(got),
      expected: Number(expected),
    };
  }
  const odd = UNRECOGNIZED.exec(text);
  if (odd === null) return null;
  const opcode = Number.parseInt(odd[2] ?? '', 16);
  return { event: 'unrecognized-insn', insnIndex: Number(odd[1]), opcode };
}

function insnForm(text: string | undefined): LogInsnForm {
  return text === 'LDIMM64' || text === 'LDX/ST/STX' ? text : 'ALU/ALU64';
}

function fieldOf(text: string | undefined): 'imm' | 'imm64' | 'off' | 'mem_sz' {
  return text === 'imm64' || text === 'off' || text === 'mem_sz' ? text : 'imm';
}

const OFFSETS = /^field offset ambiguity: (\d{1,20}) != (\d{1,20})$/;
const DECISIONS =
  /^relocation decision ambiguity: (success|failure) (\d{1,20}) != (success|failure) (\d{1,20})$/;
const PARSING = /^parsing (\[\d{1,10}\] .+) \+ ([^ ]*) failed: (-?\d{1,10})$/;
const SEARCH = /^target candidate search failed for (\[\d{1,10}\] .+): (-?\d{1,10})$/;
const FAILED = /^failed to relocate: (-?\d{1,10})$/;

function faultEvent(text: string): CoreEvent | null {
  const offsets = OFFSETS.exec(text);
  if (offsets !== null) {
    const [, one = '0', other = '0'] = offsets;
    return { event: 'offset-ambiguity', one: BigInt(one), other: BigInt(other) };
  }
  const values = DECISIONS.exec(text);
  if (values !== null) {
    const [, first, one = '0', second, other = '0'] = values;
    return {
      event: 'value-ambiguity',
      one: { poison: first === 'failure', value: BigInt(one) },
      other: { poison: second === 'failure', value: BigInt(other) },
    };
  }
  const parsing = PARSING.exec(text);
  const parsed = parsing === null ? null : parseType(parsing[1] ?? '');
  if (parsing !== null && parsed !== null) {
    const accessStr = parsing[2] ?? '';
    return { event: 'parse-failed', type: parsed, accessStr, errno: Number(parsing[3]) };
  }
  const search = SEARCH.exec(text);
  const type = search === null ? null : parseType(search[1] ?? '');
  if (search !== null && type !== null) {
    return { event: 'search-failed', type, errno: Number(search[2]) };
  }
  const failed = FAILED.exec(text);
  return failed === null ? null : { event: 'relocation-failed', errno: Number(failed[1]) };
}

const PROG_FAILED =
  /^(?:BPF program load failed|failed to load|failed to relocate CO-RE|failed to perform CO-RE relocations)[^-]{0,80}(-\d{1,10})?/;

/** libbpf writes the kind where others have the number, and counts instructions from the section's start. */
const FIELD_FAULT =
  /^relo (\d{1,10}) at insn #(\d{1,10}) can't be (satisfied for bitfield|applied to array access)$/;

/** What follows `prog 'P': ` without the number of a relocation. */
function progEvent(text: string): CoreEvent | null {
  if (/^-- BEGIN PROG LOAD LOG --|^-- END PROG LOAD LOG --/.test(text)) {
    return { event: 'load-failed', what: 'log', errno: null };
  }
  const fault = FIELD_FAULT.exec(text);
  if (fault !== null) {
    const [, kind, insn, what] = fault;
    const event = what?.endsWith('bitfield') ? 'bitfield-unsatisfied' : 'array-access-unsatisfied';
    return { event, kind: Number(kind), sectionInsnIndex: Number(insn) };
  }
  const failed = PROG_FAILED.exec(text);
  if (failed === null) return null;
  const errno = failed[1] === undefined ? null : Number(failed[1]);
  return { event: 'load-failed', what: 'program', errno };
}

const FOUND = /^CO-RE relocating (.+): found target candidate (.+) in \[([^\]]{0,256})\]$/;
const KIND =
  /^unexpected kind ([a-z0-9_]{1,20}) relocated, local \[(\d{1,10})\], target \[(\d{1,10})\]$/;
const OBJECT_FAILED = /^failed to load (?:object|BPF skeleton) '[^']{0,256}'(?:: (-\d{1,10}))?/;
const NO_BTF =
  /^(?:failed to find valid kernel BTF|Error loading vmlinux BTF|failed to parse target BTF)/;

function otherEvent(text: string): CoreEvent | null {
  const found = FOUND.exec(text);
  if (found !== null) {
    const [local, target] = [parseType(found[1] ?? ''), parseType(found[2] ?? '')];
    if (local === null || target === null) return null;
    return { event: 'found-candidate', local, target, module: found[3] ?? '' };
  }
  const kind = KIND.exec(text);
  if (kind !== null) {
    const [, typeKind = '', local, target] = kind;
    return { event: 'unexpected-kind', typeKind, local: Number(local), target: Number(target) };
  }
  if (NO_BTF.test(text)) return { event: 'no-kernel-btf' };
  const failed = OBJECT_FAILED.exec(text);
  if (failed === null) return null;
  return {
    event: 'load-failed',
    what: 'object',
    errno: failed[1] === undefined ? null : Number(failed[1]),
  };
}
