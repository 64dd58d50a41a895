import { expect, it } from 'vitest';
import { openData } from '#testing/sample-data.ts';
import { type DataRow, dataRows, entryCount, rowOfData } from './DataListPane.tsx';

const textOf = (row: DataRow) => {
  if (row.kind === 'all') return 'all';
  return row.kind === 'group' ? `${row.group.name} ${row.count}` : row.entry.name;
};

async function rowsOf(query: string, name = 'xdp_counter.bpf.o') {
  const { model, groups } = await openData(name);
  return { groups, rows: dataRows(model, groups, query) };
}

it('has all entries under their sections', async () => {
  const { rows } = await rowsOf('');
  expect(rows.slice(0, 4).map(textOf)).toEqual(['all', '.maps 4', 'next', 'protocols']);
  expect(entryCount(rows)).toBe(10);
});

it.each([
  ['udp', ['.data 1', 'udp_limit', '.bss 1', 'udp_seen']],
  ['HASH', ['.maps 1', 'last_seen']],
  ['.maps arr', ['.maps 3', 'next', 'protocols', 'verdict']],
  ['u32 rodata', ['.rodata 1', 'only_ifindex']],
  ['.bss', ['.bss 2', 'udp_seen', 'too_short']],
  ['nothing of the sort', []],
])('filters by name, type and section: %s', async (query, expected) => {
  expect((await rowsOf(query)).rows.map(textOf)).toEqual(expected);
});

it('keeps a section without entries where its name is asked for', async () => {
  const { rows } = await rowsOf('str1', 'data_relocs.bpf.o');
  expect(rows.map(textOf)).toEqual(['.rodata.str1.1 0']);
});

it('finds the row of a hit', async () => {
  const { groups, rows } = await rowsOf('');
  const [group] = groups;
  if (group === undefined) throw new Error('no group');
  expect(rowOfData(rows, { group, entry: null, bytes: null })).toBe(1);
  expect(rowOfData(rows, { group, entry: group.entries[2] ?? null, bytes: null })).toBe(4);
  expect(rowOfData(rows, null)).toBeNull();
});
