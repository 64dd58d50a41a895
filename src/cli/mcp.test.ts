/** Tests of `btfscope mcp` as a process, with the client that the protocol's package provides. */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCommand } from '#testing/built-command.ts';
import { JsonRow } from '#testing/json-row.ts';
import { connectMcp } from '#testing/mcp-client.ts';
import { runCommand } from '#testing/run-command.ts';
import { samplePath } from '#testing/samples.ts';
import { ACCEPTED, REFUSED } from '#testing/verifier-logs.ts';

const KERNELS = `${import.meta.dirname}/../../testdata/kernels`;
const OLD = 'kernels/vmlinux-small-1-amd64.btf.zst';
const NEW = 'kernels/vmlinux-small-3-amd64.btf.zst';
const SAMPLES = ['kernel.btf', 'module.btf', 'exec_trace.bpf.o', 'kinds.bpf.o', 'doc_core.bpf.o'];

let place: string;
let script: string;
let server: Awaited<ReturnType<typeof connectMcp>>;

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'btfscope-mcp-'));
  script = buildCommand(place);
  const folder = join(place, 'files');
  mkdirSync(join(folder, 'kernels'), { recursive: true });
  for (const sample of SAMPLES) cpSync(samplePath(sample), join(folder, sample));
  for (const path of [OLD, NEW]) {
    cpSync(join(KERNELS, path.slice('kernels/'.length)), join(folder, path));
  }
  const outside = join(place, 'outside');
  mkdirSync(outside);
  cpSync(samplePath('kernel.btf'), join(outside, 'secret.btf'));
  writeFileSync(join(place, 'files.btf'), '');
  symlinkSync(join(outside, 'secret.btf'), join(folder, 'link.btf'));
  symlinkSync(outside, join(folder, 'linked'));
  symlinkSync(join(folder, 'kernel.btf'), join(folder, 'inner.btf'));
  if (existsSync('/usr/bin/mkfifo')) execFileSync('mkfifo', [join(folder, 'pipe')]);
  const { out } = await runCommand(['core', 'exec_trace.bpf.o', '--target', 'kernel.btf', '--log']);
  writeFileSync(join(folder, 'load.log'), out);
  const atlas = join(folder, 'fleet.btfatlas');
  execFileSync(process.execPath, [script, 'atlas', 'build', atlas, join(folder, 'kernels')]);
  server = await connectMcp(script, [folder]);
}, 120_000);
afterAll(async () => {
  await server?.close();
  rmSync(place, { recursive: true, force: true });
});

const hashOf = (path: string) =>
  createHash('sha256')
    .update(readFileSync(join(place, 'files', path)))
    .digest('hex');

async function answer(name: string, args: Readonly<Record<string, unknown>>) {
  const found = await server.call(name, args);
  expect(found).toMatchObject({ isError: false });
  expect(JSON.parse(found.text)).toEqual(Object.fromEntries(found.row.fields));
  return found.row;
}

