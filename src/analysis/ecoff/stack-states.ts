/**
 * The stack of an expression behind one of its entries, as formulas and as
 * numbers.
 *
 * Source: Tru64 UNIX Object File and Symbol Table Format Specification, sections
 * 4.3.4.14 to 4.3.4.17.
 */
import type { StackState, StackValue } from '#analysis/objects/relocation-facts.ts';
import { R, relocationAt, relocationTypeName } from '#formats/ecoff/relocations.ts';
import { isStackType, newExpression, operandText, stepText } from './expression.ts';
import type { Layout } from './layout.ts';
import { outcomeAt } from './outcomes.ts';
import type { Outcome } from './relocate.ts';
import type { EntryRow } from './rows.ts';
import { tableFacts } from './table-facts.ts';

/** The state when the entry has done its work; null for entries of no expression. */
export function stackAt(row: EntryRow, layout: Layout): StackState | null {
  const { file, table, n, entry } = row;
  if (!isStackType(entry.rType)) return null;
  const { groups, groupOf } = tableFacts(file, table);
  const members = groups[groupOf[n] ?? -1]?.members ?? [n];
  const texts = newExpression();
  const values: (bigint | null)[] = [];
  let problem: string | null = null;
  let stored: StackValue | null = null;
  for (const at of members) {
    if (at > n) break;
    const outcome = outcomeAt(file, table, layout, at);
    problem = stepText(file, texts, relocationAt(table, at));
    stored = null;
    if (problem !== null || outcome === null) continue;
    const top = stepValue(values, outcome);
    if (outcome.entry.rType === R.opStore) {
      stored = { text: texts.stored.at(-1) ?? '', value: masked(outcome, top) };
    }
  }
  return {
    does: doesText(row),
    stack: texts.stack.map((text, i) => ({ text, value: values[i] ?? null })),
    stored,
    problem,
  };
}

/** Lets the entry work on the numbers; what it took off, or left on top. */
function stepValue(values: (bigint | null)[], { entry, stack }: Outcome): bigint | null {
  const top = stack?.top ?? null;
  if (entry.rType !== R.opPush) values.pop();
  if (entry.rType !== R.opStore) values.push(top);
  return top;
}

/** What goes into the field. */
function masked({ entry }: Outcome, value: bigint | null): bigint | null {
  if (value === null) return null;
  return BigInt.asUintN(entry.rSize === 0 ? 64 : entry.rSize, value);
}

function doesText({ file, entry }: EntryRow): string {
  const name = (relocationTypeName(entry.rType) ?? '').replace('OP_', '');
  if (entry.rType !== R.opStore) return `${name} ${operandText(file, entry)}`;
  const size = entry.rSize === 0 ? 64 : entry.rSize;
  return `${name} ${size} bits at 0x${entry.rVaddr.toString(16)}${entry.rOffset === 0 ? '' : `, from bit ${entry.rOffset} on`}`;
}
