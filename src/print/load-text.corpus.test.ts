/** What libbpf 1.8 itself did with objects on kernels: `load/` of the large corpus. */

import { describe, expect, it } from 'vitest';
import { errnoNumber } from '#analysis/load/failure.ts';
import type { LoadKernel } from '#analysis/load/kernel.ts';
import { judgeLoad, type LoadVerdict } from '#analysis/load/load.ts';
import { type LoadObject, loadObject } from '#analysis/load/load-object.ts';
import { addTo } from '#bytes/keep.ts';
import type { TypeTable } from '#model/type-table.ts';
import {
  corpusList,
  corpusObjects,
  corpusRows,
  isLargeCorpus,
  readCorpusFile,
  readCorpusText,
} from '#testing/corpus.ts';
import type { JsonRow } from '#testing/json-row.ts';
import { openModel, openObject } from '#testing/open-model.ts';
import { loadFields } from './load-text.ts';

const FOLDER = 'kernels';

const file = (path: string) => ({ id: path, name: path.replace(/^.*\//, ''), file: path });

async function typesOf(path: string, base: TypeTable | null = null): Promise<TypeTable> {
  const entry = file(path);
  const options = base === null ? {} : { base, baseName: 'vmlinux' };
  const { types } = await openModel(entry.name, readCorpusFile(entry), options);
  if (types === null) throw new Error(`${path} has no types`);
  return types;
}

/** The kernels of `targets.json`, but for the one with all modules of a distribution. */
function targets(): JsonRow[] {
  return corpusList('load/targets.json').filter(
    (row) => typeof row.fields.get('modules') !== 'string',
  );
}

async function openTarget(row: JsonRow): Promise<LoadKernel> {
  const name = row.text('id');
  const vmlinux = row.has('btf') ? await typesOf(`${FOLDER}/${row.text('btf')}`) : null;
  const modules = [];
  for (const module of row.has('modules') ? row.texts('modules') : []) {
    const kernel = name.replace(/\+modules$/, '');
    const path = `${FOLDER}/modules/${kernel}-${module}.btf`;
    modules.push({ name: module, types: await typesOf(path, vmlinux) });
  }
  const text = (key: string) => readCorpusText(`load/${row.text(key)}`);
  return {
    name,
    vmlinux,
    modules,
    config: row.has('config') ? { text: text('config') } : 'none',
    kallsyms: row.has('kallsyms') ? text('kallsyms') : null,
    release: row.text('uname_release'),
    unameVersion: row.text('uname_version'),
  };
}

/** What is compared of a row, in the order of the checks. */
function wanted(row: JsonRow) {
  const code = (key: string) => (row.has(key) ? row.number(key) : null);
  return {
    codes: [code('open'), code('prepare'), code('load')],
    stops: row.has('stops_at') ? row.text('stops_at') : null,
    warnings: row.list('warnings'),
    externs: row.has('externs') && code('open') === 0 ? row.list('externs') : null,
    maps: code('open') === 0 ? row.list('maps_at_open') : null,
    loads: row.has('prog_load')
      ? row
          .rows('prog_load')
          .map((one) => [
            one.text('name'),
            one.number('attach_btf_id'),
            one.has('attach_module') ? one.text('attach_module') : null,
            one.fields.get('special') ?? [],
          ])
      : null,
  };
}

/** Of a row in which one program alone is loaded: what its own verdict has otherwise. */
function wrongOfOne(row: JsonRow, { prepare, programs }: LoadVerdict): string[] {
  const only = row.text('only');
  const failure = programs.find(({ program }) => program.name === only)?.failure ?? null;
  const code = failure === null ? 0 : errnoNumber(failure);
  const asked = row.has('load') ? row.number('load') : null;
  return prepare !== 0 || code === asked
    ? []
    : [`${row.text('object')} ${only}: ${code}, not ${asked}`];
}

/** What is not predicted: gcc writes no records for some programs, and libbpf says so. */
const LEFT_OUT = /missing \.BTF\.ext (?:function|line) info for the main program/;
const PROBED = /^LINUX_HAS_/;

describe.skipIf(!isLargeCorpus)('libbpf on kernels', async () => {
  const rows = new Map<string, JsonRow[]>();
  for (const row of isLargeCorpus ? corpusRows('load/rows.jsonl.zst') : []) {
    if (!row.has('crash')) addTo(rows, row.text('target'), row);
  }
  const objects = new Map<string, LoadObject>();
  const objectOf = async (id: string): Promise<LoadObject> => {
    const known = objects.get(id);
    if (known !== undefined) return known;
    const { model, source } = await openObject(
      `${id}.o`,
      readCorpusFile(file(`load/objects/${id}.o`)),
    );
    const object = await loadObject(model, source);
    objects.set(id, object);
    return object;
  };

  it.each(isLargeCorpus ? targets().map((row) => [row.text('id'), row] as const) : [])(
    '%s',
    async (id, target) => {
      const kernel = await openTarget(target);
      const wrong: string[] = [];
      for (const row of rows.get(id) ?? []) {
        const name = row.text('object');
        const object = await objectOf(name);
        const verdict = judgeLoad(object, kernel);
        if (row.has('only')) {
          wrong.push(...wrongOfOne(row, verdict));
          continue;
        }
        const { maps } = object;
        const own = loadFields({ object: name, kernel: id, maps, verdict });
        const asked = wanted(row);
        const given = {
          codes: [own.open, own.prepare ?? null, own.load ?? null],
          stops: own.stops_at,
          warnings: own.warnings,
          externs: asked.externs === null ? null : own.externs,
          maps: asked.maps === null ? null : own.maps_at_open,
          loads:
            asked.loads === null
              ? null
              : own.prog_load.map((one) => [
                  one.name,
                  one.attach_btf_id,
                  one.attach_module ?? null,
                  one.special,
                ]),
        };
        // What the probes of the running kernel say is not known.
        if (own.undecided.some(({ what }) => PROBED.test(what))) continue;
        const text = (value: unknown) => JSON.stringify(sorted(value ?? null));
        for (const [key, one] of Object.entries(asked)) {
          const mine = new Map<string, unknown>(Object.entries(given)).get(key);
          if (text(mine) !== text(one))
            wrong.push(`${name} ${key}: ${text(mine)}, not ${text(one)}`);
        }
      }
      expect(wrong).toEqual([]);
    },
  );
});

describe.skipIf(!isLargeCorpus)('libbpf with objects of compilers on kernels', async () => {
  const rows = new Map<string, JsonRow[]>();
  for (const row of isLargeCorpus ? corpusRows('load/corpus-rows.jsonl.zst') : []) {
    if (!row.has('crash')) addTo(rows, row.text('target'), row);
  }
  const files = new Map(corpusObjects().map((object) => [object.id, object]));
  const objects = new Map<string, LoadObject>();

  it.each(isLargeCorpus ? targets().map((row) => [row.text('id'), row] as const) : [])(
    '%s',
    async (id, target) => {
      const kernel = await openTarget(target);
      const wrong: string[] = [];
      for (const row of rows.get(id) ?? []) {
        const name = row.text('object');
        const entry = files.get(name);
        if (entry === undefined) continue;
        let object = objects.get(name);
        if (object === undefined) {
          const { model, source } = await openObject(`${name}.o`, readCorpusFile(entry));
          object = await loadObject(model, source);
          objects.set(name, object);
        }
        const verdict = judgeLoad(object, kernel);
        const codes = ['open', 'prepare', 'load'].map((key) =>
          row.has(key) ? row.number(key) : null,
        );
        if (row.has('only')) {
          wrong.push(...wrongOfOne(row, verdict));
          continue;
        }
        // There was no BPF file system where maps are pinned.
        if (row.texts('warnings').some((line) => line.includes('is not on BPF FS'))) continue;
        if (verdict.undecided.some(({ what }) => PROBED.test(what))) continue;
        const own = [verdict.open, verdict.prepare, verdict.load];
        const pair = { object: name, kernel: id, maps: object.maps, verdict };
        const { warnings } = loadFields(pair);
        const logged = row.texts('warnings').filter((line) => !LEFT_OUT.test(line));
        if (`${warnings}` !== `${logged}`) wrong.push(`${name}: ${warnings}, not ${logged}`);
        if (`${own}` !== `${codes}`) {
          wrong.push(
            `${name}: ${own}, not ${codes} ${JSON.stringify(row.list('warnings')).slice(0, 300)} / ${verdict.reasons.map(({ text }) => text)}`,
          );
        }
      }
      expect(wrong).toEqual([]);
    },
  );
});

/** With the keys of objects in one order. */
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