describe('the tools', () => {
  it('are few, only read, and say what they do', async () => {
    const { tools } = await server.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'list_files',
      'describe_file',
      'describe_type',
      'member_offset',
      'find_paths',
      'compare',
      'core_verdicts',
      'load_verdicts',
      'attach_points',
      'explain_log',
      'ask_atlas',
    ]);
    for (const tool of tools) {
      expect(tool.annotations).toMatchObject({ readOnlyHint: true, openWorldHint: false });
      expect(tool.description?.length).toBeGreaterThan(40);
    }
    expect(server.client.getInstructions()).toContain('list_files');
    const document = readFileSync(`${import.meta.dirname}/../../docs/mcp.md`, 'utf8');
    const told = [...document.matchAll(/^\| `(\w+)` +\|/gm)].map(([, name]) => name);
    expect(told).toEqual(tools.map(({ name }) => name));
    const examples = [...document.matchAll(/^```json\n(.*?)^```/gms)];
    expect(examples).toHaveLength(2);
    for (const [, json = ''] of examples) JSON.parse(json);
  });

  it('list the files of the folders, without links that lead out', async () => {
    const row = await answer('list_files', {});
    const paths = row
      .row('answer')
      .rows('files')
      .map((file) => file.text('path'));
    expect(paths).toEqual(expect.arrayContaining([...SAMPLES, OLD, NEW, 'inner.btf']));
    for (const path of ['link.btf', 'linked/secret.btf', 'pipe']) expect(paths).not.toContain(path);
  });

  it('show control characters in paths', async () => {
    const path = join(place, 'files', 'a\u202eb.btf');
    writeFileSync(path, '');
    const { text } = await server.call('list_files', { contains: 'b.btf' });
    rmSync(path);
    expect(text).not.toContain('\u202e');
    expect(text).toContain('u{202e}');
  });

  it('describe a file, with its hash', async () => {
    const row = await answer('describe_file', { file: 'exec_trace.bpf.o' });
    const [file] = row.rows('files');
    expect(file?.text('sha256')).toBe(hashOf('exec_trace.bpf.o'));
    expect(row.row('answer').text('format')).toBe('elf');
    const programs = row.row('answer').rows('programs');
    expect(programs.map((program) => program.text('name'))).toContain('on_exec');
    expect(row.row('answer').rows('maps')[0]?.text('name')).toBe('started');
  });

  it('find a member through pointers', async () => {
    const through = await answer('member_offset', {
      file: 'kernel.btf',
      member: 'task_struct->parent->pid',
    });
    expect(through.row('answer').rows('through')[0]?.text('path')).toBe('parent');
  });

  it('describe a type, with the bytes of its record and of its members', async () => {
    const packed = (await answer('describe_type', { file: OLD, type: 'sk_buff' })).row('answer');
    expect(packed.text('c')).toMatch(/^struct sk_buff \{/);
    const plain = await answer('describe_type', { file: 'kernel.btf', type: 'task_struct' });
    const { start } = Object.fromEntries(plain.row('answer').row('record').fields);
    const bytes = readFileSync(join(place, 'files/kernel.btf'));
    // The third word of a type record is the size.
    expect(bytes.readUInt32LE(Number(start) + 8)).toBe(plain.row('answer').number('size'));
    const members = plain.row('answer').rows('members');
    const pid = members.find((member) => member.text('name') === 'pid');
    expect(bytes.readUInt32LE((pid?.row('record').number('start') ?? 0) + 4)).toBe(
      pid?.number('type_id'),
    );
  });

  it('tell the offset of a member, and the members that cover a byte', async () => {
    const pid = (
      await answer('member_offset', { file: 'kernel.btf', member: 'task_struct.pid' })
    ).row('answer');
    expect([pid.number('byte_offset'), pid.flag('bit_field')]).toEqual([88, false]);
    const bits = (await answer('member_offset', { file: OLD, member: 'sk_buff.pkt_type' })).row(
      'answer',
    );
    expect([bits.flag('bit_field'), bits.number('bit_size')]).toEqual([true, 3]);
    const at = (
      await answer('member_offset', { file: 'kernel.btf', member: 'task_struct+88' })
    ).row('answer');
    expect(at.rows('covers')[0]?.text('path')).toBe('pid');
  });

  it('find paths, compare files and types, and ask an atlas', async () => {
    const paths = await answer('find_paths', {
      file: OLD,
      from: 'sk_buff',
      to: 'net_device',
      limit: 1,
    });
    expect(JSON.stringify(paths.fields.get('answer'))).toContain('->dev');
    const whole = await answer('compare', { before: OLD, after: NEW });
    expect(whole.row('answer').number('changed')).toBeGreaterThan(0);
    expect(whole.rows('files').map((file) => file.text('sha256'))).toEqual([
      hashOf(OLD),
      hashOf(NEW),
    ]);
    const one = await answer('compare', { before: OLD, after: NEW, type: 'sk_buff' });
    expect(one.row('answer').rows('lines').length).toBeGreaterThan(0);
    const asked = await answer('ask_atlas', {
      atlas: 'fleet.btfatlas',
      ask: 'type',
      name: 'sk_buff',
    });
    expect(asked.row('answer').number('count')).toBe(2);
  });

  it('judge CO-RE records and loading, and explain a log', async () => {
    const core = await answer('core_verdicts', {
      object: 'exec_trace.bpf.o',
      kernels: ['kernel.btf'],
    });
    const rows = core.row('answer').rows('rows');
    expect(rows.every((row) => row.text('status') !== 'ok' && !row.has('trace'))).toBe(true);
    const counts = core
      .row('answer')
      .rows('statuses')
      .map((row) => row.number('count'));
    const all = await answer('core_verdicts', {
      object: 'exec_trace.bpf.o',
      kernels: ['kernel.btf'],
      all: true,
    });
    expect(all.row('answer').rows('rows')).toHaveLength(
      counts.reduce((sum, count) => sum + count, 0),
    );
    const load = await answer('load_verdicts', {
      objects: ['exec_trace.bpf.o'],
      kernels: ['kernel.btf', 'none'],
    });
    expect(load.rows('answer').map((row) => row.text('outcome'))).toEqual(['may-fail', 'fails']);
    expect(load.texts('summary')).toEqual([
      'exec_trace.bpf.o: Refused on no BTF; depends on a module on kernel.btf.',
    ]);
    const needs = await answer('load_verdicts', { objects: ['exec_trace.bpf.o'] });
    expect(needs.rows('answer').map((row) => row.text('version'))).toEqual(['5.8']);
    const attach = await answer('attach_points', {
      functions: ['vfs_read', 'no_such'],
      kernels: ['kernel.btf'],
      release: '6.18.2',
    });
    expect(attach.rows('answer').map((row) => row.text('function'))).toEqual([
      'vfs_read',
      'no_such',
    ]);
  });

  it('explain a log in less than 1 kB', async () => {
    const named = await answer('explain_log', {
      log_file: 'load.log',
      object: 'exec_trace.bpf.o',
      kernels: ['kernel.btf'],
    });
    expect(
      named
        .row('answer')
        .rows('relocations')
        .some((row) => row.has('record')),
    ).toBe(true);
    const refused = await server.call('explain_log', { log: REFUSED });
    expect(refused.isError).toBe(false);
    expect(Buffer.byteLength(refused.text)).toBeLessThan(1000);
    const { fields } = JsonRow.parse(refused.text).row('answer');
    expect(fields).toEqual(
      new Map<string, unknown>([
        ['verdict', 'rejected'],
        ['cause', expect.stringContaining('`r2 = 5`, a.c:4')],
        ['at', 'line 8'],
        ['message', "R2 invalid mem access 'scalar'"],
        ['chain', ['0 (a.c:4) int f(void *ctx)', '4 r0 = *(u64 *)(r2 +0)']],
        ['write', expect.stringContaining('bpf_probe_read_kernel')],
      ]),
    );
    const long = 'x'.repeat(5000);
    for (const log of [
      `${REFUSED}${ACCEPTED}`.repeat(40),
      REFUSED.replaceAll('a.c', `${long}.c`).replaceAll('int', long),
      `libbpf: prog '${long}': failed to find kernel BTF type ID of '${long}': -3\n`,
    ]) {
      const { isError, text } = await server.call('explain_log', { log });
      expect([isError, Buffer.byteLength(text) < 1000]).toEqual([false, true]);
    }
    const pasted = await answer('explain_log', {
      log: 'libbpf: failed to find valid kernel BTF\n',
    });
    expect(pasted.row('answer').text('cause')).not.toBe('');
  });

  it('say what is left out of a long answer', async () => {
    const row = await answer('compare', { before: OLD, after: 'kernel.btf' });
    const [cut] = row.rows('left_out');
    expect(cut?.text('at')).toBe('types');
    const shown = row.row('answer').rows('types').length;
    expect(shown + (cut?.number('left_out') ?? 0)).toBe(cut?.number('of'));
    expect(JSON.stringify(row.fields.get('answer')).length).toBeLessThanOrEqual(40_000);
  });

  it('name the files of an answer in at most 10,000 characters', async () => {
    const names = Array.from({ length: 40 }, (_, i) => `${i}`.padStart(200, 'x'));
    for (const name of names) cpSync(samplePath('doc_core.bpf.o'), join(place, 'files', name));
    const row = await answer('load_verdicts', { objects: names });
    for (const name of names) rmSync(join(place, 'files', name));
    const [cut] = row.rows('left_out').filter((one) => one.text('at').startsWith('files'));
    expect(row.rows('files').length + (cut?.number('left_out') ?? 0)).toBe(names.length);
    const { answer: _, left_out: __, ...about } = Object.fromEntries(row.fields);
    expect(JSON.stringify(about).length).toBeLessThanOrEqual(10_000);
  });
});

