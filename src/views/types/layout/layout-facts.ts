/** The figures of a layout, in pahole's words and as pahole counts them. */
import type { PaholeLine } from './pahole-lines.ts';

export type LayoutFact = { readonly term: string; readonly value: string };

/**
 * What stands at the end of pahole's text: `size`, `cachelines`, `members`, and
 * where there are some `holes`, `sum holes`, `padding` and so on, in its order.
 * Empty for unions, which pahole does not sum up.
 */
export function layoutFacts(lines: readonly PaholeLine[]): LayoutFact[] {
  const start = lines.findLastIndex(({ text }) => text.startsWith('\t/* size: '));
  if (start < 0) return [];
  const facts: LayoutFact[] = [];
  for (const { text } of lines.slice(start)) {
    const [, inner] = /^\t\/\* ([a-z_].*) \*\/$/.exec(text) ?? [];
    for (const part of inner?.split(', ') ?? []) {
      const [term, value] = part.split(': ');
      if (term !== undefined && value !== undefined) facts.push({ term, value });
    }
  }
  return facts;
}

/** The figures that pahole would give of a union, if it gave any. */
export function unionFacts(sizeBytes: number, members: number): LayoutFact[] {
  return [
    { term: 'size', value: `${sizeBytes}` },
    { term: 'cachelines', value: `${Math.ceil(sizeBytes / 64)}` },
    { term: 'members', value: `${members}` },
  ];
}
