/**
 * Writes the repair of a refused program as a change of its source, where the change follows from the
 * verifier's message and from lines that the object or the log has: a check, a release, a size. A
 * line of which only a part is known is not changed. Nothing is compiled: the change is a proposal.
 */
import { guardedLine, type Hunk } from '#analysis/load/source-diff.ts';
import { definedFunction, followedMember, variableOfCall } from './source-names.ts';

/** A line of C; its text has the indentation if the object has it. */
export type RepairLine = { readonly file: string; readonly line: number; readonly text: string };

export type RepairCase = {
  /** Rule of the message. */
  readonly rule: string;
  /** Type of the refused value as the log prints it; null if it is not known. */
  readonly valueType: string | null;
  /** Line at which the program fails. */
  readonly fault: RepairLine;
  /** Function that the failing instruction calls, and the number of the argument, from 1. */
  readonly callee: string | null;
  readonly argument: number | null;
  /** Number of a function that the kernel does not know, which libbpf writes as a mark. */
  readonly call: number | null;
  /** Line that made the value what it is, and the function that it calls. */
  readonly origin: RepairLine | null;
  readonly originCallee: string | null;
  /** The value was read from memory as a number. */
  readonly isLoaded: boolean;
  /** The value is 0: a pointer that is NULL on this path. */
  readonly isNull: boolean;
  /** Lines of the path that failed, in order. */
  readonly path: readonly RepairLine[];
  /** Lines of the function with instructions. */
  readonly lines: readonly RepairLine[];
  /** References, locks or other things are held at the fault: a return would leak them. */
  readonly isHolding: boolean;
  /** The program fails where it ends. */
  readonly isExit: boolean;
  /** Statement that leaves the function. */
  readonly exit: string;
  /** Returns true if an expression such as `v->slots` is certainly an array. */
  readonly isArray: (expression: string) => boolean;
};

/** Longest line that is read. */
const MAX_LINE = 400;

/** Returns the change that repairs a fault, or null if it does not follow from what is known. */
export function repairOf(fault: RepairCase): Hunk | null {
  if (fault.fault.text.length > MAX_LINE) return null;
  if (fault.rule === 'packet-bounds') return packetCheck(fault);
  if (RELEASES.has(fault.rule)) return release(fault);
  if (SIZES.has(fault.rule)) return sizeCheck(fault);
  if (INDICES.has(fault.rule)) return fault.callee === null ? indexCheck(fault) : exactSize(fault);
  if (fault.rule === 'invalid-func') return existenceCheck(fault);
  if (STACK.has(fault.rule)) return zeroed(fault);
  if (/_or_null/.test(fault.valueType ?? '') || fault.isNull) return nullCheck(fault);
  if (fault.rule === 'invalid-mem-access') {
    return fault.isLoaded ? coreRead(fault) : packetAgain(fault);
  }
  return null;
}

const RELEASES = new Set(['unreleased-reference', 'reference-leak', 'exit-under-lock']);
const SIZES = new Set(['helper-size-unbounded', 'helper-size-negative', 'helper-size-zero']);
const STACK = new Set(['stack-uninit-read', 'stack-indirect-uninit']);
const INDICES = new Set([
  ...['unbounded-memory-access', 'offset-above-max', 'map-value-bounds', 'mem-bounds'],
  ...['min-value-negative', 'pointer-math-unbounded', 'stack-unbounded', 'stack-bounds'],
]);

function nullCheck(fault: RepairCase): Hunk | null {
  const { origin, originCallee } = fault;
  // The line follows what it loads, such as `v->next->id`: the variable in it is another pointer.
  if (fault.isLoaded && (origin === null || origin === fault.fault)) return null;
  const assigned =
    origin === null || originCallee === null ? null : variableOfCall(code(origin), originCallee);
  const variable = assigned ?? argumentName(fault) ?? pointerIn(fault.fault);
  if (variable === null) return null;
  const isUsed = new RegExp(`\\b${variable}\\b`).test(code(fault.fault));
  if (fault.isHolding) return isUsed ? guarded(fault, variable) : null;
  const check = [`if (!${variable})`, `\t${fault.exit}`];
  if (origin !== null && assigned !== null && isStatement(fault, origin)) {
    return after(origin, check);
  }
  return isUsed && isStatement(fault, fault.fault) ? before(fault.fault, check) : null;
}

