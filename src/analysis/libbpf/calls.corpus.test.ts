/**
 * Compares predicted calls with those of a real libbpf (`load/` of the large corpus), on kernels
 * where it loads the whole object. An object that libbpf refuses has no calls. Columns that
 * `load-calls` lacks are not compared: `btf_vmlinux_value` of maps; `type`, `expected_attach_type`,
 * `flags`, `attach_btf_id`, `special` (see `cli/load.corpus.test.ts` for the last two) and
 * `license` (`values.corpus.test.ts`).
 */
import { describe, expect, it } from 'vitest';
import {
  type CorpusFile,
  corpusObjects,
  corpusRows,
  isLargeCorpus,
  readCorpusFile,
} from '#testing/corpus.ts';
import { JsonRow } from '#testing/json-row.ts';
import { openObject } from '#testing/open-model.ts';
import { type LoadCalls, loadCalls } from './calls.ts';
import { kernelName } from './object-maps.ts';
import { funcInfoOf, lineInfoOf } from './program-parts.ts';

const OF_COMPILERS = 'load/corpus-rows.jsonl.zst';
const OF_RULES = 'load/rows.jsonl.zst';

/** Returns each object's first row for which `isWanted` is true. */
function firstRows(file: string, containing: string, isWanted: (row: JsonRow) => boolean) {
  const first = new Map<string, JsonRow>();
  for (const row of corpusRows(file, containing)) {
    const object = row.text('object');
    if (!row.has('only') && !first.has(object) && isWanted(row)) first.set(object, row);
  }
  return [...first.values()];
}

const objects = new Map(
  (isLargeCorpus ? corpusObjects() : []).map((object) => [object.id, object]),
);

function fileOf(id: string): CorpusFile {
  return objects.get(id) ?? { id, name: `${id}.o`, file: `load/objects/${id}.o` };
}

async function callsOf(id: string): Promise<LoadCalls | null> {
  const file = fileOf(id);
  const { model, source } = await openObject(file.name, readCorpusFile(file));
  return await loadCalls(model, source);
}

/** Returns each program's name, instructions, and number of records. */
async function programsOf(id: string, calls: LoadCalls) {
  const { model } = await openObject(id, readCorpusFile(fileOf(id)));
  return calls.programs
    .filter(({ autoload }) => autoload)
    .map((program) => {
      const funcs = funcInfoOf(model, program).length;
      const lines = lineInfoOf(model, program).length;
      expect([funcs, lines]).toEqual([program.funcInfoCount, program.lineInfoCount]);
      return [kernelName(program.name), program.insnCount, funcs, lines];
    });
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

/** Returns each map's name, type, sizes, entries, flags, extra and type ids. */
function mapsOf(calls: LoadCalls, hasAll: boolean) {
  return calls.maps
    .filter(({ map }) => map.autocreate)
    .map(({ map, maxEntries, keyTypeId, valueTypeId }) => [
      ...[map.kernelName, map.type, map.keySize],
      // The size of a struct_ops value comes from the kernel.
      map.type === STRUCT_OPS ? 'of the kernel' : map.valueSize,
      // The recorded machine had two CPUs.
      Number(maxEntries ?? 2),
      ...(hasAll ? [Number(map.flags), Number(map.extra), keyTypeId, valueTypeId] : []),
    ]);
}

const COLUMNS = [
  ...['name', 'type', 'key_size', 'value_size', 'max_entries'],
  ...['flags', 'map_extra', 'btf_key', 'btf_value'],
];

function wantedMaps(row: JsonRow): unknown[][] {
  return row.list('map_create').map((map) => {
    const cells: unknown[] = Array.isArray(map)
      ? map
      : COLUMNS.map((column) => new JsonRow(map).fields.get(column));
    return cells.map((cell, at) => (at === 3 && cells[1] === STRUCT_OPS ? 'of the kernel' : cell));
  });
}

describe.skipIf(!isLargeCorpus)('programs and maps are those that libbpf loads', () => {
  it.each([
    [OF_COMPILERS, { objects: 26, programs: 100, maps: 120 }],
    [OF_RULES, { objects: 28, programs: 30, maps: 40 }],
  ])('of %s', async (file, least) => {
    const compared = { objects: 0, programs: 0, maps: 0 };
    for (const row of firstRows(file, '"stops_at":null', () => true)) {
      const id = row.text('object');
      const calls = await callsOf(id);
      if (calls === null) throw new Error(`${id} has no calls`);
      const wanted = { programs: wantedPrograms(row), maps: wantedMaps(row) };
      const loaded = new Set(wanted.programs.map(([name]) => name));
      const programs = await programsOf(id, calls);
      expect({
        id,
        stopped: calls.stopped,
        // libbpf does not load a struct_ops program if the kernel lacks the struct.
        programs: programs.filter(([name]) => loaded.has(name ?? '')),
        maps: mapsOf(calls, file === OF_RULES),
      }).toEqual({ id, stopped: null, ...wanted });
      compared.objects++;
      compared.programs += wanted.programs.length;
      compared.maps += wanted.maps.length;
    }
    for (const key of ['objects', 'programs', 'maps'] as const) {
      expect(compared[key], key).toBeGreaterThanOrEqual(least[key]);
    }
  });

  it.each([
    [OF_COMPILERS, 30],
    [OF_RULES, 4],
  ])(
    'are none where libbpf refuses to open the object, with its error: %s',
    async (file, least) => {
      const rows = firstRows(file, '"stops_at":"open"', () => true);
      expect(rows.length).toBeGreaterThanOrEqual(least);
      for (const row of rows) {
        const id = row.text('object');
        const calls = await callsOf(id);
        // An object without BTF has no predicted calls.
        if (calls === null) continue;
        const [line = ''] = row.texts('warnings').slice(-1);
        expect({ id, stopped: calls.stopped }).toEqual({
          id,
          stopped: expect.stringContaining(line),
        });
      }
    },
  );
});
