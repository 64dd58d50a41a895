import { expect, it } from 'vitest';
import { definedMaps } from '#analysis/libbpf/defined-maps.ts';
import { objectMaps } from '#analysis/libbpf/object-maps.ts';
import { selectionOfVariable } from '#analysis/values/variables.ts';
import { relocIndex, symbolIndex, VOID } from '#model/ids.ts';
import { NO_SELECTION, typeSelection } from '#model/selection.ts';
import { symbolName } from '#model/symbols.ts';
import { entryCalled, openData, variableCalled } from '#testing/sample-data.ts';
import { sampleNames, sectionCalled } from '#testing/samples.ts';
import { typeOfEntry } from './data-entries.ts';
import { entryAt, fileSpan, selectedData } from './selected-data.ts';

async function opened(name = 'data_relocs.bpf.o') {
  const data = await openData(name);
  const find = (selection: Parameters<typeof selectedData>[2]) =>
    selectedData(data.model, data.groups, selection);
  const symbolCalled = (wanted: string) => {
    for (let row = 1; row < data.model.symbols.count; row++) {
      if (symbolName(data.model.symbols, symbolIndex(row)) === wanted) return symbolIndex(row);
    }
    throw new Error(`no symbol ${wanted}`);
  };
  return { ...data, find, symbolCalled };
}

it('finds a variable by its VAR and by its symbol', async () => {
  const { groups, find, symbolCalled } = await opened();
  const begin = entryCalled(groups, 'begin');
  expect(find(typeSelection(typeOfEntry(begin) ?? VOID))?.entry).toBe(begin);
  expect(find({ kind: 'symbol', symbol: symbolCalled('begin') })?.entry).toBe(begin);
});

it('finds every map that the overview links to', async () => {
  for (const name of sampleNames()) {
    const { model, groups, sectionBytes } = await openData(name);
    const maps = [
      ...definedMaps(model, sectionBytes).map(
        (map) => [map.name, selectionOfVariable(map)] as const,
      ),
      ...objectMaps(model)
        .filter(({ section }) => section !== '.maps')
        .map(
          ({ name, section, structOps, selection }) =>
            [structOps === null ? section : name, selection] as const,
        ),
    ];
    for (const [wanted, selection] of maps) {
      const found = selection === null ? null : selectedData(model, groups, selection);
      expect(found?.entry?.name ?? found?.group.name, `${name}, ${wanted}`).toBe(wanted);
    }
  }
});

it('finds a map by its symbol, and an extern by a symbol without a section', async () => {
  const relocs = await opened();
  const sums = { kind: 'symbol', symbol: relocs.symbolCalled('sums') } as const;
  expect(relocs.find(sums)?.entry).toMatchObject({ kind: 'map', name: 'sums' });
  const externs = await opened('externs.bpf.o');
  for (const name of ['init_task', 'bpf_task_acquire']) {
    const found = externs.find({ kind: 'symbol', symbol: externs.symbolCalled(name) });
    expect(found?.entry?.name).toBe(name);
    expect(found?.group.name).toBe('.ksyms');
  }
});

it('finds the variable that bytes of the file lie in, and where in the section', async () => {
  const { model, groups, find } = await opened();
  const { sectionIndex } = variableCalled(groups, 'hidden');
  const span = fileSpan(model, sectionIndex, 40, 4);
  if (span === null) throw new Error('no bytes');
  const found = find({ kind: 'bytes', ...span });
  expect(found?.entry?.name).toBe('hidden');
  expect(found?.bytes).toEqual({ start: 40, end: 44 });
});

it('finds the word that a relocation of data fills', async () => {
  const { model, groups, find } = await opened();
  const section = variableCalled(groups, 'table').sectionIndex;
  const reloc = relocIndex(model.relocations.targetSection.indexOf(section ?? -1));
  const found = find({ kind: 'relocation', reloc });
  expect(found?.entry?.name).toBe('table');
  expect(found?.bytes).toEqual({ start: 0, end: 8 });
});

it('finds a section as a whole, and null for sections without data', async () => {
  const { model, find } = await opened();
  const data = sectionCalled(model, '.data.numbers');
  expect(find({ kind: 'section', section: data })).toMatchObject({ entry: null, bytes: null });
  expect(find({ kind: 'section', section: sectionCalled(model, '.BTF') })).toBeNull();
  expect(find({ kind: 'insn', section: data, insnOff: 0 })).toBeNull();
  expect(find(NO_SELECTION)).toBeNull();
});

it('finds the variable at an offset, and no file bytes of zeros', async () => {
  const { model, groups } = await opened();
  const { sectionIndex, byteSize } = variableCalled(groups, 'scratch');
  const group = groups.find(({ section }) => section === sectionIndex);
  expect(group && entryAt(group, 24)?.name).toBe('scratch');
  expect(group && entryAt(group, 4096)).toBeNull();
  expect(fileSpan(model, sectionIndex, 0, byteSize)).toBeNull();
  expect(fileSpan(model, variableCalled(groups, 'table').sectionIndex, -8, 8)).toBeNull();
});
