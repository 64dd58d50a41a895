import { expect, it } from 'vitest';
import { callOf, flag } from './command.ts';

const LIST = { name: 'list', positionals: [], options: [flag('json', '')] };

/** Returns the chunks that a command with `--json` writes for a value. */
async function written(value: unknown): Promise<string[]> {
  const pieces: string[] = [];
  const no = () => {
    throw new Error('not asked for');
  };
  const out = (chunk: Uint8Array) => pieces.push(Buffer.from(chunk).toString());
  const io = {
    out,
    warn: no,
    exists: no,
    open: no,
    beside: no,
    list: no,
    save: no,
    create: no,
    progress: no,
  };
  const command = { ...LIST, run: async () => {} };
  await callOf(command, ['--json'], io).print(
    () => value,
    () => [],
  );
  return pieces;
}

function* rows(count: number) {
  for (let i = 0; i < count; i++) yield { index: i, name: 'x'.repeat(40), list: [i, { a: [] }] };
}

it('a list as JSON is written in pieces: all of it may be longer than a string can be', async () => {
  const pieces = await written(rows(20_000));
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(1 << 18);
  expect(pieces.join('')).toBe(`${JSON.stringify([...rows(20_000)], null, 2)}\n`);
});

it.each([[[]], [[1]], [{ a: [1, 2] }], [null], ['text']])('%j is the same JSON', async (value) => {
  expect((await written(value)).join('')).toBe(`${JSON.stringify(value, null, 2)}\n`);
});
