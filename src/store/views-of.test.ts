import { expect, it } from 'vitest';
import { sampleModel } from '#testing/samples.ts';
import { VIEWS } from './session.ts';
import { viewFor, viewsOf } from './views-of.ts';

it('gives ELF and BTF every view, also without types', async () => {
  expect(viewsOf(await sampleModel('kinds.btf'))).toEqual(VIEWS);
  const model = await sampleModel('doc_call.bpf.o');
  const native = { ...model, types: null, machine: { number: 62, name: 'x86-64' } };
  expect(viewsOf(native)).toEqual(VIEWS);
});

it('leads to the overview where a file cannot have the view', async () => {
  const alpha = await sampleModel('alpha_data.ecoff');
  expect(viewsOf(alpha)).toEqual(['overview', 'bytes', 'code', 'relocations', 'issues']);
  expect(
    VIEWS.map((view) => viewFor(alpha, view)).filter((view) => view === 'overview'),
  ).toHaveLength(VIEWS.length - 4);
});
