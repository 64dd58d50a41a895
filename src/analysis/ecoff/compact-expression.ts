/** A stack expression of the compact relocations as one formula. */
import { type CompactRelocations, compactExpressionAt } from '#formats/ecoff/compact.ts';
import type { EcoffFile } from '#formats/ecoff/ecoff-file.ts';
import { R } from '#formats/ecoff/relocations.ts';
import { newExpression, STACK_MAX, stepText } from './expression.ts';

/** `r_type` of each `CMRLC_EXPR_…`. */
const TYPES: readonly (number | null)[] = [null, R.opPush, R.opPsub, R.opPrshift, R.opStore];
/** Two entries for each value that the stack may hold, and a STORE: longer ones are cut. */
const MOST_ENTRIES = 4 * STACK_MAX;

/** The formula of the sequence that begins at `index`; why there is none, in words, where it is no expression. */
export function compactInfix(compact: CompactRelocations, index: number): string {
  const state = newExpression();
  for (let i = index; i < compact.expressions.count && i < index + MOST_ENTRIES; i++) {
    const entry = compactExpressionAt(compact.expressions, i);
    const rType = TYPES[entry.type] ?? null;
    if (rType === null) return 'it has an entry of an unknown type';
    const error = stepText(NO_SYMBOLS, state, {
      rVaddr: entry.vaddr,
      rSymndx: entry.relScn,
      rType,
      rExtern: false,
      rOffset: entry.offset,
      rReserved: 0,
      rSize: entry.size,
    });
    if (error !== null) return error;
    if (entry.isLast) break;
  }
  return state.stored.join('; ') || 'it stores nothing';
}

/** All entries are local: a linked file has no external ones left. */
const NO_SYMBOLS: Pick<EcoffFile, 'externals'> = { externals: null };
