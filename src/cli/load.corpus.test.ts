/**
 * Compares load verdicts with the results of libbpf 1.8 for objects on kernels, and with what the
 * kernels then said: `load/` and `load2/` of the large corpus.
 *
 * Verdicts do not have these columns: `kconfig_data`, `debug`, and a program's
 * `expected_attach_type`, `flags` and `license`. `calls.corpus.test.ts` compares `map_create`.
 */
import { afterAll, describe, expect, it } from 'vitest';
import type { LoadKernel } from '#analysis/kernel/kernel.ts';
import { judgeLoad } from '#analysis/libbpf/load.ts';
import { kernelName } from '#analysis/libbpf/object-maps.ts';
import { type LoadObject, type LoadProgram, loadObject } from '#analysis/libbpf/open.ts';
import { kernelProgramType } from '#analysis/libbpf/program-types.ts';
import { addTo } from '#bytes/cache.ts';
import { bufferSource } from '#bytes/source.ts';
import type { TypeTable } from '#model/type-table.ts';
import { loadFields } from '#print/load-text.ts';
import {
  type CorpusFile,
  corpusList,
  corpusObjects,
  corpusRows,
  isLargeCorpus,
  readCorpusFile,
  readCorpusText,
} from '#testing/corpus.ts';
import { JsonRow } from '#testing/json-row.ts';
import { openModel, openObject } from '#testing/open-model.ts';
import { modulesIn } from './open-core.ts';

const FOLDER = 'kernels';

