/**
 * Reads log lines of libbpf: debug output on CO-RE, errors, and lines in the verifier's log.
 * Source: libbpf 1.8, src/relo_core.c and src/libbpf.c, calls of `pr_debug` and `pr_warn`.
 */
import { CORE_KINDS } from '#analysis/core/core-kinds.ts';
import {
  type CoreEvent,
  type LinePattern,
  type LineReading,
  type LogInsnForm,
  type LogPathStep,
  type LogSpec,
  type LogType,
  readByPattern,
} from './log-line.ts';

const LIBBPF_PREFIX = 'libbpf: ';
const PROG = /^prog '([^']{0,512})': (?:relo #(\d{1,10}): )?/;
const UNRESOLVED = 'failed to resolve CO-RE relocation ';

/** Returns the reading of a line of libbpf, else null. An unknown line's reading has no event. */
export function readLibbpfLine(line: string): LineReading | null {
  const unresolved = line.indexOf(UNRESOLVED);
  if (unresolved >= 0) {
    const spec = parseSpec(line.slice(unresolved + UNRESOLVED.length));
    return spec === null ? null : { source: 'libbpf', event: { event: 'unresolved', spec } };
  }
  const at = line.indexOf(LIBBPF_PREFIX);
  const text = at < 0 ? line.trimStart() : line.slice(at + LIBBPF_PREFIX.length);
  const prog = PROG.exec(text);
  if (prog !== null) {
    const rest = text.slice(prog[0].length);
    const relo = prog[2];
    const event = readByPattern(relo === undefined ? PROG_LINES : RELO_LINES, rest);
    if (event === null && at < 0) return null;
    return {
      source: 'libbpf',
      event,
      prog: prog[1] ?? null,
      reloIndex: relo === undefined ? null : Number(relo),
    };
  }
  const event = readByPattern(OTHER_LINES, text);
  return event === null && at < 0 ? null : { source: 'libbpf', event };
}

/** Reads a spec without its line: `[423] struct inode.i_atime.tv_sec (0:15:0 @ offset 88)`. */
export function readBareSpec(line: string): LineReading | null {
  const text = line.trim();
  const spec = text.includes(' @ offset ') ? parseSpec(text) : null;
  return spec === null ? null : { source: 'libbpf', event: { event: 'spec', spec } };
}

const FORM = '(ALU/ALU64|LDX/ST/STX|LDIMM64)';
const INSN = 'insn #(\\d{1,10})';
const VALUE = '(-?\\d{1,20})';

/** Forms of what follows `relo #N: ` in a line. */
const RELO_LINES: readonly LinePattern<CoreEvent>[] = [
  [/^no matching targets found$/, () => ({ event: 'no-match' })],
  [/^unhandled relocation kind$/, () => ({ event: 'relocation-failed', errno: '-95' })],
  [/^(<.*)/s, (text) => specEvent(text, (spec) => ({ event: 'spec', spec }))],
  [
    /^(non-)?matching candidate #(\d{1,10}) (.*)/s,
    (non, number, text) =>
      specEvent(text, (spec) => ({
        event: 'candidate',
        number: Number(number),
        matches: non === '',
        spec,
      })),
  ],
  [
    new RegExp(`^patched ${INSN} \\(${FORM}\\) (imm64|imm|off|mem_sz) ${VALUE} -> ${VALUE}$`),
    (insn, form, field, from, to) => ({
      event: 'patched',
      insnIndex: Number(insn),
      form: form as LogInsnForm,
      field: field as 'imm' | 'imm64' | 'off' | 'mem_sz',
      from: BigInt(from),
      to: BigInt(to),
    }),
  ],
  [
    new RegExp(`^unexpected ${INSN} \\(${FORM}\\) value: got ${VALUE}, exp ${VALUE} -> ${VALUE}$`),
    (insn, form, got, expected, to) => ({
      event: 'unexpected-insn',
      insnIndex: Number(insn),
      form: form as LogInsnForm,
      got: BigInt(got),
      expected: BigInt(expected),
      to: BigInt(to),
    }),
  ],
  [
    /^substituting insn #(\d{1,10}) w\/ invalid insn$/,
    (insn) => ({ event: 'poisoned', insnIndex: Number(insn) }),
  ],
  [
    /^insn #(\d{1,10}) \(([A-Z/0-9]{1,20})\) accesses field incorrectly/,
    (insn, form) => ({ event: 'wrong-access', insnIndex: Number(insn), form }),
  ],
  [
    /^insn #(\d{1,10}) \([A-Z/0-9]{1,20}\) value too big: (\d{1,20})$/,
    (insn, value) => ({
      event: 'value-too-big',
      insnIndex: Number(insn),
      value: BigInt(value),
    }),
  ],
  [
    /^insn #(\d{1,10}) \([A-Z/0-9]{1,20}\) unexpected mem size: got (\d{1,10}), exp (\d{1,10})$/,
    (insn, got, expected) => ({
      event: 'unexpected-mem-size',
      insnIndex: Number(insn),
      got: Number(got),
      expected: Number(expected),
    }),
  ],
  [
    /^trying to relocate unrecognized insn #(\d{1,10}), code:0x([0-9a-f]{1,8}),/,
    (insn, opcode) => ({
      event: 'unrecognized-insn',
      insnIndex: Number(insn),
      opcode: Number.parseInt(opcode, 16),
    }),
  ],
  [
    /^field offset ambiguity: (\d{1,20}) != (\d{1,20})$/,
    (one, other) => ({ event: 'offset-ambiguity', one: BigInt(one), other: BigInt(other) }),
  ],
  [
    /^relocation decision ambiguity: (success|failure) (\d{1,20}) != (success|failure) (\d{1,20})$/,
    (first, one, second, other) => ({
      event: 'value-ambiguity',
      one: { poison: first === 'failure', value: BigInt(one) },
      other: { poison: second === 'failure', value: BigInt(other) },
    }),
  ],
  [
    /^parsing (\[\d{1,10}\] .+) \+ ([^ ]*) failed: (-?\d{1,10})$/,
    (named, accessStr, errno) => {
      const type = parseType(named);
      return type && { event: 'parse-failed', type, accessStr, errno: Number(errno) };
    },
  ],
  [
    /^target candidate search failed for (\[\d{1,10}\] .+): (-?\d{1,10})$/,
    (named, errno) => {
      const type = parseType(named);
      return type && { event: 'search-failed', type, errno: Number(errno) };
    },
  ],
  [
    /^failed to relocate: (-?\d{1,10}|-E[A-Z0-9]{1,20})$/,
    (errno) => ({ event: 'relocation-failed', errno }),
  ],
];

