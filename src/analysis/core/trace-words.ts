/** The steps of a trace as plain sentences. Names in them are raw text. */
import { typeExpression } from '#analysis/types/type-name.ts';
import { counted } from '#bytes/text.ts';
import { kindName } from '#formats/btf/kinds.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { bitPlace } from './access-text.ts';
import { faultOfMatchWords, mismatchWords, missWords, type Sides } from './match-words.ts';
import type { PatchStep } from './patch-insn.ts';
import type { CoreResult } from './resolve.ts';
import { faultWords } from './spec-value.ts';
import type { CoreTarget } from './target.ts';
import type { MatchStep, TraceStep, Verdict } from './trace.ts';

export type TraceLine = {
  /** 0 for the record, 1 within a candidate, more within types in types. */
  readonly depth: number;
  readonly text: string;
};

/** All steps of a result, worded in their order. Never throws. */
export function traceLines(result: CoreResult, local: TypeTable, target: CoreTarget): TraceLine[] {
  const lines: TraceLine[] = [];
  let within: TypeTable | null = null;
  for (const step of result.steps) {
    if (step.step === 'candidate' || step.step === 'trial') {
      within = target.tables[step.candidate.table]?.types ?? null;
    }
    const text = stepWords(step, { local, target: within ?? local });
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

/** One step. `sides.target` is the table of the candidate that the step belongs to. */
function stepWords(step: TraceStep, sides: Sides): string {
  switch (step.step) {
    case 'searched':
      return `Searched ${step.modules ? 'vmlinux without a match, then the modules' : 'vmlinux'} for this name and kind: ${counted(step.candidates, 'candidate')}.`;
    case 'found':
      return `Candidate: [${step.target.id}] ${step.target.text} in ${step.table}.`;
    case 'list':
      return step.cut
        ? `Earlier relocations of this type left ${counted(step.candidates, 'candidate')} of its list.`
        : `The list of an earlier relocation of this type: ${counted(step.candidates, 'candidate')}.`;
    case 'search-failed':
      return 'An anonymous type cannot be looked up.';
    case 'captured':
      return `Index ${step.atStep} leads into [${step.type}], and ${step.kind} has nothing inside.`;
    case 'parse-failed':
      return `The access string '${step.accessStr}' cannot be followed: ${step.message}.`;
    case 'local-spec':
      return `In this file: ${step.spec}.`;
    case 'candidate':
      return `Candidate ${step.number}: [${step.candidate.id}] ${typeExpression(sides.target, step.candidate.id)}.`;
    case 'trial':
      return `Candidate ${step.number} ${verdictWords(step.verdict, sides)}. Reached: ${step.spec}.`;
    case 'unexpected-kind':
      return `libbpf has no rule for ${step.kind}, and treats that as a mismatch.`;
    case 'value': {
      const whose = step.side === 'local' ? 'this file' : 'the target';
      const access =
        step.memSize === 0 ? '' : `, and ${counted(step.memSize, 'byte')} are accessed`;
      return `By the types of ${whose} the number is ${step.value}${access}.`;
    }
    case 'value-fault':
      return `No value in ${step.side === 'local' ? 'this file' : 'the target'}: ${faultWords(step.fault)}.`;
    case 'offset-ambiguity':
      return `This candidate has the field at ${bitPlace(BigInt(step.bitOffset))}, the first one at ${bitPlace(BigInt(step.first))}: libbpf does not choose.`;
    case 'value-ambiguity':
      return `This candidate gives ${step.value}, the first one ${step.first}: libbpf does not choose.`;
    case 'no-match':
      return step.poison
        ? 'No candidate matches, so there is no value to write: the instruction is made invalid.'
        : 'No candidate matches: the result is 0.';
    case 'cut':
      return `Of ${counted(step.before, 'candidate')} the ${step.after} that match remain for later relocations of this type.`;
    case 'mem-size':
      return `The field has ${counted(step.origSz, 'byte')} here and ${step.newSz} in the target: ${
        step.allowed ? 'a pointer or an unsigned integer may' : 'this type may not'
      } change its size in a load or store.`;
    case 'result':
      return `Result: ${step.status}.`;
    default:
      return isMatchStep(step) ? matchStepWords(step, sides) : patchStepWords(step);
  }
}

function verdictWords(verdict: Verdict, sides: Sides): string {
  switch (verdict.outcome) {
    case 'match':
      return 'matches';
    case 'miss':
      return `does not match: ${missWords(verdict.miss, sides)}`;
    case 'fault':
      return `stops the relocation: ${faultOfMatchWords(verdict.fault)}`;
  }
}

const MATCH_STEPS: ReadonlySet<string> = new Set<MatchStep['step']>([
  'element',
  'look-up',
  'anonymous',
  'searched-before',
  'member',
  'bounds',
  'enumerator',
  'compare',
  'compared-before',
  'mismatch',
]);

function isMatchStep(step: MatchStep | PatchStep): step is MatchStep {
  return MATCH_STEPS.has(step.step);
}

function matchStepWords(step: MatchStep, sides: Sides): string {
  const { local, target } = sides;
  switch (step.step) {
    case 'element':
      return `Element ${step.index} of ${typeExpression(target, step.type)}, ${counted(step.byteSize, 'byte')} each: ${bitPlace(BigInt(step.bitOffset))}.`;
    case 'look-up':
      return `Member ${step.name} is looked up in [${step.type}] ${typeExpression(target, step.type)}.`;
    case 'anonymous':
      return `Member ${step.index} of [${step.type}] has no name: its members, of [${step.inner}], are searched in place.`;
    case 'searched-before':
      return `[${step.type}] was searched before.`;
    case 'member': {
      const found = `${step.name} is member ${step.index} of [${step.type}] ${typeExpression(target, step.type)}, at ${bitPlace(BigInt(step.bitOffset))}`;
      return step.mismatch === null
        ? `${found}. The types are compatible.`
        : `${found}. The types are not compatible: ${mismatchWords(step.mismatch, sides)}.`;
    }
    case 'bounds': {
      const size = step.flexible ? 'a flexible array' : counted(step.nelems, 'element');
      return `[${step.type}] ${typeExpression(target, step.type)} has ${size}: element ${step.index} is ${step.fits ? 'inside' : 'outside'}.`;
    }
    case 'enumerator':
      return step.index === null
        ? `${typeExpression(target, step.type)} has no enumerator ${step.name}.`
        : `${step.name} is enumerator ${step.index} of [${step.type}] ${typeExpression(target, step.type)}.`;
    case 'compare': {
      const member = step.member === null ? '' : `Member ${step.member}: `;
      return `${member}${pairWords(local, step.local)} here, ${pairWords(target, step.target)} there.`;
    }
    case 'compared-before':
      return `[${step.local}] and [${step.target}] were compared before: they ${step.equal ? 'go' : 'do not go'} together.`;
    case 'mismatch':
      return `They do not match: ${mismatchWords(step.mismatch, sides)}.`;
  }
}

function pairWords(t: TypeTable, id: Parameters<typeof typeExpression>[1]): string {
  return `[${id}] ${kindName(kindOf(t, id))} ${typeExpression(t, id)}`;
}

function patchStepWords(step: PatchStep): string {
  switch (step.step) {
    case 'patched':
      return `The instruction (${step.form}) held ${BigInt.asIntN(64, step.from)} and now holds ${step.to}.`;
    case 'patched-mem-size':
      return `It accesses ${counted(step.to, 'byte')} in place of ${step.from}.`;
    case 'substituted':
      return step.second
        ? 'The second half of the instruction is replaced by an invalid call.'
        : 'The instruction is replaced by an invalid call.';
    case 'wrong-value':
      return `The instruction holds ${step.got}, but by the types of this file it should hold ${step.expected}: libbpf leaves it unchanged.`;
    case 'too-big':
      return `${step.value} does not fit the 16-bit offset of a load or store.`;
    case 'bad-access':
      return 'A load or store of the old size would read or write the wrong bytes.';
    case 'wrong-mem-size':
      return `The instruction accesses ${counted(step.got, 'byte')}, and not the ${step.expected} of the field.`;
    case 'no-mem-size':
      return `No load or store accesses ${counted(step.size, 'byte')}.`;
    case 'unexpected-form':
      return 'The instruction is not a load of a plain 64-bit constant.';
    case 'register-operand':
      return 'The instruction has a register operand, not an immediate.';
    case 'unrecognized':
      return 'Instructions of this class are never patched.';
    case 'no-insn':
      return 'There is no instruction at this place.';
  }
}