/** A comparison with the end of the packet. */
function packetCheck(fault: RepairCase): Hunk | null {
  const pointer = pointerIn(fault.fault);
  const check = pointer === null ? null : endCheck(fault, pointer);
  if (check === null || fault.isHolding || !isStatement(fault, fault.fault)) return null;
  // The comparison is there and proves nothing: the number that was added is too large.
  const comparison = withoutCasts(check[0] ?? '');
  if (fault.path.some((line) => withoutCasts(code(line)).includes(comparison))) return null;
  return before(fault.fault, check);
}

/** Returns an expression without casts to pointers, brackets and blanks. */
function withoutCasts(text: string): string {
  return text.replace(/\((?:const )?\w{1,64} \*\)|[()\s]/g, '');
}

/** Reads the packet's pointers again after a call that made them invalid. */
function packetAgain(fault: RepairCase): Hunk | null {
  const pointer = pointerIn(fault.fault);
  if (pointer === null || !PACKET_CHANGES.test(fault.originCallee ?? '')) return null;
  const check = endCheck(fault, pointer);
  const data = assignmentOf(fault, pointer, 'data');
  const end = assignmentOf(fault, '\\w+', 'data_end');
  if (check === null || data === null || end === null || fault.isHolding) return null;
  if (!isStatement(fault, fault.fault)) return null;
  return before(fault.fault, [`${data};`, `${end};`, ...check]);
}

const PACKET_CHANGES = /^bpf_(?:skb|xdp|lwt|msg|clone|l[34])\w*$/;

/** Returns `name = (void *)(long)ctx->member` of the line that sets a variable. */
function assignmentOf({ lines }: RepairCase, name: string, member: string): string | null {
  const pattern = new RegExp(`\\b(${name}) = (\\(void \\*\\)\\(long\\)\\w+->${member});`);
  for (const line of lines) {
    const found = pattern.exec(code(line));
    if (found !== null) return `${found[1]} = ${found[2]}`;
  }
  return null;
}

function endCheck(fault: RepairCase, pointer: string): string[] | null {
  const end = endOfPacket(fault);
  if (end === null) return null;
  const constant = new RegExp(`\\b${pointer}\\[(\\d{1,4})\\]`, 'g');
  const indices = fault.lines.flatMap((line) => {
    return [...code(line).matchAll(constant)].map(([, index]) => Number(index));
  });
  const count = indices.reduce((most, index) => Math.max(most, index), 0) + 1;
  return [`if ((void *)(${pointer} + ${count}) > ${end})`, `\t${fault.exit}`];
}

/** Returns the variable that holds data_end, else the expression; null if no line has either. */
function endOfPacket({ lines }: RepairCase): string | null {
  for (const line of lines) {
    const variable = /\b(\w+) = \(void \*\)\(long\)\w+->data_end;/.exec(code(line))?.[1];
    if (variable !== undefined) return variable;
  }
  for (const line of lines) {
    const context = /\b(\w+)->data_end\b/.exec(code(line))?.[1];
    if (context !== undefined) return `(void *)(long)${context}->data_end`;
  }
  return null;
}