function specEvent(text: string, event: (spec: LogSpec) => CoreEvent): CoreEvent | null {
  const spec = parseSpec(text);
  return spec && event(spec);
}

/** Forms of what follows `prog 'P': ` in a line without the number of a relocation. */
const PROG_LINES: readonly LinePattern<CoreEvent>[] = [
  [
    /^-- BEGIN PROG LOAD LOG --|^-- END PROG LOAD LOG --/,
    () => ({ event: 'load-failed', what: 'log', errno: null }),
  ],
  // In this line, libbpf writes the relocation's kind, and counts from the section's start.
  [
    /^relo (\d{1,10}) at insn #(\d{1,10}) can't be (satisfied for bitfield|applied to array access)$/,
    (kind, insn, what) => ({
      event: what.endsWith('bitfield') ? 'bitfield-unsatisfied' : 'array-access-unsatisfied',
      kind: Number(kind),
      sectionInsnIndex: Number(insn),
    }),
  ],
  [
    /^failed to find kernel BTF type ID of '([^']{0,512})': (.{1,64})/,
    (name, error) => ({ event: 'no-attach-type', name, error }),
  ],
  [
    /^(?:BPF program load failed|failed to load|failed to relocate CO-RE|failed to perform CO-RE relocations)(?:: (.{1,80}))?$/,
    (errno) => ({ event: 'load-failed', what: 'program', errno: errnoOf(errno) }),
  ],
];

const OTHER_LINES: readonly LinePattern<CoreEvent>[] = [
  [
    /^sec '([^']{0,512})': found (\d{1,10}) CO-RE relocations$/,
    (section, count) => ({ event: 'core-count', section, count: Number(count) }),
  ],
  [
    // libbpf before 1.5 writes `loading a.bpf.o`.
    /^loading (?:object from (.{1,512})|object '([^']{1,256})' from buffer|(\S{1,512}\.o))$/,
    (path, name, old) => ({ event: 'opening', what: path || name || old }),
  ],
  [
    /^loading kernel BTF '([^']{1,512})': (0|-[A-Z0-9]{1,20})$/,
    (path, error) => ({ event: 'kernel-btf', path, error }),
  ],
  [
    /^CO-RE relocating (.+): found target candidate (.+) in \[([^\]]{0,256})\]$/,
    (from, to, module) => {
      const [local, target] = [parseType(from), parseType(to)];
      return local && target && { event: 'found-candidate', local, target, module };
    },
  ],
  [
    /^unexpected kind ([a-z0-9_]{1,20}) relocated, local \[(\d{1,10})\], target \[(\d{1,10})\]$/,
    (typeKind, local, target) => ({
      event: 'unexpected-kind',
      typeKind,
      local: Number(local),
      target: Number(target),
    }),
  ],
  [
    /^(?:failed to find valid kernel BTF|Error loading vmlinux BTF|failed to parse target BTF)/,
    () => ({ event: 'no-kernel-btf' }),
  ],
  [
    /^failed to load (?:object|BPF skeleton) '[^']{0,256}'(?:: (-\d{1,10}|-E[A-Z0-9]{1,20}))?/,
    (errno) => ({ event: 'load-failed', what: 'object', errno: errnoOf(errno) }),
  ],
];

