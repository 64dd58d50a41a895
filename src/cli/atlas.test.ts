/** Tests of `btfscope atlas` on small kernels. */
import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { bufferSource } from '#bytes/source.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { ingest, ingestBytes } from '#ingest/ingest.ts';
import { typeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { tarFile } from '#testing/archives.ts';
import {
  type CorpusFile,
  corpusKernel,
  corpusModules,
  kernelIds,
  readCorpusFile,
} from '#testing/corpus.ts';
import { scannedPrototype, typesNamed } from '#testing/plain-scan.ts';
import { runCommand } from '#testing/run-command.ts';
import { nodeIo } from './node-io.ts';
import { run } from './run.ts';

const first = readCorpusFile(corpusKernel(kernelIds.first));
const second = readCorpusFile(corpusKernel(kernelIds.second));
const files = new Map([
  ['hub/debian/12/x86_64/6.1.0-56-amd64.btf.tar', tarFile({ './6.1.0-56-amd64.btf': first })],
  ['hub/debian/13/x86_64/6.12.117-amd64.btf', second],
  ['hub/README.md', new TextEncoder().encode('Types of many kernels.\n')],
  ['other/vmlinux-6.1.0-56-amd64.btf', second],
]);

async function built(
  words: readonly string[],
  more: ReadonlyMap<string, Uint8Array> = new Map(),
): Promise<Map<string, Uint8Array>> {
  const all = new Map([...files, ...more]);
  const { status, err, saved } = await runCommand(['atlas', ...words], all);
  expect({ status, err: err.filter((line) => !line.includes('left out')) }).toEqual({
    status: 0,
    err: [],
  });
  return new Map([...all, ...saved]);
}

async function printed(words: readonly string[], given: ReadonlyMap<string, Uint8Array>) {
  const { status, out, err } = await runCommand(['atlas', ...words], given);
  expect({ status, err }).toEqual({ status: 0, err: [] });
  return out;
}

function corpusModule(id: string): CorpusFile {
  const found = corpusModules().find((module) => module.id === id);
  if (found === undefined) throw new Error(`there is no module ${id}`);
  return found;
}

async function typesOf(btf: Uint8Array): Promise<TypeTable> {
  const opened = await ingestBytes('kernel', btf);
  if (opened.kind !== 'object' || opened.model.types === null) throw new Error('no BTF');
  return opened.model.types;
}

const names = (out: string): readonly string[] =>
  (JSON.parse(out) as { kernels: { name: string }[] }).kernels.map(({ name }) => name);

describe('btfscope atlas', () => {
  it('builds from a directory of archives and files, in the layout of BTFHub', async () => {
    const now = await built(['build', 'a.btfatlas', 'hub']);
    const info = await printed(['info', 'a.btfatlas'], now);
    expect(info).toContain('atlas of version 1, 2 kernels');
    expect(info).toMatch(/6\.1\.0-56-amd64 {2}6\.1\.0 amd64, \d+ types/);
    expect(info).toMatch(/6\.12\.117-amd64 {2}6\.12\.117 amd64, \d+ types/);
  });

  it('replaces an atlas, but no other file', async () => {
    const kernel = 'hub/debian/13/x86_64/6.12.117-amd64.btf';
    const { status, err, saved } = await runCommand(['atlas', 'build', kernel, 'hub'], files);
    expect({ status, saved: saved.size }).toEqual({ status: 1, saved: 0 });
    expect(err.join('\n')).toContain(`${kernel} is a file but no atlas, and is not replaced`);
    const before = await built(
      ['build', 'a.btfatlas', 'hub'],
      new Map([['a.btfatlas', new Uint8Array()]]),
    );
    await built(['build', 'a.btfatlas', 'other'], before);
  });

  it('gives kernels of one name another one', async () => {
    const now = await built(['build', 'a.btfatlas', 'hub', 'other']);
    expect(names(await printed(['info', 'a.btfatlas', '--json'], now))).toEqual([
      '6.1.0-56-amd64',
      '6.1.0-56-amd64 (other/)',
      '6.12.117-amd64',
    ]);
  });

  it.each([
    ['kernels.csv', 'file,name,flavour\n6.12.117-amd64.btf,"mine, ""new""",rt\n'],
    [
      'kernels.json',
      '[{"file": "hub/debian/13/x86_64/6.12.117-amd64.btf", "name": "mine, \\"new\\""}]',
    ],
  ])('takes names from %s', async (path, text) => {
    const more = new Map([[path, new TextEncoder().encode(text)]]);
    const now = await built(['build', 'a.btfatlas', 'hub', '--manifest', path], more);
    expect(names(await printed(['info', 'a.btfatlas', '--json'], now))).toEqual([
      '6.1.0-56-amd64',
      'mine, "new"',
    ]);
  });

  it('adds kernels and takes them out again', async () => {
    const one = await built(['build', 'a.btfatlas', 'hub/debian/12']);
    const two = await runCommand(['atlas', 'add', 'a.btfatlas', 'hub/debian/13'], one);
    const grown = new Map([...one, ...two.saved]);
    expect(names(await printed(['info', 'a.btfatlas', '--json'], grown))).toHaveLength(2);
    const less = await runCommand(['atlas', 'remove', 'a.btfatlas', '6.1.0-56-amd64'], grown);
    const left = new Map([...grown, ...less.saved]);
    expect(names(await printed(['info', 'a.btfatlas', '--json'], left))).toEqual([
      '6.12.117-amd64',
    ]);
    const { saved } = await runCommand(
      ['atlas', 'extract', 'a.btfatlas', '6.12.117-amd64', '-o', 'k.btf'],
      left,
    );
    expect(Buffer.from(saved.get('k.btf') ?? []).equals(second)).toBe(true);
  });

  it('answers in text and as JSON, and a batch in lines', async () => {
    const batch = [
      { id: 7, ask: 'struct', name: 'task_struct' },
      { id: 'm', ask: 'member', name: 'task_struct', member: 'pid' },
      { id: 9, ask: 'func', name: 'no_such_function' },
    ];
    const text = batch.map((question) => JSON.stringify(question)).join('\n');
    const more = new Map([['q.jsonl', new TextEncoder().encode(`${text}\n`)]]);
    const now = await built(['build', 'a.btfatlas', 'hub', '--questions-only'], more);
    const lines = (await printed(['ask', 'a.btfatlas', '--batch', 'q.jsonl'], now))
      .trimEnd()
      .split('\n');
    const rows = lines.map(
      (line) => JSON.parse(line) as { id: unknown; answer: { count: number } },
    );
    expect(rows.map(({ id, answer }) => [id, answer.count])).toEqual([
      [7, 2],
      ['m', 2],
      [9, 0],
    ]);
    const alone = await printed(['ask', 'a.btfatlas', 'member', 'task_struct.pid', '--json'], now);
    expect(JSON.parse(alone)).toEqual(rows[1]?.answer);
    expect(await printed(['ask', 'a.btfatlas', 'type', 'task_struct'], now)).toMatch(
      /^struct task_struct: in 2 of 2 kernels/,
    );
    expect(await printed(['ask', 'a.btfatlas', 'history', 'task_struct'], now)).toContain(
      'layout ',
    );
  });

  describe('modules', () => {
    const veth = readCorpusFile(corpusModule(`${kernelIds.first}-veth.btf`));
    const conntrack = readCorpusFile(corpusModule(`${kernelIds.first}-nf_conntrack.ko`));
    const other = readCorpusFile(corpusModule(`${kernelIds.second}-veth.btf`));
    const folder = new Map([
      ['lib/modules/6.1.0-56-amd64/kernel/nf-conntrack.ko', conntrack],
      ['lib/modules/6.1.0-56-amd64/kernel/veth.btf', veth],
      ['lib/modules/6.1.0-56-amd64/more/veth.btf', veth],
      ['lib/modules/6.1.0-56-amd64/vmlinux', first],
      ['btf/veth', other],
      ['btf/vmlinux', second],
    ]);
    const found = async (question: readonly string[], from: ReadonlyMap<string, Uint8Array>) => {
      const answer = await printed(['ask', 'a.btfatlas', ...question, '--json'], from);
      return (JSON.parse(answer) as { kernels: Record<string, Record<string, unknown>> }).kernels;
    };

    it('are taken with the kernel that they fit, and answer where it has no such name', async () => {
      const now = await built(['build', 'a.btfatlas', 'lib', 'btf'], folder);
      const info = await printed(['info', 'a.btfatlas', '--json'], now);
      expect(JSON.parse(info)).toMatchObject({
        kernels: [
          { name: '6.1.0-56-amd64', modules: ['nf_conntrack', 'veth'] },
          { name: 'vmlinux', modules: ['veth'] },
        ],
      });
      const opened = await ingest(bufferSource('veth', veth), { base: await typesOf(first) });
      const types = opened.kind === 'object' ? opened.model.types : null;
      if (types === null) throw new Error('veth has no types');
      const [id = typeId(0)] = typesNamed(types, [BtfKind.FUNC], 'veth_xmit');
      const answer = { module: 'veth', modules: ['veth'], prototype: scannedPrototype(types, id) };
      const kernels = await found(['func', 'veth_xmit'], now);
      expect(kernels).toMatchObject({ '6.1.0-56-amd64': answer, vmlinux: answer });
      expect(await printed(['ask', 'a.btfatlas', 'func', 'veth_xmit'], now)).toMatch(
        /; in module veth\n {2}2 kernels: 6\.1\.0-56-amd64, vmlinux/,
      );
      expect(await printed(['ask', 'a.btfatlas', 'history', 'veth_xmit'], now)).toContain(
        '6.1.0-56-amd64 (veth), vmlinux (veth)',
      );
    });

    it('stay with their kernel when others come and go, and in tables', async () => {
      const one = await built(['build', 'a.btfatlas', 'lib'], folder);
      const two = await runCommand(['atlas', 'add', 'a.btfatlas', 'btf'], one);
      const grown = new Map([...one, ...two.saved]);
      const whole = await built(['build', 'a.btfatlas', 'lib', 'btf'], folder);
      for (const question of [
        ['func', 'veth_xmit'],
        ['struct', 'task_struct'],
      ]) {
        expect(await found(question, grown)).toEqual(await found(question, whole));
      }
      const tables = await runCommand(['atlas', 'export', 'a.btfatlas', '--parquet', 'p'], grown);
      const again = await built(['build', 'a.btfatlas', 'p'], tables.saved);
      expect(await found(['func', 'veth_xmit'], again)).toEqual(
        await found(['func', 'veth_xmit'], whole),
      );
      const less = await runCommand(['atlas', 'remove', 'a.btfatlas', '6.1.0-56-amd64'], grown);
      expect(less.status).toBe(0);
      const left = await found(['func', 'veth_xmit'], new Map([...grown, ...less.saved]));
      expect(Object.keys(left)).toEqual(['vmlinux']);
    });

    it('are left out where their kernel is not there', async () => {
      const all = new Map([...folder, ['lone/veth.btf', other]]);
      const without = await runCommand(['atlas', 'build', 'a.btfatlas', 'lib', 'lone'], all);
      expect(without).toMatchObject({
        status: 0,
        err: ['1 module of kernels that are not here; left out'],
      });
      const named = await runCommand(['atlas', 'build', 'a.btfatlas', 'lone/veth.btf'], all);
      expect(named.status).toBe(1);
      expect(named.err.join()).toContain('has modules of a kernel that is not here');
    });
  });

  it.each([
    [['build', 'a.btfatlas', 'hub/README.md'], 1, /unsupported file type/],
    [['build', 'a.btfatlas', 'missing'], 1, /there is no such file/],
    [['build', 'a.btfatlas'], 2, /INPUT is missing/],
    [['info', 'hub/README.md'], 1, /is not an atlas/],
    [['tell', 'a.btfatlas'], 2, /"tell" is no action/],
  ])('%j fails with one line', async (words, expected, line) => {
    const { status, err, saved } = await runCommand(['atlas', ...words], files);
    expect({ status, lines: err.length, saved: saved.size }).toEqual({
      status: expected,
      lines: 1,
      saved: 0,
    });
    expect(err[0]).toMatch(line);
  });

  it('leaves nothing on disk of a build that fails', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'atlas-'));
    writeFileSync(join(folder, 'good.btf'), first);
    writeFileSync(join(folder, 'bad.txt'), 'no kernel');
    const out = join(folder, 'a.btfatlas');
    const quiet = { ...nodeIo, warn: () => undefined };
    const words = ['atlas', 'build', out, join(folder, 'good.btf'), join(folder, 'bad.txt')];
    expect(await run(words, quiet)).toBe(1);
    expect(readdirSync(folder).sort()).toEqual(['bad.txt', 'good.btf']);
    expect(await run(words.slice(0, -1), quiet)).toBe(0);
    expect(existsSync(out)).toBe(true);
    expect(readdirSync(folder)).toHaveLength(3);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('leaves nothing on disk of a build that %s stops', (signal, status) => {
    const folder = mkdtempSync(join(tmpdir(), 'atlas-'));
    const file = nodeIo.create(join(folder, 'a.btfatlas'));
    const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
    try {
      file.write(first);
      expect(readdirSync(folder)).toHaveLength(1);
      process.emit(signal);
      expect(exit).toHaveBeenCalledWith(status);
      expect(readdirSync(folder)).toEqual([]);
    } finally {
      exit.mockRestore();
      file.discard();
    }
  });
});