const file = (path: string) => ({ id: path, name: path.replace(/^.*\//, ''), file: path });

async function typesOf(path: string, base: TypeTable | null = null): Promise<TypeTable> {
  const entry = file(path);
  const options = base === null ? {} : { base, baseName: 'vmlinux' };
  const { types } = await openModel(entry.name, readCorpusFile(entry), options);
  if (types === null) throw new Error(`${path} has no types`);
  return types;
}

/** Returns the modules that a row names for its target: a list, or all modules of an archive. */
async function modulesOf(target: JsonRow, vmlinux: TypeTable | null) {
  const given = target.fields.get('modules');
  if (vmlinux === null || (given ?? null) === null) return [];
  if (typeof given === 'string') {
    const path = /kernels\/\S*\.tar\.zst/.exec(given)?.[0] ?? '';
    const io = {
      out: () => {},
      warn: () => {},
      save: () => {},
      progress: () => undefined,
      exists: () => true,
      list: () => null,
      beside: () => null,
      create: () => {
        throw new Error('nothing is written');
      },
      open: (name: string) =>
        Promise.resolve(bufferSource(name, readCorpusFile({ ...file(name), name }))),
    };
    return await modulesIn(io, path, { name: 'vmlinux', types: vmlinux });
  }
  const kernel = target.text('id').replace(/\+.*$/, '');
  const loaded = [];
  for (const name of target.texts('modules')) {
    const types = await typesOf(`${FOLDER}/modules/${kernel}-${name}.btf`, vmlinux);
    loaded.push({ name, types });
  }
  return loaded;
}

async function openTarget(row: JsonRow): Promise<LoadKernel> {
  const vmlinux = row.has('btf') ? await typesOf(`${FOLDER}/${row.text('btf')}`) : null;
  const text = (key: string) => readCorpusText(`load/${row.text(key)}`);
  return {
    name: row.text('id'),
    vmlinux,
    modules: await modulesOf(row, vmlinux),
    config: row.has('config') ? { text: text('config') } : 'none',
    kallsyms: row.has('kallsyms') ? text('kallsyms') : null,
    release: row.text('uname_release'),
    unameVersion: row.text('uname_version'),
  };
}

/** Returns the object with autoload only for the program `only`: some rows load one program. */
function alone(object: LoadObject, only: string): LoadObject {
  const programs = object.programs.map((one) => ({ ...one, autoload: one.name === only }));
  return { ...object, programs };
}

/** Returns the compared fields of a row. `externs` has only externs that libbpf resolved. */
function wanted(row: JsonRow): Map<string, unknown> {
  const code = (key: string) => (row.has(key) ? row.number(key) : null);
  const isOpen = code('open') === 0;
  const rows: [string, unknown][] = [
    ['open', code('open')],
    ['prepare', code('prepare')],
    ['load', code('load')],
    ['stops_at', row.has('stops_at') ? row.text('stops_at') : null],
    ['warnings', row.texts('warnings')],
  ];
  if (row.fields.has('infos')) rows.push(['infos', row.texts('infos')]);
  if (isOpen) rows.push(['externs', row.fields.has('externs') ? row.list('externs') : []]);
  if (isOpen && row.fields.has('maps_at_open')) {
    rows.push(['maps_at_open', row.list('maps_at_open')]);
  }
  const programs = row.fields.get('programs');
  if (typeof programs === 'number') rows.push(['programs', programs]);
  else if (isOpen) rows.push(['programs', row.list('programs').map(programOf)]);
  if (code('prepare') === 0 && row.fields.has('autoload_after_prepare')) {
    rows.push(['autoload_after_prepare', row.list('autoload_after_prepare')]);
  }
  rows.push(['prog_load', row.rows('prog_load').map(loadOf)]);
  return new Map(rows);
}

/** Returns the name, section, type and autoload of a program. */
function programOf(one: unknown) {
  return Array.isArray(one) ? [...one.slice(0, 3), one[4]] : one;
}

function loadOf(one: JsonRow) {
  return [
    one.text('name'),
    ...['type', 'insns', 'func_info', 'line_info'].map((key) => one.number(key)),
    one.number('attach_btf_id'),
    one.has('attach_module') ? one.text('attach_module') : null,
    one.fields.get('special') ?? [],
  ];
}

type Fields = ReturnType<typeof loadFields>;

/** Names of `enum bpf_prog_type`, by number. */
const PROGRAM_TYPES = `UNSPEC SOCKET_FILTER KPROBE SCHED_CLS SCHED_ACT TRACEPOINT XDP PERF_EVENT
  CGROUP_SKB CGROUP_SOCK LWT_IN LWT_OUT LWT_XMIT SOCK_OPS SK_SKB CGROUP_DEVICE SK_MSG
  RAW_TRACEPOINT CGROUP_SOCK_ADDR LWT_SEG6LOCAL LIRC_MODE2 SK_REUSEPORT FLOW_DISSECTOR
  CGROUP_SYSCTL RAW_TRACEPOINT_WRITABLE CGROUP_SOCKOPT TRACING STRUCT_OPS EXT LSM SK_LOOKUP
  SYSCALL NETFILTER`.split(/\s+/);

function typeOf({ kind }: LoadProgram): number {
  return Math.max(0, PROGRAM_TYPES.indexOf(kernelProgramType(kind)));
}

function given(own: Fields, { programs }: LoadObject, hasList: boolean): Map<string, unknown> {
  // libbpf cuts names to 15 bytes: several programs may share a name.
  const loaded = programs.filter((_, i) => own.programs[i]?.autoload);
  return new Map<string, unknown>([
    ...Object.entries(own),
    ['prepare', own.prepare ?? null],
    ['load', own.load ?? null],
    [
      'programs',
      hasList
        ? programs.map((one) => [one.name, one.section, typeOf(one), Number(one.autoload)])
        : programs.length,
    ],
    ['autoload_after_prepare', own.programs.map(({ autoload }) => Number(autoload))],
    [
      'prog_load',
      own.prog_load.map((one, i) => {
        const program = loaded[i];
        if (program === undefined || kernelName(program.name) !== one.name) return one.name;
        const { insnCount, funcInfoCount, lineInfoCount } = program.load;
        return [
          one.name,
          ...[typeOf(program), insnCount, funcInfoCount, lineInfoCount],
          one.attach_btf_id,
          one.attach_module ?? null,
          one.special,
        ];
      }),
    ],
  ]);
}

const COLUMNS = ['right', 'wrong', 'undecided'] as const;
type Column = (typeof COLUMNS)[number];

/** Number of results for each step at which libbpf stops, and for each compared field. */
const table = new Map<string, Record<Column, number>>();

function count(line: string, column: Column): void {
  const known = table.get(line) ?? { right: 0, wrong: 0, undecided: 0 };
  known[column]++;
  table.set(line, known);
}

/** Returns the step at which libbpf stopped, derived from its return codes and final log lines. */
function stepOf(row: JsonRow): string {
  const stops = row.has('stops_at') ? row.text('stops_at') : 'all steps passed';
  const lines = row.texts('warnings').join('\n');
  if (stops === 'prepare') {
    const of =
      /extern|Kconfig/.exec(lines) !== null
        ? 'externs'
        : /struct_ops/.test(lines)
          ? 'struct_ops'
          : /kernel BTF is missing/.test(lines)
            ? 'kernel BTF'
            : /is not on BPF FS/.test(lines)
              ? 'pinned maps'
              : 'relocation';
    return `prepare: ${of}`;
  }
  if (stops === 'load') {
    const isByType = /missing BPF prog type|isn't referenced anywhere/.test(lines);
    return `load: ${isByType ? 'program type' : 'attach target'}`;
  }
  return stops;
}

/** Compares one row. Returns the fields that differ from libbpf's although no fact is missing. */
function compare(row: JsonRow, object: LoadObject, kernel: LoadKernel): string[] {
  const judged = row.has('only') ? alone(object, row.text('only')) : object;
  const verdict = judgeLoad(judged, kernel);
  const own = loadFields({ object: '', kernel: kernel.name, maps: object.maps, verdict });
  const mine = given(own, judged, Array.isArray(row.fields.get('programs')));
  const asked = wanted(row);
  const open = new Set(verdict.undecided.map(({ what }) => what));
  // If facts are missing, only the list of missing facts is compared, not the error codes.
  const isOpen = open.size > 0 && own.prepare === undefined;
  const wrong: string[] = [];
  const decided = (key: string, value: unknown): unknown =>
    key === 'externs' && Array.isArray(value)
      ? value.filter((one) => !open.has(new JsonRow(one).text('name')))
      : value;
  for (const [key, one] of asked) {
    const isSame = text(decided(key, mine.get(key))) === text(decided(key, one));
    if (!isSame && !isOpen) wrong.push(`${key}: ${text(mine.get(key))}, not ${text(one)}`);
    count(`  ${key}`, isSame ? 'right' : isOpen ? 'undecided' : 'wrong');
  }
  for (const [at, extern] of (row.fields.has('externs') ? row.rows('externs') : []).entries()) {
    if (row.fields.get('open') !== 0 || !extern.has('result')) continue;
    const ours = own.externs[at];
    const isSame = ours !== undefined && text(ours) === text(Object.fromEntries(extern.fields));
    const isLeft = open.has(extern.text('name'));
    count(`  extern: ${extern.text('kind')}`, isSame ? 'right' : isLeft ? 'undecided' : 'wrong');
    if (!isSame && !isLeft) wrong.push(`extern ${extern.text('name')}: ${text(ours)}`);
  }
  for (const [at, one] of row.rows('prog_load').entries()) {
    const ours = own.prog_load[at];
    const isSame =
      ours?.attach_btf_id === one.number('attach_btf_id') && ours.name === one.text('name');
    const type = one.number('type');
    const line = type === STRUCT_OPS ? 'struct_ops member' : 'attach target';
    if (one.number('attach_btf_id') !== 0) {
      count(`  ${line}`, isSame ? 'right' : isOpen ? 'undecided' : 'wrong');
    }
  }
  const column = wrong.length > 0 ? 'wrong' : isOpen ? 'undecided' : 'right';
  count(stepOf(row), column);
  return wrong.map((one) => `${row.text('object')} ${row.fields.get('only') ?? ''} ${one}`);
}

/** Lines of the kernel that libbpf replaces in its log by lines of its own. */
const REPLACED: readonly (readonly [theirs: string, ours: RegExp])[] = [
  ['invalid func unknown#195896080', /^failed to resolve CO-RE relocation /],
  ['Error in bpf_create_map_xattr(', /^map '.*': failed to create: /],
];

/** Rows whose line is not what Linux 7.1 and later log: they look at the opcode first. */
const OTHER_LINE: ReadonlySet<string> = new Set(['i_probe_mem32']);

/** Compares the kernel's own verdict, in rows of objects that libbpf hands to the kernel. */
function kernelFaults(row: JsonRow, object: LoadObject, kernel: LoadKernel): string[] {
  if (!row.fields.has('kernel')) return [];
  const said = row.row('kernel');
  const verdict = said.text('verdict');
  const judged = judgeLoad(row.has('only') ? alone(object, row.text('only')) : object, kernel);
  const isRefused = judged.outcome === 'rejected' || judged.outcome === 'fails';
  const reasons = [...judged.reasons, ...judged.programs.flatMap((program) => program.reasons)];
  const lines = reasons.map(({ line, text }) => line ?? text);
  const isDecidable = said.fields.get('decidable') !== false;
  const fault = (what: string) => [`${row.text('object')} ${what}: ${lines.join(' / ')}`];
  let faults: string[] = [];
  if (verdict === 'refuses' && isDecidable) {
    const line = said.has('line') ? said.text('line') : '';
    const other = REPLACED.find(([theirs]) => line.startsWith(theirs));
    const isTold = lines.some((own) => own.includes(line) || other?.[1].test(own) === true);
    if (!isRefused) faults = fault(`is ${judged.outcome}, refused with ${line}`);
    else if (!isTold && !OTHER_LINE.has(row.text('object'))) faults = fault(`lacks ${line}`);
  } else if (verdict !== 'refuses' && verdict !== 'unknown' && isRefused) {
    faults = fault(`is refused, the kernel ${verdict}`);
  }
  count(`  kernel: ${verdict}`, faults.length === 0 ? 'right' : 'wrong');
  return faults;
}

/** `BPF_PROG_TYPE_STRUCT_OPS`. */
const STRUCT_OPS = 27;

function printed(): string {
  const lines = [...table].sort(([a], [b]) => (a < b ? 1 : -1));
  const row = (cells: readonly unknown[]) => `| ${cells.join(' | ')} |`;
  return [
    row(['rows, and answers in them', ...COLUMNS]),
    '| --- | --- | --- | --- |',
    ...lines.map(([name, counts]) => row([name.trim(), ...COLUMNS.map((one) => counts[one])])),
  ].join('\n');
}

const SETS = [
  {
    rows: 'load/rows.jsonl.zst',
    folder: 'load',
    count: 1906,
    places: () => new Map<string, CorpusFile>(),
  },
  {
    rows: 'load2/rows.jsonl.zst',
    folder: 'load2',
    count: 1754,
    places: () => new Map<string, CorpusFile>(),
  },
  {
    rows: 'load/corpus-rows.jsonl.zst',
    folder: 'load',
    count: 5032,
    places: () => new Map(corpusObjects().map((object) => [object.id, object])),
  },
];

describe.skipIf(!isLargeCorpus).each(SETS)('libbpf on kernels: $rows', (set) => {
  const rows = new Map<string, JsonRow[]>();
  for (const row of isLargeCorpus ? corpusRows(set.rows) : []) addTo(rows, row.text('target'), row);
  const places = isLargeCorpus ? set.places() : new Map<string, CorpusFile>();
  const objects = new Map<string, LoadObject>();
  const objectOf = async (id: string): Promise<LoadObject> => {
    const known = objects.get(id);
    if (known !== undefined) return known;
    const place = places.get(id) ?? file(`${set.folder}/objects/${id}.o`);
    const { model, source } = await openObject(`${id}.o`, readCorpusFile(place));
    const object = await loadObject(model, source);
    objects.set(id, object);
    return object;
  };
  let compared = 0;

  it.each(
    isLargeCorpus
      ? corpusList('load/targets.json').map((row) => [row.text('id'), row] as const)
      : [],
  )(
    '%s',
    async (id, target) => {
      const asked = rows.get(id) ?? [];
      if (asked.length === 0) return;
      const kernel = await openTarget(target);
      const wrong: string[] = [];
      for (const row of asked) {
        const object = await objectOf(row.text('object'));
        compared++;
        // libbpf 1.8 crashed on this object.
        if (row.has('crash')) {
          const { outcome, prepare } = judgeLoad(object, kernel);
          const isTold = outcome !== 'loads' && prepare === null;
          count('crash', isTold ? 'right' : 'wrong');
          if (!isTold) wrong.push(`${row.text('object')} crash: ${outcome}, ${prepare}`);
          continue;
        }
        wrong.push(...compare(row, object, kernel), ...kernelFaults(row, object, kernel));
      }
      expect(wrong).toEqual([]);
    },
    60_000,
  );

  afterAll(() => {
    expect(compared).toBe(set.count);
    process.stdout.write(`${set.rows}\n${printed()}\n`);
    table.clear();
  });
});

/** Returns JSON with sorted keys. */
function text(value: unknown): string {
  return JSON.stringify(sorted(value ?? null));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sorted(one)]),
  );
}
