/** Tests of `btfscope pahole` on DWARF, with objects of testdata/dwarf. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runCommand } from '#testing/run-command.ts';

const DWARF = `${import.meta.dirname}/../../testdata/dwarf`;
const read = (name: string) => new Uint8Array(readFileSync(`${DWARF}/${name}`));
const OBJECTS = ['gcc', 'clang', 'shared', 'layouts.gcc', 'layouts.clang', 'layouts.both'];
const files = new Map(OBJECTS.map((name) => [`${name}.o`, read(`${name}.o`)]));

describe('btfscope pahole of DWARF', () => {
  it.each(OBJECTS)('writes what pahole -F dwarf 1.31 writes of %s.o', async (object) => {
    const { status, out } = await runCommand(['pahole', `${object}.o`], files);
    expect(status).toBe(0);
    expect(out).toBe(readFileSync(`${DWARF}/${object}.pahole.txt`, 'utf8'));
  });

  it('writes the types as those of BTF for pahole 1.24', async () => {
    const { out } = await runCommand(['pahole', '--pahole', '1.24', 'layouts.gcc.o'], files);
    expect(out).toContain('struct deep {');
    expect(out).not.toContain('/* Force padding: */');
  });
});
