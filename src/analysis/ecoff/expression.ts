/** Stack expressions: Tru64 UNIX Object File Specification, 4.3.3.5 and 4.3.4.14 to 4.3.4.17. */
import type { CompactRelocations } from '#formats/ecoff/compact.ts';
import { compactExpressionAt } from '#formats/ecoff/compact.ts';
import type { EcoffFile } from '#formats/ecoff/ecoff-file.ts';
import { R, R_SN_ABS, type Relocation, sectionNumberName } from '#formats/ecoff/relocations.ts';
import { symbolText } from './entry-text.ts';

/** Maximum number of values on the stack; GNU BFD allows 10. */
export const MAX_STACK = 20;

/** Maximum length of a formula in characters, since each entry can add an operand. */
const MAX_TEXT = 4096;

export type ExpressionError = 'stack underflow' | 'stack overflow';

/** Formulas on the stack, bottom first, and the greatest number of values so far. */
export type ExpressionState = {
  readonly stack: string[];
  depthMax: number;
  /** Formula and place of each stored value. */
  readonly stored: string[];
};

export function newExpression(): ExpressionState {
  return { stack: [], depthMax: 0, stored: [] };
}

/** Returns true if entries of this type use the stack. */
export function isStackType(rType: number): boolean {
  return rType >= R.opPush && rType <= R.opPrshift;
}

/** Applies `entry` to the stack. On underflow or overflow returns the error and changes nothing. */
export function stepText(
  file: Pick<EcoffFile, 'externals'>,
  state: ExpressionState,
  entry: Relocation,
): ExpressionError | null {
  const { stack } = state;
  if (entry.rType === R.opPush) {
    if (stack.length >= MAX_STACK) return 'stack overflow';
    stack.push(operandText(file, entry));
    state.depthMax = Math.max(state.depthMax, stack.length);
    return null;
  }
  const top = stack.pop();
  if (top === undefined) return 'stack underflow';
  if (entry.rType === R.opStore) {
    state.stored.push(`${placeText(entry)} = ${maskedText(entry, top)}`);
    return null;
  }
  const operator = entry.rType === R.opPsub ? '-' : '>>';
  stack.push(cut(`(${top}${operator}${operandText(file, entry)})`));
  return null;
}

/** Returns an operand's text: `&symbol`, `(.section+0x30)`, or a constant. */
export function operandText(file: Pick<EcoffFile, 'externals'>, entry: Relocation): string {
  if (entry.rExtern) return `&${symbolText(file, entry)}`;
  if (entry.rSymndx === R_SN_ABS) return entry.rVaddr.toString();
  return `(${symbolText(file, entry)}+0x${entry.rVaddr.toString(16)})`;
}

function placeText(entry: Relocation): string {
  const section = sectionNumberName(entry.rSymndx) ?? `<section ${entry.rSymndx}>`;
  const place = `(${section}+0x${entry.rVaddr.toString(16)})`;
  const isWhole = entry.rOffset === 0 && [0, 8, 16, 32].includes(entry.rSize);
  return isWhole ? place : `${place}[${entry.rOffset}:${entry.rSize}]`;
}

function maskedText(entry: Relocation, value: string): string {
  if (entry.rSize === 0) return value;
  const mask = (1n << BigInt(entry.rSize)) - 1n;
  return `(${value} & 0x${mask.toString(16)})`;
}

function cut(text: string): string {
  return text.length <= MAX_TEXT ? text : `…${text.slice(-MAX_TEXT)}`;
}

/** Entry type `r_type` by number of the compact type `CMRLC_EXPR_…`. */
const TYPES: readonly (number | null)[] = [null, R.opPush, R.opPsub, R.opPrshift, R.opStore];
/** Maximum number of entries in an expression. Longer expressions are cut. */
const MAX_ENTRIES = 4 * MAX_STACK;

/** Returns the formula of the expression that begins at `index`, or the text of an error. */
export function compactInfix(compact: CompactRelocations, index: number): string {
  const { state, error } = runCompact(compact, index);
  return error ?? (state.stored.join('; ') || 'it stores nothing');
}

/** Returns what is wrong with the expression that begins at `index`, or null. */
export function expressionError(compact: CompactRelocations, index: number): string | null {
  const { state, error } = runCompact(compact, index);
  if (error !== null) return error;
  if (state.stored.length === 0) return 'it stores nothing';
  return state.stack.length > 0 ? 'it leaves a value on the stack' : null;
}

function runCompact(compact: CompactRelocations, index: number) {
  const state = newExpression();
  for (let i = index; i < compact.expressions.count && i < index + MAX_ENTRIES; i++) {
    const entry = compactExpressionAt(compact.expressions, i);
    const rType = TYPES[entry.type] ?? null;
    if (rType === null) return { state, error: 'it has an entry of an unknown type' };
    const error = stepText(NO_SYMBOLS, state, {
      rVaddr: entry.vaddr,
      rSymndx: entry.relScn,
      rType,
      rExtern: false,
      rOffset: entry.offset,
      rReserved: 0,
      rSize: entry.size,
    });
    if (error !== null) return { state, error };
    if (entry.isLast) break;
  }
  return { state, error: null };
}

/** File without external symbols: linked files have none. */
const NO_SYMBOLS: Pick<EcoffFile, 'externals'> = { externals: null };
