/** Describes the steps of a trace in sentences. Names are not escaped. */
import { typeExpression } from '#analysis/types/type-name.ts';
import { type Cases, caseOf } from '#bytes/one-of.ts';
import { bitPlace, counted } from '#bytes/text.ts';
import { IntEncoding, kindName } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import {
  arrayData,
  intData,
  kindFlagOf,
  kindOf,
  sizeOrTypeOf,
  type TypeTable,
  vlenOf,
} from '#model/type-table.ts';
import { kindWord } from './access-text.ts';
import type { CoreTarget } from './candidates.ts';
import type { CoreResult } from './resolve.ts';
import { FIELD_FAULT_TEXT } from './spec-value.ts';
import type { MatchFault, Mismatch, Miss, TraceStep, Verdict } from './trace.ts';

export type TraceLine = {
  /** Indentation: 0 for the record, 1 for a candidate, more for types inside the candidate. */
  readonly depth: number;
  readonly text: string;
};

/** Returns a sentence per step of a result, in order. Never throws. */
export function traceLines(result: CoreResult, local: TypeTable, target: CoreTarget): TraceLine[] {
  const lines: TraceLine[] = [];
  let within: TypeTable | null = null;
  for (const step of result.steps) {
    if (step.step === 'candidate' || step.step === 'trial') {
      within = target.tables[step.candidate.table]?.types ?? null;
    }
    const text = caseOf(STEP_TEXT, 'step', step, { local, target: within ?? local });
    lines.push({ depth: depthOf(step, within !== null), text });
    if (step.step === 'trial') within = null;
  }
  return lines;
}

function depthOf(step: TraceStep, isWithin: boolean): number {
  if (step.step === 'candidate' || step.step === 'trial') return 0;
  if ('depth' in step) return 2 + step.depth;
  return isWithin ? 1 : 0;
}