/** A comparison of an index with the number of entries, before it is used. */
function indexCheck(fault: RepairCase): Hunk | null {
  const subscripts = [
    ...code(fault.fault).matchAll(/((?:[A-Za-z_]\w*(?:->|\.))*[A-Za-z_]\w*)\[([A-Za-z_]\w*)\]/g),
  ];
  const [, base = '', index = ''] = subscripts[0] ?? [];
  if (subscripts.length !== 1 || !fault.isArray(base)) return null;
  const length = `sizeof(${base}) / sizeof(${base}[0])`;
  if (fault.isHolding) return guarded(fault, `${index} < ${length}`);
  if (!isStatement(fault, fault.fault)) return null;
  const check = [`if (${index} >= ${length})`, `\t${fault.exit}`];
  // In a loop, compilers compare one copy of an index and use another, without this barrier.
  const barrier = isInLoop(fault) ? [`barrier_var(${index});`] : [];
  return before(fault.fault, [...barrier, ...check]);
}

/** A comparison of the size that a call gets with that of the memory before it. */
function sizeCheck(fault: RepairCase): Hunk | null {
  const { argument, callee } = fault;
  if (argument === null || callee === null || fault.isHolding) return null;
  const texts = argumentsOf(code(fault.fault), callee);
  const size = texts[argument - 1];
  const memory = texts[argument - 2]?.replace(/^&/, '') ?? '';
  if (size === undefined || !/^[A-Za-z_]\w*$/.test(size)) return null;
  if (!isStatement(fault, fault.fault)) return null;
  if (fault.rule === 'helper-size-zero') {
    return before(fault.fault, [`if (${size} == 0)`, `\t${fault.exit}`]);
  }
  if (!fault.isArray(memory)) return null;
  return before(fault.fault, [`if (${size} > sizeof(${memory}))`, `\t${fault.exit}`]);
}

/** Replaces a constant size by that of the memory before it. */
function exactSize({ fault, callee, argument, isArray }: RepairCase): Hunk | null {
  if (callee === null || argument === null) return null;
  const texts = argumentsOf(code(fault), callee);
  const [memory = '', size = ''] = texts.slice(argument - 1);
  if (!/^(?:0x[0-9a-f]+|\d+)$/i.test(size) || !isArray(memory)) return null;
  const written = `${memory}, ${size}`;
  if (!code(fault).includes(written)) return null;
  return replaced(fault, [fault.text.replace(written, () => `${memory}, sizeof(${memory})`)]);
}

/** Number of the call that libbpf writes for a CO-RE relocation which failed. */
const FAILED_RELOCATION = 195896080;
/** Numbers from which on libbpf writes calls of kernel functions that were not found. */
const MISSING_KFUNC = 2002000000;

