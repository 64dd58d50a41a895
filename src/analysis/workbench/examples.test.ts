import { describe, expect, it } from 'vitest';
import { clangLines, hasClang, ourLines, sourceFor } from '#testing/clang-types.ts';
import { openModel } from '#testing/open-model.ts';
import { EXAMPLES } from './examples.ts';
import { parseDeclarations } from './parse.ts';
import { compileDeclarations } from './workbench.ts';

const CASES = EXAMPLES.map(({ id, text }) => [id, text] as const);

describe.each(CASES)('the example %s', (_, text) => {
  it.each(['little', 'big'] as const)('compiles without a problem, %s-endian', async (endian) => {
    const { btf, problems } = compileDeclarations(text, endian);
    expect(problems).toEqual([]);
    const model = await openModel('example.btf', btf);
    expect(model.issues).toEqual([]);
    expect(model.endian).toBe(endian);
    expect(model.types?.count).toBeGreaterThan(2);
  });

  it.skipIf(!hasClang)('is what clang writes', { timeout: 60_000 }, async () => {
    const { declared, layouts } = parseDeclarations(text);
    expect(await ourLines(declared, layouts)).toEqual(await clangLines(sourceFor(text, declared)));
  });
});

it('each has a name and a text of its own', () => {
  for (const part of ['id', 'title', 'text'] as const) {
    expect(new Set(EXAMPLES.map((example) => example[part])).size).toBe(EXAMPLES.length);
  }
});
