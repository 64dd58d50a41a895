/** The calls beside those that a real libbpf makes on kernels where it loads all: `load/` of the large corpus. */
import { describe, expect, it } from 'vitest';
import {
  type CorpusFile,
  corpusObjects,
  corpusRows,
  isLargeCorpus,
  readCorpusFile,
} from '#testing/corpus.ts';
import type { JsonRow } from '#testing/json-row.ts';
import { openObject } from '#testing/open-model.ts';
import { funcInfoOf, type LoadCalls, lineInfoOf, loadCalls } from './load-calls.ts';

/** The first run of each object that passes all phases. */
function loadedRuns(file: string): JsonRow[] {
  const first = new Map<string, JsonRow>();
  for (const row of corpusRows(file, '"stops_at":null')) {
    const object = row.text('object');
    if (!row.has('only') && !first.has(object)) first.set(object, row);
  }
  return [...first.values()];
}

async function callsOf(file: CorpusFile): Promise<{ calls: LoadCalls; counts: unknown[] }> {
  const { model, source } = await openObject(file.name, readCorpusFile(file));
  const calls = await loadCalls(model, source);
  if (calls === null) throw new Error(`${file.id} has no calls`);
  const programs = calls.programs.filter(({ autoload }) => autoload);
  const counts = programs.map((program) => [
    program.name.slice(0, 15),
    program.insnCount,
    funcInfoOf(model, program).length,
    lineInfoOf(model, program).length,
  ]);
  for (const [i, program] of programs.entries()) {
    expect(counts[i]).toEqual([
      program.name.slice(0, 15),
      program.insnCount,
      program.funcInfoCount,
      program.lineInfoCount,
    ]);
  }
  return { calls, counts };
}

function wantedPrograms(row: JsonRow) {
  return row
    .rows('prog_load')
    .map((call) => [
      call.text('name'),
      call.number('insns'),
      call.number('func_info'),
      call.number('line_info'),
    ]);
}

const STRUCT_OPS = 26;
const PERF_EVENT_ARRAY = 4;

/** Type, sizes and entries. The kernel states the size of a struct_ops value, the machine that of a perf event array. */
function shape(type: number, key: number, value: number, entries: number) {
  const valueSize = type === STRUCT_OPS ? 'of the kernel' : value;
  return [type, key, valueSize, type === PERF_EVENT_ARRAY ? 'CPUs' : entries];
}

function created(calls: LoadCalls) {
  return calls.maps.filter(({ autocreate }) => autocreate);
}

function ownMaps(calls: LoadCalls) {
  return created(calls).map((map) =>
    shape(map.mapType ?? 0, map.keySize, map.valueSize, Number(map.maxEntries)),
  );
}

describe.skipIf(!isLargeCorpus)('programs and maps are those that libbpf loads', async () => {
  const objects = new Map(corpusObjects().map((object) => [object.id, object]));

  it('of objects of compilers', async () => {
    let programs = 0;
    for (const row of loadedRuns('load/corpus-rows.jsonl.zst')) {
      const object = objects.get(row.text('object'));
      if (object === undefined) continue;
      const { calls, counts } = await callsOf(object);
      const wanted = wantedPrograms(row);
      programs += wanted.length;
      expect({ id: object.id, counts }).toEqual({ id: object.id, counts: wanted });
      const maps = row.list('map_create').map((map) => {
        const [, type, key, value, entries] = Array.isArray(map) ? map : [];
        return shape(Number(type), Number(key), Number(value), Number(entries));
      });
      expect({ id: object.id, maps: ownMaps(calls) }).toEqual({ id: object.id, maps });
    }
    expect(programs).toBeGreaterThan(100);
  });

  it('of objects with externs, tables of functions and all types of maps, with the ids of BTF', async () => {
    let maps = 0;
    for (const row of loadedRuns('load/rows.jsonl.zst')) {
      const id = row.text('object');
      const { calls, counts } = await callsOf({
        id,
        name: `${id}.o`,
        file: `load/objects/${id}.o`,
      });
      const wanted = wantedPrograms(row);
      const names = new Set(wanted.map(([name]) => name));
      expect({
        id,
        counts: counts.filter((each) => names.has(Array.isArray(each) ? each[0] : '')),
      }).toEqual({ id, counts: wanted });
      const wantedMaps = row
        .rows('map_create')
        .map((map) => [
          ...shape(
            map.number('type'),
            map.number('key_size'),
            map.number('value_size'),
            map.number('max_entries'),
          ),
          map.number('btf_key'),
          map.number('btf_value'),
        ]);
      maps += wantedMaps.length;
      const own = created(calls).map((map, i) => [
        ...(ownMaps(calls)[i] ?? []),
        map.keyTypeId,
        map.valueTypeId,
      ]);
      expect({ id, maps: own }).toEqual({ id, maps: wantedMaps });
    }
    expect(maps).toBeGreaterThan(30);
  });
});