/** Does what needs a member or a kernel function only where there is one. */
function existenceCheck(fault: RepairCase): Hunk | null {
  const { call } = fault;
  if (call === null) return null;
  if (call === FAILED_RELOCATION) {
    const found = followedMember(code(fault.fault));
    if (found === null) return null;
    return guarded(fault, `bpf_core_field_exists(${found.variable}->${found.member})`);
  }
  const [only, other] = [...code(fault.fault).matchAll(/\b([A-Za-z_]\w*)\(/g)];
  if (call < MISSING_KFUNC || only?.[1] === undefined || other !== undefined) return null;
  return guarded(fault, only[1]);
}

/** Sets memory on the stack to zero before its first use. */
function zeroed(fault: RepairCase): Hunk | null {
  const { argument, callee, lines } = fault;
  if (argument === null || callee === null) return null;
  const variable = /^&([A-Za-z_]\w*)$/.exec(
    argumentsOf(code(fault.fault), callee)[argument - 1] ?? '',
  )?.[1];
  if (variable === undefined) return null;
  const mentions = new RegExp(`\\b${variable}\\b`);
  const [first] = lines
    .filter((line) => mentions.test(code(line)) && definedFunction(code(line)) === null)
    .sort((a, b) => a.line - b.line);
  if (first === undefined || !isStatement(fault, first)) return null;
  // A declaration sets the variable itself, and a deeper line may be on one path only.
  const isDeclared = new RegExp(`\\w[\\s*]+${variable}\\s*[=;,[]`).test(code(first));
  if (isDeclared || indentOf(first).length > shallowest(fault)) return null;
  return before(first, [`__builtin_memset(&${variable}, 0, sizeof(${variable}));`]);
}

/** Reads a member at an address that is a number. */
function coreRead({ fault }: RepairCase): Hunk | null {
  const text = code(fault);
  const found = followedMember(text);
  if (found === null) return null;
  const { variable, member } = found;
  const path = `${variable}->${member}`;
  const rest = text.slice(text.indexOf(path) + path.length);
  const isWritten = /^\s*(?:[-+*/|&^]|<<|>>)?=[^=]/.test(rest) || /^\s*(?:\+\+|--|\[)/.test(rest);
  if (isWritten || new RegExp(`(?:&|\\+\\+|--)\\s*${variable}->`).test(text)) return null;
  const read = `BPF_CORE_READ(${variable}, ${member})`;
  return replaced(fault, [fault.text.replace(path, () => read)]);
}

/** Functions that end what others begin. `$` is the variable, `#` an argument by number. */
const ENDS: readonly (readonly [RegExp, string])[] = [
  [/^bpf_ringbuf_reserve_dynptr$/, 'bpf_ringbuf_discard_dynptr(#4, 0)'],
  [/^bpf_ringbuf_reserve$/, 'bpf_ringbuf_discard($, 0)'],
  [/^bpf_skc?_lookup_\w+$/, 'bpf_sk_release($)'],
  [/^bpf_task_(?:from_\w+|acquire)$/, 'bpf_task_release($)'],
  [/^bpf_cgroup_(?:from_id|acquire|ancestor)$/, 'bpf_cgroup_release($)'],
  [/^bpf_cpumask_(?:create|acquire)$/, 'bpf_cpumask_release($)'],
  [/^bpf_obj_new(?:_impl)?$/, 'bpf_obj_drop($)'],
  [/^bpf_iter_(\w+)_new$/, 'bpf_iter_@_destroy(#1)'],
  [/^bpf_spin_lock$/, 'bpf_spin_unlock(#1)'],
  [/^bpf_rcu_read_lock$/, 'bpf_rcu_read_unlock()'],
  [/^bpf_preempt_disable$/, 'bpf_preempt_enable()'],
  [/^bpf_local_irq_save$/, 'bpf_local_irq_restore(#1)'],
];

/** Gives back what is held, where the path that failed uses it last. */
function release(fault: RepairCase): Hunk | null {
  const { origin, originCallee, path } = fault;
  if (origin === null || originCallee === null) return null;
  const end = endOf(origin, originCallee);
  const start = path.findLastIndex((line) => isSame(line, origin));
  if (end === null || start < 0) return null;
  const { variable } = end;
  const later = path.slice(start + 1).filter((line) => !isExitLine(line));
  const isSet = (line: RepairLine) =>
    variable !== null && new RegExp(`(?:^|[^\\w.>*])${variable} = `).test(code(line));
  const next = later.findIndex(isSet);
  const used = [origin, ...(next < 0 ? later : later.slice(0, next))];
  const place = used.at(-1) ?? origin;
  // The variable ends with the block in which it is declared.
  if (
    variable !== null &&
    (indentOf(place).length < indentOf(origin).length || isInBlock(origin, originCallee))
  ) {
    return null;
  }
  const isChecked = used.some((line) => variable !== null && isNullTest(code(line), variable));
  const statement =
    variable === null || isChecked ? [end.text] : [`if (${variable})`, `\t${end.text}`];
  if (/^\s*return\b/.test(place.text)) {
    return isStatement(fault, place) ? before(place, statement) : null;
  }
  if (isBlock(place)) return leavesEarly(fault, place) ? after(place, statement, '\t') : null;
  // Another path may come by and need it.
  const isNeeded = (line: RepairLine) =>
    line.line > place.line && !isExitLine(line) && isUsed(code(line), end);
  if (next < 0 && fault.lines.some(isNeeded)) return null;
  if (!fault.isExit) {
    return isStatement(fault, fault.fault) ? before(fault.fault, statement) : null;
  }
  if (HEADER.test(code(place))) return null;
  return isStatement(fault, place) ? after(place, statement) : null;
}

/** True if a line opens a block before it calls a function. */
function isInBlock(line: RepairLine, callee: string): boolean {
  const text = code(line);
  return text.slice(0, Math.max(0, text.indexOf(`${callee}(`))).includes('{');
}

function isBlock(line: RepairLine): boolean {
  return code(line).endsWith('{');
}

function isUsed(text: string, end: { readonly variable: string | null; readonly text: string }) {
  if (end.variable !== null) return new RegExp(`\\b${end.variable}\\b`).test(text);
  return text.includes(end.text.slice(0, end.text.indexOf('(') + 1));
}

function isInLoop({ fault, lines }: RepairCase): boolean {
  return lines.some(
    (line) =>
      line.line < fault.line &&
      indentOf(line).length < indentOf(fault).length &&
      /^\s*(?:for|while|do|bpf_for|bpf_repeat)\b/.test(line.text),
  );
}

function isNullTest(text: string, variable: string): boolean {
  return new RegExp(`!\\s*${variable}\\b|\\b${variable} [!=]= NULL|\\(${variable}\\)`).test(text);
}

function endOf(origin: RepairLine, callee: string) {
  const text = code(origin);
  const found = ENDS.find(([pattern]) => pattern.test(callee));
  if (found === undefined) return null;
  const [pattern, call] = found;
  // Macros such as bpf_obj_new hide the name of the kernel function.
  const name = text.includes(`${callee}(`) ? callee : callee.replace(/_impl$/, '');
  const variable = call.includes('$') ? variableOfCall(text, name) : null;
  const number = /#(\d)/.exec(call)?.[1];
  const argument = number === undefined ? null : argumentsOf(text, name)[Number(number) - 1];
  if ((call.includes('$') && variable === null) || argument === undefined) return null;
  const filled = call
    .replace('@', () => pattern.exec(callee)?.[1] ?? '')
    .replace('$', () => variable ?? '')
    .replace(/#\d/, () => argument ?? '');
  return { variable, text: `${filled};` };
}

/** Lines after the block that a path passes by: the path left the function within the block. */
function leavesEarly({ lines, path }: RepairCase, place: RepairLine): boolean {
  const passed = new Set(path.map(({ file, line }) => `${line} ${file}`));
  return lines.some(
    (line) =>
      line.file === place.file &&
      line.line > place.line &&
      indentOf(line).length <= indentOf(place).length &&
      !code(line).startsWith('}') &&
      !passed.has(`${line.line} ${line.file}`),
  );
}

/** The closing line of a function, or its first one, to which compilers ascribe a shared exit. */
function isExitLine(line: RepairLine): boolean {
  return /^\s*\}\s*$/.test(code(line)) || definedFunction(code(line)) !== null;
}

function isSame(a: RepairLine, b: RepairLine): boolean {
  return a.line === b.line && a.file === b.file;
}

/** Returns the only pointer that a line follows; null if it follows several, or none. */
function pointerIn(line: RepairLine): string | null {
  const names = new Set(
    [
      ...code(line).matchAll(
        /(?<![\w>.])([A-Za-z_]\w*)(?:->|\[)|(?:^\s*|[=(!,&|+\-<>]\s*|return )\*([A-Za-z_]\w*)(?!\w)/g,
      ),
    ].map(([, followed, read]) => followed ?? read ?? ''),
  );
  const [only, other] = names;
  return only === undefined || other !== undefined ? null : only;
}

/** Returns the variable that is the refused argument of a call. */
function argumentName({ fault, callee, argument }: RepairCase): string | null {
  if (callee === null || argument === null) return null;
  const text = argumentsOf(code(fault), callee)[argument - 1]?.replace(/^\(void \*\)/, '');
  return text !== undefined && /^[A-Za-z_]\w*$/.test(text) ? text : null;
}

/** Returns the texts of a call's arguments; none if the line does not have the whole call once. */
function argumentsOf(text: string, callee: string): readonly string[] {
  const [, rest, more] = text.split(`${callee}(`);
  if (rest === undefined || more !== undefined) return [];
  const texts = [''];
  let depth = 0;
  for (const character of rest) {
    if (depth === 0 && character === ')') return texts.map((each) => each.trim());
    if ('([{'.includes(character)) depth++;
    if (')]}'.includes(character)) depth--;
    if (depth === 0 && character === ',') texts.push('');
    else texts.push(`${texts.pop() ?? ''}${character}`);
  }
  return [];
}

/** Returns a line's text without its comment. */
function code({ text }: RepairLine): string {
  const cut = text.slice(0, MAX_LINE).search(/\/[/*]/);
  return (cut < 0 ? text.slice(0, MAX_LINE) : text.slice(0, cut)).trimEnd();
}

const HEADER = /^\s*(?:\}\s*)?(?:if|else|for|while|do)\b/;

/** Returns true if a line is a whole statement of the function, before which another may stand. */
function isStatement({ lines }: RepairCase, line: RepairLine): boolean {
  const first = lines.find(({ text }) => definedFunction(text) !== null) ?? lines[0];
  // Lines of other functions are those of inlined ones, whose type of result is not known.
  if (first === undefined || line.file !== first.file || line.line < first.line) return false;
  const text = code(line);
  const isBlock = /^\s*if \(.*\)(?: \{)?$/.test(text);
  const isPlain =
    text.indexOf(';') === text.length - 1 &&
    text !== '' &&
    !HEADER.test(text) &&
    !/^\s*(?:case|default)\b/.test(text);
  if ((!isBlock && !isPlain) || !isBalanced(text.replace(/\{$/, ''))) return false;
  if (/^\s*(?:[+\-/%|?:.,=<>)]|\*(?!\w+\s*(?:[-+*/|&^]|<<|>>)?=)|&&)/.test(text)) return false;
  const previous = lines.find((other) => other.file === line.file && other.line === line.line - 1);
  if (previous === undefined || definedFunction(code(previous)) !== null) return true;
  return /[;{}:]$/.test(code(previous));
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if ('([{'.includes(character)) depth++;
    if (')]}'.includes(character)) depth--;
    if (depth < 0) return false;
  }
  return depth === 0;
}

function indentOf({ text }: RepairLine): string {
  return /^\s*/.exec(text)?.[0] ?? '';
}

/** Returns the least indentation of the function's lines that have one. */
function shallowest({ lines }: RepairCase): number {
  const lengths = lines.map((line) => indentOf(line).length).filter((length) => length > 0);
  return lengths.reduce((least, length) => Math.min(least, length), Number.POSITIVE_INFINITY);
}

/** The failing line, done only under a condition. */
function guarded({ fault }: RepairCase, condition: string): Hunk | null {
  const lines = guardedLine(code(fault), condition);
  return lines === null ? null : replaced(fault, lines);
}

function replaced({ file, line, text }: RepairLine, lines: readonly string[]): Hunk {
  return { file, line, before: [text], after: lines };
}

function before(line: RepairLine, statements: readonly string[]): Hunk {
  const indent = indentOf(line);
  return replaced(line, [...statements.map((text) => `${indent}${text}`), line.text]);
}

function after(line: RepairLine, statements: readonly string[], deeper = ''): Hunk {
  const indent = `${indentOf(line)}${deeper}`;
  return replaced(line, [line.text, ...statements.map((text) => `${indent}${text}`)]);
}
