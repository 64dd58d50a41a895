/** Decisions of an encoding, as the page asks for them. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { bufferSource } from '#bytes/source.ts';
import type { DecisionSubject, DecisionsParams } from '#print/decision-rows.ts';
import { openModel } from '#testing/open-model.ts';
import { decisionsOf } from './encode-answers.ts';

async function answersOf(file: string) {
  const bytes = new Uint8Array(readFileSync(`testdata/dwarf/${file}`));
  const opened = { model: await openModel(file, bytes), source: bufferSource(file, bytes) };
  return { answer: (params: DecisionsParams) => decisionsOf(opened, params) };
}

const ask = (subject: DecisionSubject, text = '') =>
  ({ features: 'plain', subject, text, limit: 100 }) as const;

it('tells why a function is left out, and where it is declared', async () => {
  const answers = await answersOf('gcc.o');
  const { rows, total, kept } = await answers.answer(ask('function', 'On_Stack'));
  expect(total).toBe(1);
  expect(rows[0]).toEqual({
    name: 'on_stack',
    what: 'left out: a packed struct is passed on the stack',
    place: 'first.c:16',
    entry: 0x208,
  });
  expect(kept).toEqual([]);
});

it('tells the id of a name that the BTF has', async () => {
  const answers = await answersOf('gcc.o');
  const { rows, kept } = await answers.answer(ask('function', 'first'));
  expect(rows).toEqual([]);
  expect(kept).toEqual([{ kind: 'FUNC', id: expect.any(Number) }]);
});

it('tells the first difference of two types of one name', async () => {
  const { rows } = await (await answersOf('gcc.o')).answer(ask('apart', 'differs'));
  expect(rows).toHaveLength(1);
  expect(rows[0]?.what).toMatch(/^STRUCT \[\d+\] not merged with \[\d+\]: /);
});

it('lists at most as many rows as asked for, and tells how many there are', async () => {
  const answers = await answersOf('gcc.o');
  const { rows, total, counts } = await answers.answer({ ...ask('function'), limit: 3 });
  expect([rows.length, total, counts.function]).toEqual([3, 8, 8]);
});

it('merges the types of a module with those of its base', async () => {
  const read = (path: string) => new Uint8Array(readFileSync(`testdata/${path}`));
  const base = await openModel('base', read('kernels/vmlinux-small-1-amd64.btf.zst'));
  if (base.types === null) throw new Error('no types');
  const bytes = read('dwarf/module.ko');
  const model = await openModel('module.ko', bytes, { base: base.types });
  const source = bufferSource('module.ko', bytes);
  const { rows, total } = await decisionsOf({ model, source }, ask('type', 'list_head'));
  expect(total).toBe(1);
  expect(rows[0]?.what).toBe('merged with STRUCT [443], of the base');
});
