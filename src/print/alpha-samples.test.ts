/** Checks the descriptions of the Alpha samples, which name the instruction of each code word. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { JsonRow } from '#testing/json-row.ts';
import { ecoffSampleNames, samplePath } from '#testing/samples.ts';
import { alphaInsnText } from './alpha-insn.ts';

it.each(ecoffSampleNames())('%s', (name) => {
  const path = samplePath(`src/${name.replace('.ecoff', '.json')}`);
  const description = JsonRow.parse(readFileSync(path, 'utf8'));
  for (const section of description.rows('sections')) {
    if (section.text('name') !== '.text') continue;
    const start = BigInt(section.text('vaddr'));
    const words = section
      .list('words')
      .map((pair) => (Array.isArray(pair) ? pair.map(String) : []));
    const texts = words.map(([word = ''], i) =>
      alphaInsnText(Number(word), start + BigInt(4 * i))
        .replace('\t', ' ')
        .trimEnd(),
    );
    const isCode = (text: string) => !text.startsWith('a ');
    const descriptions = words.map(([, text = '']) => text);
    expect(texts.filter((_, i) => isCode(descriptions[i] ?? ''))).toEqual(
      descriptions.filter(isCode),
    );
  }
});
