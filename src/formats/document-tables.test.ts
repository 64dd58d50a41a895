/** The tables of docs/document-examples.md are those of the code. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { bpfRelocationType } from './bpf/relocations.ts';
import {
  immedName,
  lituseName,
  relocationTypeName,
  sectionNumberName,
} from './ecoff/relocations.ts';

const page = readFileSync(`${import.meta.dirname}/../../docs/document-examples.md`, 'utf8');

/** Returns the cells of the rows below a heading. */
function rowsBelow(heading: string): readonly (readonly string[])[] {
  const part = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const lines = part.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

it('BPF has six types, with BitSize and place', () => {
  const rows = rowsBelow('BPF: relocation types');
  expect(rows).toHaveLength(6);
  for (const [name = '', number = '', patches = '', bits = '', at = '', writes = ''] of rows) {
    const type = bpfRelocationType(Number(number), patches.includes('data'));
    expect(type.name).toBe(name);
    expect(type.siteBitWidth).toBe(Number(bits));
    if (bits !== '') expect(type.siteByteDelta).toBe(at === 'r_offset' ? 0 : 4);
    expect(type.formula ?? '').toBe(writes);
  }
});

it('Alpha has 19 section numbers', () => {
  const rows = rowsBelow('Alpha: section numbers of local entries (table 4-1)');
  expect(rows).toHaveLength(19);
  for (const [i, [symbol = '', number = '', section = '']] of rows.entries()) {
    expect(Number(number)).toBe(i);
    const name = sectionNumberName(i);
    expect(name).toBe(section.startsWith('.') ? section : symbol);
  }
});

it.each([
  ['Alpha: relocation types (table 4-2)', 23, (n: number) => `R_${relocationTypeName(n)}`],
  ['Alpha: literal uses (table 4-3)', 3, lituseName],
  ['Alpha: immediates (table 4-4)', 5, immedName],
] as const)('%s', (heading, count, nameOf) => {
  const rows = rowsBelow(heading);
  expect(rows).toHaveLength(count);
  for (const [name = '', number = ''] of rows) expect(nameOf(Number(number))).toBe(name);
});
