import { expect, it } from 'vitest';
import { sampleModel } from '#testing/samples.ts';
import { markTypedHere, VIEWS, viewFor, viewsOf } from './session.ts';

const OPENED = VIEWS.filter((view) => view !== 'workbench');

it('gives ELF and BTF every view, also without types', async () => {
  expect(viewsOf(await sampleModel('kinds.btf'))).toEqual(OPENED);
  const model = await sampleModel('doc_call.bpf.o');
  const native = { ...model, types: null, machine: { number: 62, name: 'x86-64' } };
  expect(viewsOf(native)).toEqual(OPENED);
});

it('gives the workbench only to its own file, and first', async () => {
  const model = await sampleModel('kinds.btf');
  expect(viewFor(model, 'workbench')).toBe('overview');
  markTypedHere(model);
  expect(viewsOf(model)).toEqual(['workbench', ...OPENED]);
  expect(viewsOf(await sampleModel('kinds.btf'))).toEqual(OPENED);
});

it('falls back to the overview if a file cannot have the view', async () => {
  const alpha = await sampleModel('alpha_data.ecoff');
  expect(viewsOf(alpha)).toEqual(['overview', 'bytes', 'code', 'relocations', 'issues']);
  expect(
    VIEWS.map((view) => viewFor(alpha, view)).filter((view) => view === 'overview'),
  ).toHaveLength(VIEWS.length - 4);
});
