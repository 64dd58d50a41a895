/** Checks the order, the texts and the targets of the palette's items. */
import { describe, expect, it } from 'vitest';
import { find } from '#analysis/find/find.ts';
import { buildFinder } from '#analysis/find/finder.ts';
import type { FindHit } from '#analysis/find/make-hit.ts';
import { parseQuery } from '#analysis/find/query.ts';
import { Slices } from '#bytes/long-work.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { sectionIndex, typeId } from '#model/ids.ts';
import { NO_SELECTION, typeSelection } from '#model/selection.ts';
import { sampleModel } from '#testing/samples.ts';
import { placeTitle } from '#views/parts/place-title.ts';
import { GRAMMAR } from './grammar.ts';
import { completion, hitAbout, hitNumber, hitWord, markedPieces, viewFor } from './PaletteList.tsx';
import { type PaletteAction, type PaletteItem, paletteItems } from './palette-items.ts';
import { type FoundHit, mergedAnswers, scopeOf } from './use-find.ts';

const hit = (more: Partial<FindHit>): FindHit => ({
  what: 'type',
  kind: BtfKind.STRUCT,
  title: 'task_struct',
  ranges: [],
  facts: {},
  selection: typeSelection(typeId(2)),
  refine: null,
  inBase: false,
  ...more,
});

const action = (
  title: string,
  group: PaletteAction['group'] = 'Command',
  also = '',
): PaletteAction => ({
  id: title,
  group,
  title,
  also,
  icon: null,
  run: () => undefined,
});

const offered = {
  recent: [action('mm_struct', 'Recent')],
  actions: [action('Open a file'), action('Graph', 'Go to', 'view'), action('Theme: dark')],
  terms: ['vlen', 'kind_flag', 'kind'].map((name) => action(`Glossary: ${name}`)),
  examples: [{ text: 'tsk_st', finds: 'a struct' }],
  hits: [] as readonly FoundHit[],
};

const found = (...hits: FindHit[]): FoundHit[] => hits.map((one) => ({ hit: one, file: null }));

const titles = (items: readonly PaletteItem[]) =>
  items.map((item) => {
    if (item.source === 'hit') return item.hit.title;
    return item.source === 'action' ? item.action.title : item.example.text;
  });

describe('terms of the glossary', () => {
  it('are offered on request, and at most two next to results', () => {
    expect(titles(paletteItems('', offered)).join()).not.toContain('Glossary');
    expect(titles(paletteItems('>', offered)).join()).not.toContain('Glossary');
    expect(titles(paletteItems('vlen', offered))).toEqual(['Glossary: vlen']);
    expect(titles(paletteItems('kind', offered))).toHaveLength(2);
    expect(titles(paletteItems('> glossary', offered))).toHaveLength(3);
  });
});

