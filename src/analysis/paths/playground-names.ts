/** Converts a C path to an access string: `i_atime.tv_sec`, `p->a.b[2]`, `[1].a`, an enumerator. */
import { tokensOf } from '#analysis/c/tokens.ts';
import { accessStringOf, isEnumRoot } from '#analysis/core/playground.ts';
import { type FollowFault, followNames } from '#analysis/log/follow-names.ts';
import type { LogPathStep } from '#analysis/log/log-line.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';

export type NamedAccess =
  | { readonly accessStr: string }
  /** Range of the text that caused the error, in characters, and similar names. */
  | {
      readonly start: number;
      readonly length: number;
      readonly fault: FollowFault['reason'] | 'syntax';
      readonly near: readonly string[];
    };

type WrittenStep = LogPathStep & { readonly start: number; readonly length: number };

const COMMENT = /\/[/*]/;
/** Maximum characters of a path; no person writes a longer one. */
const MAX_LENGTH = 4096;

/** Returns true for a path with names, false for an access string, which has only numbers. */
export function isWrittenInC(text: string): boolean {
  return /[A-Za-z_.[]|->/.test(text);
}

/** Converts a C path that starts at `root`. Skips a variable before the first `->`. A first index counts pointer elements. */
export function accessOfNames(t: TypeTable, root: TypeId, text: string): NamedAccess {
  const { steps: written, end } = writtenSteps(text.slice(0, MAX_LENGTH));
  if (end < text.length) {
    return { start: end, length: text.length - end, fault: 'syntax', near: [] };
  }
  const isEnum = isEnumRoot(t, root);
  const [first, ...others] = written;
  const pointerIndex = isEnum ? null : (first?.index ?? null);
  const path = pointerIndex === null ? written : others;
  const enumerator = isEnum ? { name: path[0]?.name ?? '', value: 0n } : null;
  const { steps, fault } = followNames(t, root, { path, enumerator });
  if (fault !== null) {
    const at = path[fault.atStep];
    const { start, length } = at ?? { start: 0, length: text.length };
    return { start, length, fault: fault.reason, near: fault.near };
  }
  const indices = steps.map((step) => step.index);
  if (pointerIndex !== null) return { accessStr: [pointerIndex, ...indices].join(':') };
  return { accessStr: accessStringOf(t, root, indices) };
}

/** Returns the steps of a path, and the position of the first character that belongs to no step. */
function writtenSteps(text: string): { readonly steps: WrittenStep[]; readonly end: number } {
  const [path = ''] = text.split(COMMENT, 1);
  const tokens = tokensOf(path);
  const textAt = (i: number) => tokens[i]?.text ?? '';
  const isIndexAt = (i: number) =>
    textAt(i) === '[' && /^\d{1,10}$/.test(textAt(i + 1)) && textAt(i + 2) === ']';
  const isMemberSign = (i: number) => textAt(i) === '.' || textAt(i) === '->';
  const steps: WrittenStep[] = [];
  const isVariable =
    tokens[0]?.kind === 'word' && (textAt(1) === '->' || (isIndexAt(1) && textAt(4) === '.'));
  let next = isVariable ? 1 : 0;
  for (;;) {
    // Two names in a row, as in `a b`, are not a path.
    const hasSign = isMemberSign(next);
    const name = hasSign || next === 0 ? tokens[next + Number(hasSign)] : undefined;
    const index = isIndexAt(next) ? tokens[next + 1] : undefined;
    if (index !== undefined) {
      const place = { start: index.start, length: index.text.length };
      steps.push({ name: null, index: Number(index.text), ...place });
      next += 3;
    } else if (name?.kind === 'word') {
      const place = { start: name.start, length: name.text.length };
      steps.push({ name: name.text, index: null, ...place });
      next += Number(hasSign) + 1;
    } else break;
  }
  return { steps, end: next === 0 ? 0 : (tokens[next]?.start ?? path.length) };
}