describe('a hostile client', () => {
  it.each([
    '../outside/secret.btf',
    'kernels/../../outside/secret.btf',
    '/etc/passwd',
    'link.btf',
    'linked/secret.btf',
    '../files.btf',
    'pipe',
    '-',
    '/dev/stdin',
    '/proc/self/environ',
    'kernel.btf\u0000.btf',
    'kernel.btf(../outside/secret.btf)',
    '',
    '~/.ssh/id_rsa',
    'file:///etc/passwd',
    'x'.repeat(4000),
  ])('reads no file outside of the folders: %j', async (path) => {
    for (const [tool, args] of [
      ['describe_file', { file: path }],
      ['describe_type', { file: 'module.btf', base: path, type: '1' }],
      ['load_verdicts', { objects: ['exec_trace.bpf.o'], kernels: ['none'], config: path }],
      ['attach_points', { functions: ['do_exit'], kernels: ['none'], kallsyms: path }],
      ['explain_log', { log_file: path }],
    ] as const) {
      const { isError, text } = await server.call(tool, args);
      expect([tool, isError]).toEqual([tool, true]);
      expect(text).not.toMatch(/root:|PATH=|\bformat\b|\[/);
    }
  });

  it('does not learn whether a file outside exists', async () => {
    const say = async (file: string) =>
      (await server.call('describe_file', { file })).text.replaceAll(file, 'X');
    expect(await say('/etc/passwd')).toBe(await say('/etc/no-such-file'));
    expect(await say('../outside/secret.btf')).toBe(await say('../outside/none.btf'));
  });

  it('gives no options in the place of names', async () => {
    for (const type of ['--json', '--base=/etc/passwd', '-h', '--']) {
      const { isError, text } = await server.call('describe_type', { file: 'kernel.btf', type });
      expect([isError, text]).toEqual([true, `no type is named "${type}"`]);
    }
    const { isError } = await server.call('ask_atlas', {
      atlas: '-o/tmp/x',
      ask: 'type',
      name: '-o',
    });
    expect(isError).toBe(true);
  });

  it('gets failures of at most 2,001 characters', async () => {
    const { isError, text } = await server.call('describe_file', { file: 'x\u202e'.repeat(2000) });
    expect(isError).toBe(true);
    expect(text.length).toBeLessThanOrEqual(2001);
  });

  it('is told what is wrong with its arguments', async () => {
    for (const [tool, args] of [
      ['describe_type', { file: 'kernel.btf' }],
      ['describe_type', { file: 7, type: 'x' }],
      ['find_paths', { file: 'kernel.btf', from: 'a', to: 'b', limit: 1e9 }],
      ['member_offset', { file: 'kernel.btf', member: 'task_struct' }],
      ['core_verdicts', { object: 'exec_trace.bpf.o', kernels: [] }],
      ['load_verdicts', { objects: [] }],
      ['explain_log', {}],
    ] as const) {
      expect((await server.call(tool, args)).isError).toBe(true);
    }
    await expect(server.call('no_such_tool', {})).rejects.toThrow();
    // After the failure, the server still answers.
    await answer('describe_file', { file: 'kernel.btf' });
  });

  it('cannot stop the server with lines that are no requests', async () => {
    const child = spawn(process.execPath, [script, 'mcp', join(place, 'files')]);
    let out = '';
    const answers = new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk) => {
        out += chunk;
        if (out.includes('"id":7')) resolve();
      });
    });
    const hello = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    };
    for (const line of [
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello }),
      'not JSON',
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"__proto__","arguments":{}}}',
      '[]',
      `{"jsonrpc":"2.0","id":3,"method":"${'x'.repeat(100_000)}"}`,
      JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list' }),
    ]) {
      child.stdin.write(`${line}\n`);
    }
    await answers;
    const ended = new Promise((resolve) => child.on('close', resolve));
    child.stdin.end();
    expect(await ended).toBe(0);
    for (const line of out.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('jsonrpc');
  });
});

describe('the command', () => {
  it('ends with 1 for a folder that is none, and with 2 without one', async () => {
    expect(await runCommand(['mcp'])).toMatchObject({ status: 2, out: '' });
    expect(await runCommand(['mcp', join(place, 'none')])).toMatchObject({
      status: 1,
      err: [expect.stringContaining('is not a folder')],
    });
  });
});