describe('the lines', () => {
  it('of the empty palette are recent places, examples and commands', () => {
    expect(titles(paletteItems(' ', offered))).toEqual([
      'mm_struct',
      'tsk_st',
      'Open a file',
      'Graph',
      'Theme: dark',
    ]);
  });

  it('behind > are commands only', () => {
    const hits = found(hit({ title: 'theme' }));
    expect(titles(paletteItems('> the', { ...offered, hits }))).toEqual(['Theme: dark']);
    expect(titles(paletteItems('>', { ...offered, hits }))).toHaveLength(3);
  });

  it('put the page first where it is meant, the file where it has that very name', () => {
    const near = found(hit({ title: 'graph_ops', ranges: [0, 3] }));
    expect(titles(paletteItems('gra', { ...offered, hits: near }))).toEqual(['Graph', 'graph_ops']);
    const exact = found(hit({ title: 'graph', ranges: [0, 5] }));
    expect(titles(paletteItems('graph', { ...offered, hits: exact }))).toEqual(['graph', 'Graph']);
    expect(titles(paletteItems('view', { ...offered, hits: exact }))).toContain('Graph');
  });

  it('have keys of their own', () => {
    const hits = found(hit({}), hit({}));
    const keys = paletteItems('task', { ...offered, hits }).map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('target of a hit', () => {
  it.each<[Partial<FindHit>, Parameters<typeof viewFor>[1], boolean, string]>([
    [{}, 'overview', false, 'types'],
    [{}, 'graph', false, 'graph'],
    [{}, 'text', false, 'text'],
    [{}, 'bytes', false, 'types'],
    [{}, 'bytes', true, 'graph'],
    [{ what: 'member' }, 'text', false, 'types'],
    [{ what: 'function', selection: NO_SELECTION }, 'types', true, 'code'],
    [
      { what: 'section', selection: { kind: 'section', section: sectionIndex(1) } },
      'relocations',
      false,
      'relocations',
    ],
    [{ what: 'core', selection: NO_SELECTION }, 'bytes', false, 'core'],
  ])('%j from %s', (more, current, inGraph, view) => {
    expect(viewFor(hit(more), current, inGraph)).toBe(view);
  });

  it('and what Tab makes of it', () => {
    expect(completion(hit({}))).toBe('task_struct.');
    expect(completion(hit({ kind: BtfKind.FUNC, title: 'do_exit' }))).toBe('do_exit');
    expect(completion(hit({ what: 'member', title: 'a.b[].c' }))).toBe('a.b.c');
    expect(completion(hit({ what: 'member-name', title: 'pid', refine: '*.pid' }))).toBe('*.pid');
  });
});

describe('the words', () => {
  it.each<[Partial<FindHit>, string, string, string]>([
    [{ facts: { bytes: 24, items: 3 } }, 'struct', '3 members', '24 bytes'],
    [{ kind: BtfKind.TYPEDEF, facts: { typeText: 'int' } }, 'typedef', 'int', ''],
    [{ what: 'member', facts: { typeText: 'int', bitOffset: 64 } }, 'member', 'int', '0x8'],
    [
      { what: 'member', facts: { typeText: 'int', bitOffset: 67, bits: 2 } },
      'member',
      'int',
      '0x8:3, 2 bits',
    ],
    [
      { what: 'hole', facts: { bytes: 1, bitOffset: 8 } },
      'hole',
      'no member at these 1 byte',
      '0x1',
    ],
    [{ what: 'enumerator', facts: { value: '-1', place: 'enum e' } }, 'enumerator', 'enum e', '-1'],
    [{ what: 'core', facts: { word: 'byte_off', place: 'main' } }, 'byte_off', 'main', ''],
    [{ what: 'member-name', facts: { items: 7 } }, 'member', 'in 7 places: show them all', ''],
    [{ what: 'symbol', facts: { bytes: 0, place: '.bss' } }, 'symbol', '.bss', ''],
  ])('%j', (more, word, about, number) => {
    const one = hit(more);
    expect([hitWord(one), hitAbout(one), hitNumber(one)]).toEqual([word, about, number]);
  });

  it('cut a title at its marks, whatever the marks are', () => {
    const text = (ranges: number[]) =>
      markedPieces('abcdef', ranges).map((piece) =>
        piece.isMarked ? `<${piece.text}>` : piece.text,
      );
    expect(text([])).toEqual(['abcdef']);
    expect(text([0, 2, 4, 6])).toEqual(['<ab>', 'cd', '<ef>']);
    expect(text([3, 99])).toEqual(['abc', '<def>']);
    expect(text([4, 2, 1])).toEqual(['abcd', 'ef']);
  });
});

it('names places by their contents', async () => {
  const model = await sampleModel('exec_trace.bpf.o');
  expect(placeTitle(model, NO_SELECTION)).toBeNull();
  expect(placeTitle(model, { kind: 'bytes', start: 16, end: 24 })).toBe('bytes 0x10 to 0x18');
  expect(placeTitle(model, { kind: 'section', section: sectionIndex(0) })).toBe('section 0');
  const kernel = await sampleModel('kernel.btf');
  const finder = await buildFinder(
    kernel,
    new Slices(1000, new AbortController().signal),
    () => undefined,
  );
  const slices = new Slices(1000, new AbortController().signal);
  const [pid] = (await find(finder, 'task_struct.pid', 1, slices)).hits;
  if (pid?.selection === undefined || pid.selection === null) throw new Error('no such member');
  expect(placeTitle(kernel, pid.selection)).toBe('task_struct.pid');
});

it('shows by example each form that a question can have', () => {
  const forms = new Set(GRAMMAR.map(({ text }) => parseQuery(text).form));
  expect([...forms].sort()).toEqual(
    ['id', 'member-type', 'members', 'names', 'offset', 'prototype', 'value'].sort(),
  );
  const scopes = GRAMMAR.map(({ text }) => parseQuery(text)).flatMap((query) =>
    query.form === 'names' ? [query.scope] : [],
  );
  expect(scopes).toEqual(
    expect.arrayContaining(['struct', 'enumerator', 'core', 'section', 'string']),
  );
});

describe('a question for all open files', () => {
  it('stands behind all:', () => {
    expect(scopeOf('all: struct foo')).toEqual({ isAll: true, question: 'struct foo' });
    expect(scopeOf(' ALL:*.pid')).toEqual({ isAll: true, question: '*.pid' });
    expect(scopeOf('all_files')).toEqual({ isAll: false, question: 'all_files' });
  });

  it('has the best answer of each file first, and counts those of all', () => {
    const answer = (...names: string[]) => ({
      hits: names.map((title) => hit({ title })),
      total: 10,
      problem: null,
    });
    const merged = mergedAnswers([
      [1, answer('a', 'b')],
      [2, answer('c')],
    ]);
    expect(merged.hits.map(({ hit: { title }, file }) => `${title}${file}`)).toEqual([
      'a1',
      'b1',
      'c2',
    ]);
    expect(merged.total).toBe(20);
    const many = answer(...Array.from({ length: 50 }, (_, i) => `${i}`));
    expect(
      mergedAnswers([
        [1, many],
        [2, many],
      ]).hits.map(({ file }) => file),
    ).toEqual([...Array(25).fill(1), ...Array(25).fill(2)]);
  });
});