/** Texts of the steps. `sides.target`: table of the step's candidate. */
const STEP_TEXT: Cases<'step', TraceStep, [sides: Sides]> = {
  searched: (step) =>
    `Searched ${step.modules ? 'vmlinux without a match, then the modules' : 'vmlinux'} for this name and kind: ${counted(step.candidates, 'candidate')}.`,
  found: (step) => `Candidate: [${step.target.id}] ${step.target.text} in ${step.table}.`,
  list: (step) =>
    step.cut
      ? `Earlier relocations of this type left ${counted(step.candidates, 'candidate')} of its list.`
      : `The list of an earlier relocation of this type: ${counted(step.candidates, 'candidate')}.`,
  'search-failed': () => 'An anonymous type cannot be looked up.',
  eliminated: () => 'No function symbol holds the instruction: libbpf skips the record.',
  captured: (step) =>
    `Index ${step.atStep} leads into [${step.type}], and ${step.kind} has nothing inside.`,
  'parse-failed': (step) =>
    `The access string '${step.accessStr}' cannot be followed: ${step.message}.`,
  'local-spec': (step) => `In this file: ${step.spec}.`,
  candidate: (step, sides) =>
    `Candidate ${step.number}: [${step.candidate.id}] ${typeExpression(sides.target, step.candidate.id)}.`,
  trial: (step, sides) =>
    `Candidate ${step.number} ${verdictText(step.verdict, sides)}. Reached: ${step.spec}.`,
  'unexpected-kind': (step) =>
    `libbpf has no rule for ${step.kind}, and treats that as a mismatch.`,
  value: (step) => {
    const whose = step.side === 'local' ? 'this file' : 'the target';
    const access = step.memSize === 0 ? '' : `, and ${counted(step.memSize, 'byte')} are accessed`;
    return `By the types of ${whose} the number is ${step.value}${access}.`;
  },
  'value-fault': (step) =>
    `No value in ${step.side === 'local' ? 'this file' : 'the target'}: ${FIELD_FAULT_TEXT[step.fault]}.`,
  'offset-ambiguity': (step) =>
    `This candidate has the field at ${bitPlace(BigInt(step.bitOffset))}, the first one at ${bitPlace(BigInt(step.first))}: libbpf does not choose.`,
  'value-ambiguity': (step) =>
    `This candidate gives ${step.value}, the first one ${step.first}: libbpf does not choose.`,
  'no-match': (step) =>
    step.poison
      ? 'No candidate matches, so there is no value to write: the instruction is made invalid.'
      : 'No candidate matches: the result is 0.',
  cut: (step) =>
    `Of ${counted(step.before, 'candidate')} the ${step.after} that match remain for later relocations of this type.`,
  'mem-size': (step) =>
    `The field has ${counted(step.origSz, 'byte')} here and ${step.newSz} in the target: ${
      step.allowed ? 'a pointer or an unsigned integer may' : 'this type may not'
    } change its size in a load or store.`,
  result: (step) => `Result: ${step.status}.`,
  element: (step, sides) =>
    `Element ${step.index} of ${typeExpression(sides.target, step.type)}, ${counted(step.byteSize, 'byte')} each: ${bitPlace(BigInt(step.bitOffset))}.`,
  'look-up': (step, sides) =>
    `Member ${step.name} is looked up in [${step.type}] ${typeExpression(sides.target, step.type)}.`,
  anonymous: (step) =>
    `Member ${step.index} of [${step.type}] has no name: its members, of [${step.inner}], are searched in place.`,
  'searched-before': (step) => `[${step.type}] was searched before.`,
  member: (step, sides) => {
    const found = `${step.name} is member ${step.index} of [${step.type}] ${typeExpression(sides.target, step.type)}, at ${bitPlace(BigInt(step.bitOffset))}`;
    return step.mismatch === null
      ? `${found}. The types are compatible.`
      : `${found}. The types are not compatible: ${mismatchText(step.mismatch, sides)}.`;
  },
  bounds: (step, sides) => {
    const size = step.flexible ? 'a flexible array' : counted(step.nelems, 'element');
    return `[${step.type}] ${typeExpression(sides.target, step.type)} has ${size}: element ${step.index} is ${step.fits ? 'inside' : 'outside'}.`;
  },
  enumerator: (step, sides) =>
    step.index === null
      ? `${typeExpression(sides.target, step.type)} has no enumerator ${step.name}.`
      : `${step.name} is enumerator ${step.index} of [${step.type}] ${typeExpression(sides.target, step.type)}.`,
  compare: (step, sides) => {
    const member = step.member === null ? '' : `Member ${step.member}: `;
    return `${member}${pairText(sides.local, step.local)} here, ${pairText(sides.target, step.target)} there.`;
  },
  'compared-before': (step) =>
    `[${step.local}] and [${step.target}] were compared before: they ${step.equal ? 'go' : 'do not go'} together.`,
  mismatch: (step, sides) => `They do not match: ${mismatchText(step.mismatch, sides)}.`,
  patched: (step) =>
    `The instruction (${step.form}) held ${BigInt.asIntN(64, step.from)} and now holds ${step.to}.`,
  'patched-mem-size': (step) => `It accesses ${counted(step.to, 'byte')} in place of ${step.from}.`,
  substituted: (step) =>
    step.second
      ? 'The second half of the instruction is replaced by an invalid call.'
      : 'The instruction is replaced by an invalid call.',
  'wrong-value': (step) =>
    `The instruction holds ${step.got}, but by the types of this file it should hold ${step.expected}: libbpf leaves it unchanged.`,
  'too-big': (step) => `${step.value} does not fit the 16-bit offset of a load or store.`,
  'bad-access': () => 'A load or store of the old size would read or write the wrong bytes.',
  'wrong-mem-size': (step) =>
    `The instruction accesses ${counted(step.got, 'byte')}, and not the ${step.expected} of the field.`,
  'no-mem-size': (step) => `No load or store accesses ${counted(step.size, 'byte')}.`,
  'unexpected-form': () => 'The instruction is not a load of a plain 64-bit constant.',
  'register-operand': () => 'The instruction has a register operand, not an immediate.',
  unrecognized: () => 'Instructions of this class are never patched.',
  'no-insn': () => 'There is no instruction at this place.',
};

function verdictText(verdict: Verdict, sides: Sides): string {
  switch (verdict.outcome) {
    case 'match':
      return 'matches';
    case 'miss':
      return `does not match: ${missText(verdict.miss, sides)}`;
    case 'fault':
      return `stops the relocation: ${MATCH_FAULT_TEXT[verdict.fault]}`;
  }
}

function pairText(t: TypeTable, id: Parameters<typeof typeExpression>[1]): string {
  return `[${id}] ${kindName(kindOf(t, id))} ${typeExpression(t, id)}`;
}

/** Tables of the type ids in a step: the object's table and the candidate's table. */
export type Sides = { readonly local: TypeTable; readonly target: TypeTable };

/** Returns the reason for a mismatch, as part of a sentence about the target. */
export function missText(miss: Miss, sides: Sides): string {
  return caseOf(MISS_TEXT, 'why', miss, sides);
}

