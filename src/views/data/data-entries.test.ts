import { describe, expect, it } from 'vitest';
import { corpusObjects, readCorpusFile } from '#testing/corpus.ts';
import { openModel } from '#testing/open-model.ts';
import { entryCalled, openData } from '#testing/sample-data.ts';
import { dataGroups, selectionOfEntry, selectionOfGroup } from './data-entries.ts';

const outline = async (name: string) =>
  (await openData(name)).groups.map(({ name: section, role, entries }) => [
    section,
    role,
    entries.map((entry) => entry.name).join(' '),
  ]);

it('begins with maps and ends with the licence', async () => {
  expect(await outline('xdp_counter.bpf.o')).toEqual([
    ['.maps', 'maps', 'next protocols last_seen verdict'],
    ['.rodata', 'variables', 'only_ifindex track_flows'],
    ['.data', 'variables', 'udp_limit'],
    ['.bss', 'variables', 'udp_seen too_short'],
    ['license', 'said', 'LICENSE'],
  ]);
});

it('has externs, functions of the kernel among them', async () => {
  expect(await outline('externs.bpf.o')).toEqual([
    ['.bss', 'variables', 'answers'],
    [
      '.kconfig',
      'externs',
      'LINUX_KERNEL_VERSION CONFIG_HZ CONFIG_CGROUPS CONFIG_NETFILTER CONFIG_NO_SUCH_THING CONFIG_DEFAULT_HOSTNAME',
    ],
    [
      '.ksyms',
      'externs',
      'schedule init_task_thread init_task cpu_number bpf_task_acquire bpf_no_such_kfunc bpf_task_release bpf_cpumask_create bpf_cpumask_release',
    ],
    ['license', 'said', 'LICENSE'],
  ]);
});

it('lists the contents of a section by offset, and sections of strings', async () => {
  const groups = await outline('data_relocs.bpf.o');
  expect(groups).toContainEqual(['.data.steps', 'variables', 'last begin']);
  expect(groups).toContainEqual(['.rodata.str1.1', 'strings', '']);
});

it('lists the variables of BTF that is a file by itself', async () => {
  expect(await outline('kinds.btf')).toEqual([
    ['.bss', 'variables', 'calls everything records first'],
    ['.data', 'variables', 'table'],
    ['.rodata', 'variables', 'limit'],
    ['license', 'variables', 'LICENSE'],
  ]);
});

it('selects a VAR or FUNC, a section, or the DATASEC of one that the file has not', async () => {
  const { groups } = await openData('externs.bpf.o');
  const kinds = ['answers', 'CONFIG_HZ', 'bpf_task_acquire'].map(
    (name) => selectionOfEntry(entryCalled(groups, name))?.kind,
  );
  expect(kinds).toEqual(['type', 'type', 'type']);
  expect(groups.map((group) => selectionOfGroup(group)?.kind)).toEqual([
    'section',
    'type',
    'type',
    'section',
  ]);
});

describe('objects of the corpus', () => {
  it('name their maps by symbols where BTF was stripped', async () => {
    const object = corpusObjects().find(({ id }) => /^prog-nodebug__(m04_userrb|maps)$/.test(id));
    const other = corpusObjects().find(({ id }) => id.startsWith('prog-nodebug__'));
    const chosen = object ?? other;
    if (chosen === undefined) throw new Error('no object without debug information');
    const model = await openModel(chosen.name, readCorpusFile(chosen));
    const maps = dataGroups(model, () => null).flatMap(({ entries }) =>
      entries.flatMap((entry) => (entry.kind === 'map' ? [entry.map] : [])),
    );
    for (const map of maps) {
      expect(map.name).not.toBe('');
      expect(map.symbol).not.toBeNull();
    }
  });

  it('never list one thing twice', async () => {
    for (const object of corpusObjects().slice(0, 60)) {
      const model = await openModel(object.name, readCorpusFile(object));
      const keys = dataGroups(model, () => null).flatMap(({ name, section, entries }) =>
        entries.map((entry) => {
          const offset = entry.kind === 'variable' ? entry.variable.byteOffset : null;
          return `${name} ${section} ${entry.kind} ${entry.name} ${offset}`;
        }),
      );
      expect(new Set(keys).size, object.id).toBe(keys.length);
    }
  });
});
