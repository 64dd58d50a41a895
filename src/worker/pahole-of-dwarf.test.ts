/** pahole's text of a whole file with DWARF, as the page asks its worker for it. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { FromWorker, RequestOf } from './protocol.ts';
import { FileServer } from './serve.ts';
import type { TextFormat, TextOptions, WholeText } from './text-answers.ts';

const read = (name: string) => readFileSync(`testdata/dwarf/${name}`);

/** Opens a file of testdata, and returns its text. */
async function textOf(
  name: string,
  format: TextFormat,
  options: TextOptions = {},
): Promise<WholeText> {
  const posted: FromWorker[] = [];
  const server = new FileServer((message) => posted.push(message));
  const file = new Uint8Array(read(name)).buffer;
  const open: RequestOf<'open'> = { id: 1, method: 'open', params: { name, file } };
  await server.handle(open);
  const request: RequestOf<'text'> = { id: 2, method: 'text', params: { format, ...options } };
  await server.handle(request);
  const last = posted.at(-1);
  if (last?.kind !== 'ok') throw new Error(`the worker answered ${last?.kind}`);
  return last.value as WholeText;
}

describe('Text of DWARF in C', () => {
  it.each(['gcc', 'layouts.both'])('is that of pahole -F dwarf for %s.o', async (object) => {
    const { bytes, isOfDwarf } = await textOf(`${object}.o`, 'pahole');
    expect(new TextDecoder().decode(bytes)).toBe(read(`${object}.pahole.txt`).toString());
    expect(isOfDwarf).toBe(true);
  });

  it.each([
    ['layouts.gcc.o', 'pahole', { pahole: '1.24' }],
    ['layouts.gcc.o', 'c', {}],
    ['languages.rust.o', 'pahole', {}],
  ] as const)('is that of BTF for %s, %s %j', async (name, format, options) => {
    const { bytes, isOfDwarf } = await textOf(name, format, options);
    expect(isOfDwarf).toBeUndefined();
    expect(new TextDecoder().decode(bytes)).not.toContain('Force padding');
    expect(bytes.length).toBeGreaterThan(100);
  });
});
