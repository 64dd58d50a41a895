/** Tests of `btfscope pahole` on DWARF, with objects of testdata/dwarf. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runCommand } from '#testing/run-command.ts';

const DWARF = `${import.meta.dirname}/../../testdata/dwarf`;
const read = (name: string) => new Uint8Array(readFileSync(`${DWARF}/${name}`));
const OBJECTS = ['gcc', 'clang', 'shared', 'layouts.gcc', 'layouts.clang', 'layouts.both'];
const files = new Map([...OBJECTS, 'typedefs'].map((name) => [`${name}.o`, read(`${name}.o`)]));

describe('btfscope pahole of DWARF', () => {
  it.each(OBJECTS)('writes what pahole -F dwarf 1.31 writes of %s.o', async (object) => {
    const { status, out } = await runCommand(['pahole', `${object}.o`], files);
    expect(status).toBe(0);
    expect(out).toBe(readFileSync(`${DWARF}/${object}.pahole.txt`, 'utf8'));
  });

  it.each(['typedefs', 'layouts.both'])(
    'writes what pahole -F dwarf -C 1.31 writes of each type of %s.o',
    async (object) => {
      const expected = readFileSync(`${DWARF}/${object}.types.txt`, 'utf8');
      const [, ...parts] = expected.split(/^-C (.*)\n/m);
      for (let i = 0; i < parts.length; i += 2) {
        const name = parts[i] ?? '';
        const { out } = await runCommand(['pahole', `${object}.o`, '--type', name], files);
        expect(out, name).toBe(parts[i + 1]);
      }
      expect(parts.length).toBeGreaterThan(40);
    },
  );

  it('finds a type by its kind', async () => {
    const typeOf = async (name: string) =>
      await runCommand(['pahole', 'typedefs.o', '--type', name], files);
    expect((await typeOf('enum:number')).out).toMatch(/^enum number \{\n/);
    expect((await typeOf('struct:inside')).out).toMatch(/^struct inside \{\n/);
    const { status, err } = await typeOf('int');
    expect([status, err.at(-1)]).toEqual([1, 'btfscope: "int" is not a struct or union']);
  });

  it('does not write the types of skeletons', async () => {
    const split = new Map([
      ['a.o', read('skeleton.4.o')],
      ['a.o.dwp', read('split.4.dwp')],
    ]);
    const { out } = await runCommand(['pahole', 'a.o'], split);
    expect(out).toContain('struct packed_by_value {');
  });

  it('writes the types as those of BTF for pahole 1.24', async () => {
    const { out } = await runCommand(['pahole', '--pahole', '1.24', 'layouts.gcc.o'], files);
    expect(out).toContain('struct deep {');
    expect(out).not.toContain('/* Force padding: */');
  });
});
