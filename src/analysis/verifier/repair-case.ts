/** Gathers what a repair is written from: lines of the object or the log, arrays, the way out. */
import { lineRowsOf, type SourceLine, sourceLine } from '#analysis/code/source-lines.ts';
import { functionAt } from '#analysis/objects/functions.ts';
import { memoized } from '#bytes/cache.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { sectionIndex, type TypeId, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { isComposite, membersOf } from '#model/type-items.ts';
import { kindOf, nameOf, refOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import type { Fault } from './fault.ts';
import type { RepairCase, RepairLine } from './repair.ts';
import { definedFunction } from './source-names.ts';
import { programTypeOf } from './typed-value.ts';

/** Maximum number of steps of the failing path whose lines are read. */
const MAX_STEPS = 5_000;

/** Returns what a repair is written from; null if the failing line is not known. */
export function repairCaseOf(fault: Fault): RepairCase | null {
  const lineOf = lineReader(fault);
  const at = lineOf(fault.step);
  if (at === null || fault.step === null) return null;
  const frame = fault.walk.frameOf(fault.step);
  const path: RepairLine[] = [];
  for (const step of fault.walk.pathTo(fault.step, MAX_STEPS)) {
    const line = fault.walk.frameOf(step) === frame ? lineOf(step) : null;
    if (line !== null && line !== path.at(-1)) path.push(line);
  }
  const { origin } = fault;
  const value = fault.valueOf();
  const own = value?.kv.find(([key]) => key === 'ref_obj_id')?.[1];
  const refs = fault.stateBefore()?.refs ?? [];
  const lines = linesAround(fault.binding.object, at) ?? path;
  return {
    rule: fault.message.rule,
    valueType: value?.type ?? null,
    fault: at,
    callee: fault.callee,
    argument: argumentOf(fault),
    call: callOf(fault),
    origin: origin === null ? null : lineOf(origin.step),
    originCallee: origin?.text?.call?.name || null,
    isLoaded: origin?.text?.form === 'load',
    isNull: value?.const === '0',
    path,
    lines,
    isHolding: refs.some((ref) => `${ref}` !== own),
    isExit: fault.text?.form === 'exit',
    exit: exitOf(fault, lines, frame),
    isArray: (expression) => isArray(fault.binding.object?.types ?? null, lines, expression),
  };
}

function argumentOf({ register, callee }: Fault): number | null {
  const number = callee === null ? undefined : /^R([1-5])$/.exec(register ?? '')?.[1];
  return number === undefined ? null : Number(number);
}

function callOf({ messageText }: Fault): number | null {
  const number = /^invalid func unknown#(\d{9,10})$/.exec(messageText)?.[1];
  return number === undefined ? null : Number(number);
}

/** Returns a function that gives the line of a step, as the object has it, else the log. */
function lineReader(fault: Fault): (step: number | null) => RepairLine | null {
  const index = fault.binding.object === null ? null : lineIndex(fault.binding.object);
  const known = new Map<string, RepairLine>();
  return (step) => {
    if (step === null) return null;
    const place = fault.placeOf(fault.walk.insnOf(step), step);
    if (place === null || place.file === null || place.line === null) return null;
    const key = `${place.file}:${place.line}`;
    const inObject = index?.get(key);
    if (inObject !== undefined) return inObject;
    const text = fault.walk.sourceOf(step)?.text ?? '';
    const line = known.get(key) ?? { file: place.file, line: place.line, text };
    known.set(key, line);
    return line;
  };
}

type ObjectLine = SourceLine & { readonly section: number };

/** Lines by the base name of the file and the number, as a log has them. */
const lineIndex = memoized((object: ObjectModel): ReadonlyMap<string, ObjectLine> => {
  const index = new Map<string, ObjectLine>();
  for (let row = 0; row < object.ext.line.count; row++) {
    const line = sourceLine(object, row);
    const key = `${line.file.replace(/^.*\//, '')}:${line.line}`;
    if (!index.has(key)) index.set(key, { ...line, section: object.ext.line.section[row] ?? 0 });
  }
  return index;
});

/** Returns the lines of the object's function that has a line; null without an object. */
function linesAround(object: ObjectModel | null, at: RepairLine): RepairLine[] | null {
  if (object === null) return null;
  const index = lineIndex(object);
  const found = index.get(`${at.file.replace(/^.*\//, '')}:${at.line}`);
  if (found === undefined) return null;
  const section = sectionIndex(found.section);
  const func = functionAt(object, section, found.insnOff);
  if (func === null) return null;
  const lines = new Set<RepairLine>();
  for (const row of lineRowsOf(object, section)) {
    const { insnOff, file, line } = sourceLine(object, row);
    if (insnOff < func.start || insnOff >= func.end) continue;
    const one = index.get(`${file.replace(/^.*\//, '')}:${line}`);
    if (one !== undefined) lines.add(one);
  }
  return [...lines];
}

/** Results with which a program of a type lets things pass, where 0 does not. */
const PASS: readonly (readonly [RegExp, string])[] = [
  [/^XDP$/, 'XDP_PASS'],
  [/^CGROUP_/, '1'],
  [/^SK_(?:SKB|MSG|LOOKUP|REUSEPORT)$/, 'SK_PASS'],
];

function exitOf(fault: Fault, lines: readonly RepairLine[], frame: number): string {
  const definition = lines.map(({ text }) => text).find((text) => definedFunction(text) !== null);
  if (definition !== undefined && !definition.includes('BPF_')) {
    const result = definition.slice(0, definition.indexOf('('));
    if (result.includes('*')) return 'return NULL;';
    if (/\bvoid\b/.test(result)) return 'return;';
  }
  const type = frame > 0 ? '' : programTypeOf(fault.binding);
  const pass = PASS.find(([pattern]) => pattern.test(type))?.[1];
  return `return ${pass ?? '0'};`;
}

/** Returns true if an expression is certainly an array: a variable, or a member of every struct. */
function isArray(
  types: TypeTable | null,
  lines: readonly RepairLine[],
  expression: string,
): boolean {
  const name = /[A-Za-z_]\w*$/.exec(expression)?.[0];
  if (name === undefined) return false;
  if (/[.>]/.test(expression)) return types !== null && arrayMembers(types).get(name) === true;
  const declared = new RegExp(`\\b[A-Za-z_]\\w*[\\s*]+${name}\\[\\w+\\]`);
  if (lines.some(({ text }) => declared.test(text.slice(0, 400)))) return true;
  return types !== null && arrayVariables(types).has(name);
}

function isArrayType(types: TypeTable, id: TypeId | null): boolean {
  return id !== null && kindOf(types, skipModifiers(types, id)) === BtfKind.ARRAY;
}

/** Names of members, with true if each member of the name is an array. */
const arrayMembers = memoized((types: TypeTable): ReadonlyMap<string, boolean> => {
  const names = new Map<string, boolean>();
  for (let id = types.firstId; id < types.firstId + types.count; id++) {
    if (!isComposite(kindOf(types, typeId(id)))) continue;
    for (const { name, type } of membersOf(types, typeId(id))) {
      names.set(name, names.get(name) !== false && isArrayType(types, type));
    }
  }
  return names;
});

const arrayVariables = memoized((types: TypeTable): ReadonlySet<string> => {
  const names = new Set<string>();
  for (let id = types.firstId; id < types.firstId + types.count; id++) {
    if (kindOf(types, typeId(id)) !== BtfKind.VAR) continue;
    if (isArrayType(types, refOf(types, typeId(id)))) names.add(nameOf(types, typeId(id)));
  }
  return names;
});
