/** Compiles the proposed orders with gcc and compares sizes and offsets with the proposal. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { membersOf } from '#model/type-items.ts';
import { nameOf, sizeOrTypeOf } from '#model/type-table.ts';
import { runs } from '#testing/runs.ts';
import { tableInFile } from '#testing/type-table.ts';
import { whatIf } from './what-if.ts';

const GCC = process.env.GCC ?? 'gcc';
/** Only gcc 12 and later can write BTF. */
const hasGcc =
  spawnSync(GCC, ['-gbtf', '-c', '-x', 'c', '-o', '/dev/null', '/dev/null']).status === 0;

const TYPES = ['char', 'short', 'int', 'long', 'void *', 'unsigned char', 'struct pair'] as const;

const member = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TYPES).map((type) => ({ type, behind: '' })) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 5 }).map((n) => ({ type: 'char', behind: `[${n}]` })),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 20 }).map((n) => ({ type: 'int', behind: `:${n}` })),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 40 }).map((n) => ({ type: 'long', behind: `:${n}` })),
  },
);

const structs = fc.sample(fc.array(member, { minLength: 3, maxLength: 16 }), {
  numRuns: runs(200),
  seed: 4,
});
const PAIR = 'struct pair { short x, y; };\n';

function declared(name: string, members: readonly string[]): string {
  return `struct ${name} { ${members.join(' ')} };\n`;
}

describe.skipIf(!hasGcc)('with gcc', () => {
  it('has the proposed sizes and offsets', () => {
    const folder = mkdtempSync(join(tmpdir(), 'what-if-'));
    const compile = (name: string, text: string): string => {
      const file = join(folder, name);
      writeFileSync(`${file}.c`, text);
      const { status, stderr } = spawnSync(GCC, ['-gbtf', '-c', `${file}.c`, '-o', `${file}.o`]);
      expect(`${stderr}`).toBe('');
      expect(status).toBe(0);
      return `${file}.o`;
    };
    try {
      const texts = structs.map((members) =>
        members.map(({ type, behind }, i) => `${type} m${i}${behind};`),
      );
      const now = texts.map((members, i) => `${declared(`s${i}`, members)}struct s${i} v${i};\n`);
      const t = tableInFile(readFileSync(compile('now', PAIR + now.join(''))));
      if (t === null) throw new Error('gcc wrote no BTF');
      let promised = `#include <stddef.h>\n${PAIR}`;
      let smaller = 0;
      for (let i = 1; i <= t.count; i++) {
        const id = typeId(i);
        const members = texts[Number(/^s(\d+)$/.exec(nameOf(t, id))?.[1] ?? -1)];
        if (members === undefined) continue;
        const outcome = whatIf(t, id);
        expect(outcome.kind).not.toBe('none');
        if (outcome.kind !== 'smaller') continue;
        smaller++;
        expect(outcome.sizeBytes).toBeLessThan(sizeOrTypeOf(t, id));
        promised += declared(
          `s${i}`,
          outcome.order.map((index) => members[index] ?? ''),
        );
        promised += `_Static_assert(sizeof(struct s${i}) == ${outcome.sizeBytes}, "size of s${i}");\n`;
        for (const { index, bitfieldSize } of membersOf(t, id)) {
          if (bitfieldSize > 0) continue;
          const byte = (outcome.bitOffsets[index] ?? 0) / 8;
          promised += `_Static_assert(offsetof(struct s${i}, m${index}) == ${byte}, "s${i}.m${index}");\n`;
        }
      }
      expect(smaller).toBeGreaterThan(runs(50));
      compile('promised', promised);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
