import { describe, expect, it } from 'vitest';
import { findTypeKey } from '#analysis/types/type-key.ts';
import { decodeValue } from '#analysis/values/decode.ts';
import { hexBytes, looksLikeDump, parseMapDump } from '#analysis/values/map-dump.ts';
import type { TypeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { NO_SELECTION, typeSelection } from '#model/selection.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { int, struct } from '#testing/btf-types.ts';
import { openModel } from '#testing/open-model.ts';
import { entryCalled, openData } from '#testing/sample-data.ts';
import { sectionCalled } from '#testing/samples.ts';
import { decodeExample } from './DecodePanel.tsx';
import { dumpRows, dumpText, hexLine } from './DecodeResult.tsx';
import { selectionOfEntry } from './data-entries.ts';
import {
  decodeTypes,
  FIRST_STATE,
  faultLine,
  fittingMaps,
  readGivenFile,
  readInput,
  sizeMismatchText,
  typesOfSelection,
} from './decode-state.ts';

function structCalled({ types }: ObjectModel, name: string): TypeId {
  const id = types === null ? null : findTypeKey(types, { kind: 'struct', name, ordinal: 0 });
  if (id === null) throw new Error(`no struct ${name}`);
  return id;
}

describe('input bytes', () => {
  it('is hex or a dump', () => {
    expect(readInput('hex', '0a ff', null)).toEqual({
      kind: 'bytes',
      bytes: Uint8Array.of(10, 255),
    });
    expect(readInput('dump', '[]', null)).toEqual({
      kind: 'dump',
      dump: { form: 'bytes', entries: [] },
    });
    expect(readInput('dump', ' \n', null)).toEqual({ kind: 'nothing' });
    const file = { name: 'a', bytes: Uint8Array.of(1) };
    expect(readInput('dump', '', file)).toEqual({ kind: 'bytes', bytes: file.bytes });
  });

  it('marks the place of an error', () => {
    const input = readInput('hex', '0a 0b\n0c zz 0d', null);
    if (input.kind !== 'fault' || input.fault.at === null) throw new Error('no fault');
    expect(faultLine('0a 0b\n0c zz 0d', input.fault.at)).toEqual({
      line: 2,
      before: '0c ',
      wrong: 'zz',
      after: ' 0d',
    });
    const dump = readInput('dump', '[{"key":["0x01"],', null);
    expect(dump).toMatchObject({ kind: 'fault', fault: { message: /not JSON/ } });
  });

  it('cuts a long line around the fault', () => {
    const text = `${'00 '.repeat(100)}xx${' 00'.repeat(100)}`;
    const { before, wrong, after } = faultLine(text, { start: 300, length: 2 });
    expect([before.length, wrong, after.length]).toEqual([37, 'xx', 37]);
  });

  it('is detected by its content', async () => {
    expect([looksLikeDump(' [{'), looksLikeDump('[]'), looksLikeDump('["0x01"]')]).toEqual([
      true,
      true,
      false,
    ]);
    const given = async (content: string | Uint8Array<ArrayBuffer>, name: string) => {
      const { source, text, file } = await readGivenFile(new File([content], name));
      return [source, text, file?.bytes.length ?? null];
    };
    expect(await given('[{"key":[]}]', 'dump.json')).toEqual(['dump', '[{"key":[]}]', null]);
    expect(await given('0a 0b', 'bytes.txt')).toEqual(['hex', '0a 0b', null]);
    expect(await given(Uint8Array.of(1, 0xff, 3), 'value.bin')).toEqual(['hex', '', 3]);
  });
});

describe('the types', () => {
  it('are those of the selected map, variable or section', async () => {
    const { model, groups } = await openData('xdp_counter.bpf.o');
    const of = (name: string) =>
      typesOfSelection(model, groups, selectionOfEntry(entryCalled(groups, name)) ?? NO_SELECTION);
    expect(of('protocols')).toEqual({
      key: expect.any(Number),
      value: structCalled(model, 'counter'),
    });
    expect(of('next')).toBeNull();
    expect(of('udp_limit')).toMatchObject({ key: null });
    const data = { kind: 'section', section: sectionCalled(model, '.data') } as const;
    expect(typesOfSelection(model, groups, data)?.value).toBe(
      groups.find(({ name }) => name === '.data')?.datasec,
    );
    expect(typesOfSelection(model, groups, NO_SELECTION)).toBeNull();
  });

  it('stay as they were chosen until something else with types is selected', async () => {
    const { model, groups } = await openData('xdp_counter.bpf.o');
    const flow = structCalled(model, 'flow');
    const counter = structCalled(model, 'counter');
    const state = { ...FIRST_STATE, types: { value: flow, key: counter }, of: NO_SELECTION };
    expect(decodeTypes(model, groups, NO_SELECTION, state)).toEqual(state.types);
    const other = decodeTypes(model, groups, typeSelection(counter), state);
    expect(other).toEqual({ value: counter, key: counter });
    const code = { kind: 'insn', section: sectionCalled(model, '.text'), insnOff: 0 } as const;
    expect(decodeTypes(model, groups, code, state)).toEqual(state.types);
  });
});

describe('the map of a dump', () => {
  it('is the only one of the file that fits', async () => {
    const { model, groups } = await openData('xdp_counter.bpf.o');
    const names = (text: string) =>
      fittingMaps(model, groups, readInput('dump', text, null)).map(({ name }) => name);
    expect(names('key: 01 00 00 00  value: 02 00 00 00\nFound 1 element')).toEqual(['verdict']);
    expect(names('[{"key": 0,"value": "XDP_PASS"}]')).toEqual(['verdict']);
    const perCpu = '[{"key": 6,"values": [{"cpu": 0,"value": {"packets": 1,"bytes": 60}}]}]';
    expect(names(perCpu)).toEqual(['protocols']);
    expect(names('key: 01  value: 02')).toEqual([]);
    const [map] = fittingMaps(model, groups, readInput('dump', perCpu, null));
    if (map === undefined) throw new Error('no map');
    expect(decodeTypes(model, groups, NO_SELECTION, FIRST_STATE, [map])).toEqual({
      key: map.key,
      value: map.value,
    });
    expect(decodeTypes(model, groups, NO_SELECTION, FIRST_STATE, [map, map])).toEqual(
      FIRST_STATE.types,
    );
  });
});

describe('the example', () => {
  it('is that of the document where the file has its type', async () => {
    const types = [int('int', 4), struct('tmp_t', 12, [{ name: 'b', type: 1, bitOffset: 32 }])];
    for (const endian of ['little', 'big'] as const) {
      const model = await openModel('doc.btf', btfBlob({ types, endian }).bytes);
      const example = decodeExample(model, []);
      expect(example).toMatchObject({ source: 'hex', types: { value: 2 } });
      const value = decodeValue(
        model.types ?? fail(),
        structCalled(model, 'tmp_t'),
        hexBytes(example?.text ?? ''),
      );
      expect(sizeMismatchText(value, 12)).toBeNull();
      expect(
        dumpText([], { types: model.types ?? fail(), key: null, value: value.type }, 'json'),
      ).toBe('[]');
    }
  });

  it.each([
    ['xdp_counter.bpf.o', 'protocols', 4],
    ['exec_trace.bpf.o', 'started', 2],
  ])('is a dump of a map of %s', async (file, name, count) => {
    const { model, groups } = await openData(file);
    const example = decodeExample(model, groups);
    expect(example?.title).toContain(name);
    const entries = parseMapDump(example?.text ?? '');
    expect(dumpRows(entries)).toHaveLength(count);
    const text = dumpText(
      entries,
      {
        types: model.types ?? fail(),
        key: example?.types.key ?? null,
        value: example?.types.value ?? fail(),
      },
      'plain',
    );
    expect(text).toMatch(/^\[\{\n\s+"key": \d+/);
  });

  it('is empty without a type', async () => {
    const { model, groups } = await openData('kernel.btf');
    expect(decodeExample(model, groups)).toBeNull();
  });
});

it("reports a size that differs from the type's", async () => {
  const { model } = await openData('xdp_counter.bpf.o');
  const value = decodeValue(
    model.types ?? fail(),
    structCalled(model, 'counter'),
    new Uint8Array(16),
  );
  expect(sizeMismatchText(value, 16)).toBeNull();
  expect(sizeMismatchText(value, 1)).toContain('has 16 bytes, 1 byte was given');
  expect(sizeMismatchText(value, 64)).toContain('4 times as many');
});

it('writes bytes in a line', () => {
  expect(hexLine(Uint8Array.of(1, 255))).toBe('01 ff');
  expect(hexLine(new Uint8Array(17))).toMatch(/ 00 …$/);
});

function fail(): never {
  throw new Error('no types');
}
