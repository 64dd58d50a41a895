import { expect, it } from 'vitest';
import { sampleModel } from '#testing/samples.ts';
import {
  firstOfTab,
  markTypedHere,
  tabsOf,
  tabTitle,
  viewFor,
  viewNames,
  viewsOf,
} from './views.ts';

const OPENED = viewNames().filter((view) => view !== 'workbench' && view !== 'history');
const RAW_BTF = OPENED.filter((view) => view !== 'code' && view !== 'relocations');

it('gives ELF every view, also without types, and raw BTF those of types', async () => {
  expect(viewsOf(await sampleModel('kinds.btf'))).toEqual(RAW_BTF);
  const model = await sampleModel('doc_call.bpf.o');
  const native = { ...model, types: null, machine: { number: 62, name: 'x86-64' } };
  expect(viewsOf(native)).toEqual(OPENED);
});

it('gives the workbench only to its own file, and first', async () => {
  const model = await sampleModel('kinds.btf');
  expect(viewFor(model, 'workbench')).toBe('overview');
  markTypedHere(model);
  expect(viewsOf(model)).toEqual(['workbench', ...RAW_BTF]);
  expect(viewsOf(await sampleModel('kinds.btf'))).toEqual(RAW_BTF);
});

it('falls back to the overview if a file cannot have the view', async () => {
  const alpha = await sampleModel('alpha_data.ecoff');
  expect(viewsOf(alpha)).toEqual(['overview', 'bytes', 'code', 'relocations', 'issues']);
  expect(
    viewNames()
      .map((view) => viewFor(alpha, view))
      .filter((view) => view === 'overview'),
  ).toHaveLength(viewNames().length - 4);
});

it('has a tab for several views where they belong together', async () => {
  const object = await sampleModel('doc_call.bpf.o');
  expect(tabsOf(object).map(tabTitle)).toEqual([
    ...['Overview', 'Types', 'Graph', 'Bytes', 'Code', 'Data', 'Relocations', 'CO-RE'],
    ...['Compare', 'Problems'],
  ]);
  const alpha = await sampleModel('alpha_data.ecoff');
  expect(tabsOf(alpha).at(-1)).toBe('issues');
  expect(firstOfTab(object, 'issues')).toBe('check');
  expect(firstOfTab(alpha, 'issues')).toBe('issues');
});
