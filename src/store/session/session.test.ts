import { expect, it } from 'vitest';
import { sampleModel } from '#testing/samples.ts';
import {
  announce,
  announceInView,
  firstOfTab,
  markTypedHere,
  session,
  tabsOf,
  tabTitle,
  VIEWS,
  viewFor,
  viewsOf,
} from './session.ts';

const OPENED = VIEWS.filter((view) => view !== 'workbench' && view !== 'history');
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
    VIEWS.map((view) => viewFor(alpha, view)).filter((view) => view === 'overview'),
  ).toHaveLength(VIEWS.length - 4);
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

it('keeps a sentence about a view while the view is shown, and no other sentence out', () => {
  const { status } = session.getInitialState();
  announceInView('No next relocation');
  session.setState({ bytesVersion: 1 });
  expect(session.getState().status).toBe('No next relocation');
  session.setState({ activeId: 2 });
  expect(session.getState().status).toBe(status);
  announceInView('No next relocation');
  announce('Opened b.o');
  session.setState({ activeId: 3 });
  expect(session.getState().status).toBe('Opened b.o');
  session.setState(session.getInitialState());
});
