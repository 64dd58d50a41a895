/** A path written in C as an access string: `i_atime.tv_sec`, `p->a.b[2]`, `[1].a`, `VALUE` of an enum. */
import { accessStringOf, isEnumRoot } from '#analysis/core/playground.ts';
import { type FollowFault, followNames } from '#analysis/log/follow-names.ts';
import type { LogPathStep } from '#analysis/log/log-line.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';

export type NamedAccess =
  | { readonly accessStr: string }
  /** Which part of the text leads nowhere, in characters, and what may be meant. */
  | {
      readonly start: number;
      readonly length: number;
      readonly fault: FollowFault['reason'] | 'syntax';
      readonly near: readonly string[];
    };

type Token = LogPathStep & { readonly start: number; readonly length: number };

/** An identifier that begins the path or stands behind `.` or `->`, or an index in brackets. */
const TOKEN = /\s*(?:(?:\.|->)?\s*([A-Za-z_$][\w$]*)|\[\s*(\d{1,10})\s*\])\s*/y;
/** Longer ones than a person writes. */
const MAX_LENGTH = 4096;

/** Is it written in names? An access string has none. */
export function isWrittenInC(text: string): boolean {
  return /[A-Za-z_.[]|->/.test(text);
}

/**
 * Follows names from `root`, anonymous members seen through. A variable before the
 * first `->` is skipped; an index in front counts elements of the pointer. Total.
 */
export function accessOfNames(t: TypeTable, root: TypeId, text: string): NamedAccess {
  const { tokens, end } = tokensOf(text.slice(0, MAX_LENGTH));
  if (end < text.length) {
    return { start: end, length: text.length - end, fault: 'syntax', near: [] };
  }
  const isEnum = isEnumRoot(t, root);
  const [first, ...others] = tokens;
  const pointerIndex = isEnum ? null : (first?.index ?? null);
  const path = pointerIndex === null ? tokens : others;
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

function tokensOf(text: string): { readonly tokens: Token[]; readonly end: number } {
  const tokens: Token[] = [];
  let end = /^\s*[A-Za-z_]\w*\s*(?=->|\[\d+\]\s*\.)/.exec(text)?.[0].length ?? 0;
  while (end < text.length) {
    TOKEN.lastIndex = end;
    const match = TOKEN.exec(text);
    // Two names in a row are no path: `a b`.
    const [all = '', name, index] = match ?? [];
    if (all === '' || (name !== undefined && end > 0 && !/^\s*(\.|->)/.test(all))) break;
    const word = name ?? index ?? '';
    const start = end + all.indexOf(word);
    const place = { start, length: word.length };
    tokens.push(
      name === undefined
        ? { name: null, index: Number(word), ...place }
        : { name, index: null, ...place },
    );
    end += all.length;
  }
  return { tokens, end };
}
