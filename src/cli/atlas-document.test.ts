/**
 * Runs the commands of docs/atlas.md in order, with small kernels in the layout of
 * BTFHub's archive. The archives are packed with tar and xz.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { corpusKernel, kernelIds, readCorpusFile } from '#testing/corpus.ts';
import type { NodeIo } from './command.ts';
import { nodeIo } from './node-io.ts';
import { run } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'btfscope-readme-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CHECKOUT = {
  'btfhub-archive/debian/12/x86_64/6.1.0-56-amd64': kernelIds.first,
  'btfhub-archive/debian/12/x86_64/6.1.0-56-rt-amd64': kernelIds.second,
  'btfhub-archive/debian/12/arm64/6.1.0-47-arm64': kernelIds.secondArm64,
};

const btfOf = (id: string) => readCorpusFile(corpusKernel(id));

/**
 * Creates the files that the commands need: BTFHub's archive, this machine's kernel, the files in
 * the text.
 */
function prepare(): void {
  for (const [path, id] of Object.entries(CHECKOUT)) {
    const place = join(folder, dirname(path));
    const name = `${basename(path)}.btf`;
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, name), btfOf(id));
    execFileSync('tar', ['-cJf', `${name}.tar.xz`, `./${name}`], { cwd: place });
    rmSync(join(place, name));
  }
  writeFileSync(join(folder, 'btfhub-archive/debian/12/README.md'), 'BTF of Debian 12.\n');
  mkdirSync(join(folder, 'sys/kernel/btf'), { recursive: true });
  writeFileSync(join(folder, 'sys/kernel/btf/vmlinux'), btfOf(kernelIds.third));
  writeFileSync(
    join(folder, 'names.csv'),
    'file,name,version,arch\nvmlinux,6.18-mine,6.18,amd64\n',
  );
  const question = { id: 1, ask: 'member', name: 'task_struct', member: 'pid' };
  writeFileSync(join(folder, 'questions.jsonl'), `${JSON.stringify(question)}\n`);
}

/** Returns the commands of the document, without `npx btfscope`. */
function commands(): string[][] {
  const document = fileURLToPath(new URL('../../docs/atlas.md', import.meta.url));
  const [, text = ''] = /```\n(.*?)```/s.exec(readFileSync(document, 'utf8')) ?? [];
  const [clone, checkout, ...rest] = text.trim().split('\n');
  expect(clone).toMatch(/^git clone .*\/aquasecurity\/btfhub-archive$/);
  expect(checkout).toBe('git -C btfhub-archive sparse-checkout set debian/12');
  return rest.map((line) => {
    expect(line).toMatch(/^npx btfscope atlas /);
    return line.split(' ').slice(2);
  });
}

/** Runs a command in the test's folder, which is also its root directory. */
async function ran(words: readonly string[]): Promise<string> {
  const chunks: Uint8Array[] = [];
  const lines: string[] = [];
  const at = (path: string) => join(folder, path);
  const io: NodeIo = {
    out: (chunk) => chunks.push(chunk.slice()),
    warn: (line) => lines.push(line),
    progress: () => undefined,
    exists: (path) => nodeIo.exists(at(path)),
    open: (path) => nodeIo.open(at(path)),
    beside: (path, name) => nodeIo.beside(at(path), name),
    list: (path) => nodeIo.list(at(path))?.map((found) => found.slice(folder.length + 1)) ?? null,
    save: (path, bytes) => nodeIo.save(at(path), bytes),
    create: (path) => nodeIo.create(at(path)),
  };
  expect({ words, status: await run(words, io) }).toEqual({ words, status: 0 });
  const left = lines.filter((line) => !line.includes('README.md: '));
  expect(left).toEqual([]);
  return Buffer.concat(chunks).toString();
}

it('docs/atlas.md: each command does what it says', async () => {
  prepare();
  const outputs = new Map<string, string>();
  for (const words of commands()) outputs.set(words.slice(1).join(' '), await ran(words));
  const output = (start: string) =>
    [...outputs].find(([words]) => words.startsWith(start))?.[1] ?? 'no such command';
  expect(output('info')).toMatch(
    /3 kernels.*6\.1\.0-47-arm64 +6\.1\.0 arm64,.*6\.1\.0-56-amd64 +6\.1\.0 amd64,.*6\.1\.0-56-rt-amd64 +6\.1\.0 amd64 rt,/s,
  );
  expect(output('ask fleet.btfatlas member')).toContain('task_struct.pid: in 3 of 3 kernels');
  expect(output('ask fleet.btfatlas history')).toContain('struct sk_buff: in 3 of 3 kernels');
  expect(JSON.parse(output('ask fleet.btfatlas func'))).toMatchObject({ count: 3 });
  expect(JSON.parse(output('ask fleet.btfatlas --batch'))).toMatchObject({
    id: 1,
    answer: { count: 3 },
  });
  const rt = btfOf(kernelIds.second);
  expect(readFileSync(join(folder, 'vmlinux.btf')).equals(Buffer.from(rt))).toBe(true);
  const names = ['6.1.0-47-arm64', '6.1.0-56-rt-amd64', '6.18-mine'];
  const info: { kernels: { name: string }[] } = JSON.parse(
    await ran(['atlas', 'info', 'fleet.btfatlas', '--json']),
  );
  expect(info.kernels.map(({ name }) => name)).toEqual(names);
  expect(readdirSync(join(folder, 'fleet/members')).sort()).toEqual(
    names.map((name) => `kernel=${name}`),
  );
});
