/** Texts of the answer on a log. Names in them are raw text of the log. */
import type { ChainInsn } from '#analysis/verifier/told-answer.ts';

type SourcePlace = { readonly file: string | null; readonly line: number | null };

/** Returns `null.bpf.c:12`; `line 12` without a file. */
export function placeText({ file, line }: SourcePlace): string {
  if (file === null) return line === null ? 'source' : `line ${line}`;
  return line === null ? file : `${file}:${line}`;
}

/** Groups consecutive instructions of one line of C. */
export function chainGroups(places: readonly ChainInsn[]): ChainInsn[][] {
  const groups: ChainInsn[][] = [];
  for (const place of places) {
    const last = groups.at(-1)?.at(-1);
    if (last !== undefined && isSameLine(last, place)) groups.at(-1)?.push(place);
    else groups.push([place]);
  }
  return groups;
}

function isSameLine({ source: a }: ChainInsn, { source: b }: ChainInsn): boolean {
  if (a === null || b === null) return false;
  return a.file === b.file && a.line === b.line && (a.line !== null || a.text === b.text);
}

/** A paragraph, or lines of code. */
export type FixBlock = { readonly isCode: boolean; readonly text: string };

/** Divides a repair into paragraphs and fenced code. */
export function fixBlocks(fix: string): FixBlock[] {
  return fix
    .split('```')
    .map((text, i) => ({
      isCode: i % 2 === 1,
      text: (i % 2 === 1 ? text.replace(/^[a-z]*\n/, '') : text).trim(),
    }))
    .filter(({ text }) => text !== '');
}
