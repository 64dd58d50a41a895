/** Tests computed relocation entries in the worker's answers, with objects of eleven machines. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ComputedRelocation } from '#analysis/relocations/computed-relocation.ts';
import { exampleLayout, layoutFields, layoutText } from '#analysis/relocations/layout.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { openModel } from '#testing/open-model.ts';
import type { FromWorker, LinkedFileParams } from './protocol.ts';
import { FileServer } from './serve.ts';

const HOME = join(import.meta.dirname, '../../testdata/relocs');
const NAMES = readdirSync(HOME).flatMap((name) => /^(.*)\.o$/.exec(name)?.[1] ?? []);

function read(name: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(join(HOME, name)));
}

/** Opens an object in a server. Returns a function that asks for one of its entries. */
async function serve(name: string) {
  const answers: FromWorker[] = [];
  const server = new FileServer((message) => answers.push(message));
  const file = new Blob([read(name)]);
  await server.handle({ id: 1, method: 'open', params: { name, file } });
  return async (reloc: number, layout: string, linked: LinkedFileParams | null = null) => {
    const params = { reloc, layout, linked };
    await server.handle({ id: 2, method: 'computeRelocation', params });
    return answers.at(-1);
  };
}

type Asked = Awaited<ReturnType<typeof serve>>;

/** Returns all entries of an object, computed. */
async function allOf(ask: Asked, { relocations }: ObjectModel, ...rest: [string, ...never[]]) {
  const all: ComputedRelocation[] = [];
  for (let reloc = 0; reloc < relocations.count; reloc++) {
    const answer = await ask(reloc, ...rest);
    if (answer?.kind !== 'ok') throw new Error(`entry ${reloc} has no answer`);
    all.push(answer.value as ComputedRelocation);
  }
  return all;
}

it.each(NAMES)('%s: without addresses the formula, with the example also values', async (name) => {
  const model = await openModel(`${name}.o`, read(`${name}.o`));
  const ask = await serve(`${name}.o`);
  const plain = await allOf(ask, model, '');
  expect(plain.some(({ formula }) => formula !== '')).toBe(true);
  expect(plain.every(({ value, numbers }) => value === null || numbers !== '')).toBe(true);
  const example = await allOf(ask, model, layoutText(exampleLayout(model)));
  const needsEntry = (one: ComputedRelocation) =>
    one.terms.some(({ name: term, value }) => value === null && /^G|^PLTE|^PCHI|^DTPB/.test(term));
  const left = example.filter((one) => one.value === null && one.formula !== '');
  expect(left.filter((one) => !needsEntry(one))).toEqual([]);
  expect(example.filter(({ after }) => after !== null).length).toBeGreaterThan(3);
});

it.each(NAMES)(
  '%s: with the linked file, the linker’s bytes beside the formula’s',
  async (name) => {
    const model = await openModel(`${name}.o`, read(`${name}.o`));
    const ask = await serve(`${name}.o`);
    const linked = { key: 7, name: `${name}.out`, file: read(`${name}.out`).buffer };
    let equal = 0;
    for (let reloc = 0; reloc < model.relocations.count; reloc++) {
      const answer = await ask(reloc, '', linked);
      if (answer?.kind !== 'ok') throw new Error('no answer');
      const { after, linked: bytes, relaxed } = answer.value as ComputedRelocation;
      if (after === null || bytes === null) continue;
      const isSame = after.every((byte, i) => byte === bytes[i]);
      expect(isSame).toBe(relaxed === null);
      if (isSame) equal++;
    }
    expect(equal).toBeGreaterThan(3);
  },
);

it('fails for a linked file of another machine, and has nothing for no entry', async () => {
  const ask = await serve('x86_64.o');
  const other = { key: 1, name: 'mips.out', file: read('mips.out').buffer };
  const answer = await ask(0, '', other);
  expect(answer?.kind === 'failed' && answer.issue.code).toBe('relocations.linked');
  expect(await ask(9999, '')).toMatchObject({ kind: 'ok', value: null });
});

it('has fields for sections, the bases of the formulas, and undefined symbols', async () => {
  const model = await openModel('mips.o', read('mips.o'));
  const keys = layoutFields(model).map(({ key }) => key);
  expect(keys).toEqual(expect.arrayContaining(['.text', '$GP', '@far_function', '@far_data']));
  expect(keys).not.toContain('$TOC');
  expect(layoutFields(await openModel('mips.out', read('mips.out')))).toEqual([]);
});
