/** Describes the result of a record and its reason in one sentence, from the recorded steps. */
import { typeExpression } from '#analysis/types/type-name.ts';
import { counted } from '#bytes/text.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { CoreTarget } from './candidates.ts';
import { coreKind } from './core-kinds.ts';
import type { Decision, PatchStep } from './patch-insn.ts';
import type { CoreResult } from './resolve.ts';
import { FIELD_FAULT_TEXT } from './spec-value.ts';
import type { TraceStep } from './trace.ts';
import { MATCH_FAULT_TEXT, missText } from './trace-text.ts';

type Unexplained = Omit<CoreResult, 'reason'>;

const INVALID = 'the instruction becomes a call that no kernel accepts';

/** Returns a sentence about a result. Never throws. Names are not escaped. */
export function reasonText(result: Unexplained, local: TypeTable, target: CoreTarget): string {
  const { decision, poisonReason } = result;
  if (result.status === 'skipped') {
    return 'libbpf skips the record: no function symbol holds the instruction, as after linking has replaced a weak function.';
  }
  if (decision === null) return sentence(unresolvedText(result, local));
  if (result.patchErr !== 0) return sentence(unpatchedText(result.steps));
  if (poisonReason === 'memsz') return sentence(memSizeText(decision));
  if (decision.poison) {
    return sentence(`${absenceText(result, local, target)}: ${INVALID}`);
  }
  if (coreKind(result.record.kind)?.name === 'local_type_id') {
    return `The id of the type in this file is ${decision.newVal}; the target is not consulted.`;
  }
  if (result.matched.length === 0) {
    return sentence(`${absenceText(result, local, target)}: the answer is ${decision.newVal}`);
  }
  return sentence(foundText(result, decision, target));
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

function foundText(
  { matched, record }: Unexplained,
  decision: Decision,
  target: CoreTarget,
): string {
  const [first] = matched;
  const types = first === undefined ? undefined : target.tables[first.table]?.types;
  const where =
    first === undefined || types === undefined
      ? 'the target'
      : `${typeExpression(types, first.id)} [${first.id}]`;
  const others = matched.length - 1;
  const also = others > 0 ? ` and ${counted(others, 'more candidate')} that agree` : '';
  const { origVal, newVal } = decision;
  const number =
    origVal === newVal ? `${newVal}, as in this file` : `${newVal}, and ${origVal} in this file`;
  return `the ${coreKind(record.kind)?.name ?? 'number'} of ${where}${also} is ${number}`;
}

/** Returns the reason why nothing matches: no candidate, or the first candidate's mismatch. */
function absenceText(result: Unexplained, local: TypeTable, target: CoreTarget): string {
  const { steps, candsIn, record } = result;
  const type = typeExpression(local, record.root);
  if (candsIn.length === 0) return `the target has no type that matches ${type}`;
  for (const step of steps) {
    if (step.step !== 'trial' || step.verdict.outcome !== 'miss') continue;
    const types = target.tables[step.candidate.table]?.types;
    if (types === undefined) continue;
    const why = missText(step.verdict.miss, { local, target: types });
    const others = candsIn.length - 1;
    const also =
      others === 0
        ? ''
        : `, nor does ${others === 1 ? 'the other candidate' : `any of ${others} others`} fit`;
    return `in the target ${why}${also}`;
  }
  return `the target has no match for ${type}`;
}

function unresolvedText({ steps, record }: Unexplained, local: TypeTable): string {
  for (const step of steps) {
    const words = faultStepText(step);
    if (words !== null) return words;
  }
  return `libbpf cannot resolve ${typeExpression(local, record.root)}`;
}

function faultStepText(step: TraceStep): string | null {
  switch (step.step) {
    case 'search-failed':
      return 'an anonymous type cannot be looked up in the target';
    case 'parse-failed':
      return `the access string cannot be followed: ${step.message}`;
    case 'trial':
      return step.verdict.outcome === 'fault' ? MATCH_FAULT_TEXT[step.verdict.fault] : null;
    case 'value-fault':
      return `${step.side === 'local' ? 'in this file' : 'in the target'} ${FIELD_FAULT_TEXT[step.fault]}`;
    case 'offset-ambiguity':
      return `two candidates match, and the field is at bit ${step.first} of the first and at bit ${step.bitOffset} of the next`;
    case 'value-ambiguity':
      return `two candidates match, and the first gives ${step.first}, the next ${step.value}`;
    default:
      return null;
  }
}

function memSizeText({ origSz, newSz }: Decision): string {
  const there = newSz === 0 ? 'is a bit-field in the target' : `${newSz} in the target`;
  return `the field has ${counted(origSz, 'byte')} in this file and ${there}, and only pointers and unsigned integers may change size: ${INVALID}`;
}

function unpatchedText(steps: readonly TraceStep[]): string {
  for (const step of steps) {
    const words = unpatchedStepText(step);
    if (words !== null) return words;
  }
  return 'the instruction cannot be patched';
}

function unpatchedStepText(step: TraceStep | PatchStep): string | null {
  switch (step.step) {
    case 'wrong-value':
      return `the instruction holds ${step.got} where the types of this file say ${step.expected}`;
    case 'too-big':
      return `the offset ${step.value} does not fit the 16 bits of a load or store`;
    case 'wrong-mem-size':
      return `the instruction accesses ${counted(step.got, 'byte')} and the field has ${step.expected} in this file, so its size cannot be adjusted`;
    case 'no-mem-size':
      return `no load or store accesses ${counted(step.size, 'byte')}, which the field has in the target`;
    case 'unexpected-form':
      return 'the instruction is not a load of a plain 64-bit constant';
    case 'register-operand':
      return 'the instruction has a register operand, not an immediate';
    case 'unrecognized':
      return 'an instruction of this class is never patched';
    case 'no-insn':
      return 'there is no instruction at this place';
    default:
      return null;
  }
}

/**
 * Result of a record. `same`: the instruction is unchanged. `changed`: its offset, size or value
 * differs. `absent`: nothing matches and the value is 0. `poisoned`: the instruction becomes
 * invalid. `fails`: libbpf rejects the program.
 */
export type CoreState = 'same' | 'changed' | 'absent' | 'poisoned' | 'fails';

/** Kinds whose value without a match is 0: existence checks, match, target id and type size. */
const ANSWERED: ReadonlySet<number> = new Set([2, 7, 8, 9, 10, 12]);

/** Returns the state of a result. Compares the decided values, not the instruction's bytes. */
export function coreState({
  record,
  status,
  decision,
  matched,
}: Pick<CoreResult, 'record' | 'status' | 'decision' | 'matched'>): CoreState {
  if (status === 'skipped') return 'same';
  if (status === 'poisoned') return 'poisoned';
  if (status !== 'ok' || decision === null) return 'fails';
  if (matched.length === 0 && ANSWERED.has(record.kind)) return 'absent';
  const { origVal, newVal, origSz, newSz } = decision;
  return origVal === newVal && origSz === newSz ? 'same' : 'changed';
}
