/**
 * What the workbench emits is what clang does. Seeds are texts; to compare more of them:
 * `BTFSCOPE_DECLARATIONS=2000 npx vitest run src/analysis/workbench`. The golden file is
 * clang's output, made with `BTFSCOPE_WRITE_GOLDEN=1` in place of that.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { clangLines, hasClang, ourLines, sourceFor } from '#testing/clang-types.ts';
import { randomDeclarations } from '#testing/random-declarations.ts';
import { parseDeclarations } from './parse.ts';

const COUNT = Number(process.env.BTFSCOPE_DECLARATIONS ?? 60);

/** Hashes of what clang wrote for seeds from 1 on, for machines without it. */
const GOLDEN = fileURLToPath(new URL('clang.golden.txt', import.meta.url));
const GOLDEN_COUNT = 300;
const hashOf = (lines: readonly string[]) =>
  createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16);

it(`is what clang wrote for ${GOLDEN_COUNT} random texts`, async () => {
  const golden = readFileSync(GOLDEN, 'utf8').trim().split('\n');
  expect(golden).toHaveLength(GOLDEN_COUNT);
  for (const [i, hash] of golden.entries()) {
    const text = randomDeclarations(i + 1);
    const { declared, problems, layouts } = parseDeclarations(text);
    expect(problems, text).toEqual([]);
    expect(hashOf(await ourLines(declared, layouts)), text).toBe(hash);
  }
});

describe.skipIf(!hasClang)('clang', () => {
  it(`writes the same for ${COUNT} random texts`, { timeout: 600_000 }, async () => {
    const hashes: string[] = [];
    const isGolden = process.env.BTFSCOPE_WRITE_GOLDEN !== undefined;
    for (let seed = 1; seed <= (isGolden ? GOLDEN_COUNT : COUNT); seed++) {
      const text = randomDeclarations(seed);
      const { declared, problems, layouts } = parseDeclarations(text);
      expect(problems, text).toEqual([]);
      const theirs = await clangLines(sourceFor(text, declared));
      expect(await ourLines(declared, layouts), text).toEqual(theirs);
      hashes.push(hashOf(theirs));
    }
    if (isGolden) writeFileSync(GOLDEN, `${hashes.join('\n')}\n`);
    else expect(readFileSync(GOLDEN, 'utf8').split('\n').slice(0, COUNT)).toEqual(hashes);
  });
});