function errnoOf(text: string): string | null {
  return text === '' ? null : text;
}

// Start of a spec: kind of relocation and type. Source: libbpf, bpf_core_format_spec.
const HEAD = /^(?:<([^<>]{1,40})> )?\[(\d{1,10})\] ([a-z0-9_]{1,20}) /;
const PLACE = /^([0-9:]+) @ offset (\d{1,20})(?:\.(\d))?\)$/;
const TYPE = /^\[(\d{1,10})\] ([a-z0-9_]{1,20}) (.+)$/;

/**
 * Parses `<byte_off> [5] struct foo.a.b[2] (0:1:2 @ offset 8.3)`; null for other text. libbpf cuts
 * a spec at 255 bytes: parts that are cut off are null or absent. The kind may be missing.
 */
export function parseSpec(text: string): LogSpec | null {
  const head = HEAD.exec(text);
  if (head === null) return null;
  const [all = '', kindName = '', id = '', typeKind = ''] = head;
  const kind = CORE_KINDS.find(({ name }) => name === kindName) ?? null;
  const base = { kind: kind?.number ?? null, kindName, typeId: Number(id), typeKind };
  const rest = text.slice(all.length);
  if (kind?.group === 'enum') return { ...base, ...enumPart(rest) };
  if (kind?.group === 'type') {
    return { ...base, ...WITHOUT_ACCESS, typeName: nameOf(rest), accessStr: '0', bitOffset: 0 };
  }
  return { ...base, ...fieldPart(rest) };
}

const WITHOUT_ACCESS = { path: [], enumerator: null, accessStr: null, bitOffset: null } as const;

type Part = Omit<LogSpec, 'kind' | 'kindName' | 'typeId' | 'typeKind'>;

function enumPart(rest: string): Part {
  const colons = rest.indexOf('::');
  const equals = rest.lastIndexOf(' = ');
  const value = equals < 0 ? '' : rest.slice(equals + 3);
  if (colons < 0 || equals < colons || !/^-?\d{1,20}$/.test(value)) {
    return { ...WITHOUT_ACCESS, typeName: nameOf(colons < 0 ? rest : rest.slice(0, colons)) };
  }
  return {
    ...WITHOUT_ACCESS,
    typeName: nameOf(rest.slice(0, colons)),
    enumerator: { name: rest.slice(colons + 2, equals), value: BigInt(value) },
  };
}

function fieldPart(rest: string): Part {
  const bracket = rest.lastIndexOf(' (');
  const place = bracket < 0 ? null : PLACE.exec(rest.slice(bracket + 2));
  const words = place === null ? rest : rest.slice(0, bracket);
  const end = words.search(/[.[]/);
  return {
    typeName: nameOf(end < 0 ? words : words.slice(0, end)),
    path: end < 0 ? [] : pathSteps(words.slice(end)),
    enumerator: null,
    accessStr: place?.[1] ?? null,
    bitOffset: place === null ? null : Number(place[2]) * 8 + Number(place[3] ?? 0),
  };
}

/** Parses a path: `.a.b[2]`, or `[1].a` if the index of a pointer comes first. */
function pathSteps(text: string): LogPathStep[] {
  const steps: LogPathStep[] = [];
  for (const [, name, index] of text.matchAll(/\.([^.[]+)|\[(\d{1,10})\]/g)) {
    if (name !== undefined) steps.push({ name, index: null });
    else if (index !== undefined) steps.push({ name: null, index: Number(index) });
  }
  return steps;
}

/** Parses a type: `[5] struct foo`; null for other text. */
function parseType(text: string): LogType | null {
  const match = TYPE.exec(text);
  if (match === null) return null;
  const [, id = '', typeKind = '', name = ''] = match;
  return { typeId: Number(id), typeKind, typeName: nameOf(name) };
}

function nameOf(text: string): string {
  return text === '<anon>' || text === '<anonymous>' ? '' : text;
}