const MISS_TEXT: Cases<'why', Miss, [Sides]> = {
  'not-composite': (miss, sides) =>
    `${there(sides, miss.type)} has no members, and so no ${miss.name}`,
  'no-member': (miss, sides) => `${there(sides, miss.type)} has no member ${miss.name}`,
  incompatible: (miss, sides) =>
    `the member ${miss.name} of ${there(sides, miss.type)} has a different kind: ${mismatchText(miss.mismatch, sides)}`,
  'not-array': (miss, sides) =>
    `${there(sides, miss.type)} is not an array, so it has no element ${miss.index}`,
  outside: (miss, sides) =>
    `${there(sides, miss.type)} has ${counted(miss.nelems, 'element')}, and none with the number ${miss.index}`,
  'not-enum': (miss, sides) => `${there(sides, miss.type)} is no enum`,
  'no-enumerator': (miss, sides) => `${there(sides, miss.type)} has no enumerator ${miss.name}`,
  types: (miss, sides) => mismatchText(miss.mismatch, sides),
};

/** Returns the text of a mismatch: path from the roots, both types, and the broken rule. */
function mismatchText(mismatch: Mismatch, sides: Sides): string {
  const { path } = mismatch;
  const where = path.length === 0 ? '' : `at the member ${path.join('.')}, `;
  return `${where}${ruleText(mismatch, sides)}`;
}

function ruleText({ rule, local, target, name }: Mismatch, sides: Sides): string {
  const here = typeExpression(sides.local, local);
  const other = there(sides, target);
  const texts: Readonly<Record<Mismatch['rule'], () => string>> = {
    kind: () =>
      `${here} is ${kindOfSide(sides.local, local)} here, and ${other} is ${kindOfSide(sides.target, target)} there`,
    name: () => `${here} here has another name than ${other} there`,
    'int-bit-offset': () => `${here} or ${other} is an integer with a nonzero bit offset`,
    'int-size': () =>
      `${here} has ${counted(sizeOrTypeOf(sides.local, local), 'byte')} here, and ${other} has ${sizeOrTypeOf(sides.target, target)} there`,
    'enum-size': () =>
      `${here} has ${counted(sizeOrTypeOf(sides.local, local), 'byte')} here, and ${other} has ${sizeOrTypeOf(sides.target, target)} there`,
    'int-sign': () =>
      `${here} is ${signWord(sides.local, local)} here, and ${other} is ${signWord(sides.target, target)} there`,
    nelems: () =>
      `${here} has ${counted(arrayData(sides.local, local).nelems, 'element')} here, and ${other} has ${arrayData(sides.target, target).nelems} there`,
    params: () =>
      `the function has ${counted(vlenOf(sides.local, local), 'parameter')} here, and ${vlenOf(sides.target, target)} there`,
    'more-enumerators': () =>
      `${here} has ${counted(vlenOf(sides.local, local), 'enumerator')} here, and ${other} only ${vlenOf(sides.target, target)} there`,
    enumerator: () => `${other} has no enumerator ${name}`,
    'more-members': () =>
      `${here} has ${counted(vlenOf(sides.local, local), 'member')} here, and ${other} only ${vlenOf(sides.target, target)} there`,
    member: () =>
      name === ''
        ? `${other} has no anonymous member to compare with`
        : `${other} has no member ${name}`,
    'fwd-kind': () =>
      `${here} is ${unionWord(sides.local, local)} here, and ${other} is ${unionWord(sides.target, target)} there`,
    'unexpected-kind': () => `libbpf has no rule for ${kindOfSide(sides.local, local)} (${here})`,
    endless: () => `${here} and ${other} are arrays of themselves`,
  };
  return texts[rule]();
}

/** Reasons why the comparison of a record stops. */
export const MATCH_FAULT_TEXT: Readonly<Record<MatchFault['fault'], string>> = {
  'too-deep': 'the types are nested deeper than libbpf’s limit',
  'no-size': 'the type in the target has no size that libbpf can use',
  'too-much-work': 'comparing the types would take too long, so that libbpf’s result is not known',
  kind: 'there is no such relocation kind',
};

function there({ target }: Sides, id: TypeId): string {
  return typeExpression(target, id);
}

const KIND_TEXT: Readonly<Record<string, string>> = {
  void: 'void',
  int: 'an int',
  array: 'an array',
  enum: 'an enum',
  enum64: 'an enum64',
  unknown: 'an unknown',
  ptr: 'a pointer',
  fwd: 'a forward declaration',
  func_proto: 'a function',
};

function kindOfSide(t: TypeTable, id: TypeId): string {
  const word = kindWord(kindOf(t, id));
  return KIND_TEXT[word] ?? `a ${word}`;
}

function signWord(t: TypeTable, id: TypeId): string {
  return (intData(t, id).encoding & IntEncoding.SIGNED) === 0 ? 'unsigned' : 'signed';
}

/** kind_flag of a FWD states whether it declares a union or a struct. */
function unionWord(t: TypeTable, id: TypeId): string {
  const word = kindWord(kindOf(t, id));
  if (word !== 'fwd') return `a ${word}`;
  return kindFlagOf(t, id) ? 'a declared union' : 'a declared struct';
}
