import { expect, it } from 'vitest';
import { sampleModel } from '#testing/samples.ts';
import {
  firstOfTab,
  markTypedHere,
  tabsOf,
  tabTitle,
  type ViewName,
  viewFor,
  viewNamed,
  viewNames,
  viewsOf,
  viewsOfClass,
} from './views.ts';

const TYPES = ['types', 'text', 'query', 'graph'] as const;
const PROBLEMS = ['compare', 'check', 'issues'] as const;
const RAW_BTF: readonly ViewName[] = [
  ...['overview' as const, ...TYPES, 'bytes' as const, 'data' as const],
  ...['playground' as const, 'log' as const, ...PROBLEMS],
];

it('gives ELF every view, also without types, and raw BTF those of types', async () => {
  expect(viewsOf(await sampleModel('kinds.btf'))).toEqual(RAW_BTF);
  const object = await sampleModel('doc_core.bpf.o');
  const others = ['workbench', 'history', 'table', 'replay', 'lines', 'encode'];
  expect(viewsOf(object)).toEqual(viewNames().filter((view) => !others.includes(view)));
  const native = { ...(await sampleModel('doc_call.bpf.o')), types: null };
  expect(viewsOf({ ...native, machine: { number: 62, name: 'x86-64' } })).toEqual([
    ...['overview', ...TYPES, 'bytes', 'code', 'data', 'relocations', 'core', ...PROBLEMS],
  ]);
});

it('gives the workbench only to its own file, and first', async () => {
  const model = await sampleModel('kinds.btf');
  expect(viewFor(model, 'workbench')).toBe('overview');
  markTypedHere(model);
  expect(viewsOf(model)).toEqual(['workbench', ...RAW_BTF]);
  expect(viewsOf(await sampleModel('kinds.btf'))).toEqual(RAW_BTF);
});

it('falls back to the tab, else to the overview, if a file cannot have the view', async () => {
  const alpha = await sampleModel('alpha_data.ecoff');
  const own: readonly ViewName[] = ['overview', 'bytes', 'code', 'relocations', 'issues'];
  expect(viewsOf(alpha)).toEqual(own);
  expect(viewFor(alpha, 'check')).toBe('issues');
  const ofTab: readonly ViewName[] = ['check', 'encode'];
  for (const view of viewNames().filter((name) => !own.includes(name) && !ofTab.includes(name))) {
    expect(viewFor(alpha, view)).toBe('overview');
  }
});

it('gives an atlas its history first', () => {
  expect(viewsOfClass('atlas')).toEqual(['history', 'query']);
});

it('has no view of a name that no folder registers', async () => {
  expect(viewNamed('disassembly')).toBeNull();
  expect(viewFor(await sampleModel('kinds.btf'), 'disassembly' as ViewName)).toBe('overview');
});

it('finds a view by a former address', () => {
  expect(viewNamed('core', new Map([['mode', 'load']]))).toBe('load');
  expect(viewNamed('core', new Map([['mode', 'records']]))).toBe('core');
  expect(viewNamed('core')).toBe('core');
});

it('has a tab for several views where they belong together', async () => {
  const object = await sampleModel('doc_call.bpf.o');
  expect(tabsOf(object).map(tabTitle)).toEqual([
    ...['Overview', 'Load', 'Types', 'Graph', 'Bytes', 'Code', 'Data', 'Relocations', 'CO-RE'],
    ...['Compare', 'Problems'],
  ]);
  const alpha = await sampleModel('alpha_data.ecoff');
  expect(tabsOf(alpha).at(-1)).toBe('issues');
  expect(firstOfTab(object, 'issues')).toBe('check');
  expect(firstOfTab(alpha, 'issues')).toBe('issues');
});
