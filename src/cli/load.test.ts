/** Tests of `btfscope load` on the examples. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { JsonRow } from '#testing/json-row.ts';
import { runCommand } from '#testing/run-command.ts';
import { sampleBytes, samplePath } from '#testing/samples.ts';
import { sarifFaults } from '#testing/sarif-faults.ts';
import { atlasBytes } from '#testing/small-atlas.ts';

const encoder = new TextEncoder();
const TRACE = ['load', 'exec_trace.bpf.o', '--kernel', 'kernel.btf'];
const EXTERNS = ['load', 'externs.bpf.o', '--kernel', 'kernel.btf', '--module', 'none'];
const CONFIG = 'CONFIG_HZ=250\nCONFIG_CGROUPS=y\n# CONFIG_NETFILTER is not set\n';
const KALLSYMS = 'ffffffff81000000 T schedule\n';

const EXT_REFUSED = 'Error loading ELF section .BTF.ext: -EINVAL. Ignored and continue.';
/** First bytes of the .BTF and .BTF.ext sections: magic number and version. */
const BTF_MAGIC = Buffer.from([0x9f, 0xeb, 1, 0]);

const hasPython = spawnSync('python3', ['--version']).status === 0;
const READ_JUNIT = `
import json, sys, xml.etree.ElementTree as tree
suite = tree.fromstring(sys.stdin.buffer.read()).find('testsuite')
print(json.dumps({'name': suite.get('name'), 'cases': int(suite.get('tests')), 'failures': int(suite.get('failures'))}))
`;

/**
 * A Python with junitparser, a reader of test reports (Debian: python3-junitparser); undefined if
 * not installed.
 */
const pythonWithReports = ['python3', '/usr/bin/python3'].find(
  (python) => spawnSync(python, ['-c', 'import junitparser']).status === 0,
);
const READ_AS_REPORT = `
import json, sys
from junitparser import Failure, JUnitXml
report = JUnitXml.fromstring(sys.stdin.buffer.read())
cases = [case for suite in report for case in suite]
failed = [case for case in cases if any(isinstance(result, Failure) for result in case.result)]
print(json.dumps({'cases': len(cases), 'failures': len(failed), 'said': report.failures}))
`;

async function verdict(
  words: readonly string[],
  config: string | Uint8Array = CONFIG,
): Promise<JsonRow> {
  const files = new Map([
    ['config', typeof config === 'string' ? encoder.encode(config) : config],
    ['kallsyms', encoder.encode(KALLSYMS)],
  ]);
  const { out } = await runCommand([...words, '--json'], files);
  return JsonRow.parse(out);
}

const KNOWN = [...EXTERNS, '--config', 'config', '--kallsyms', 'kallsyms', '--release', '6.1.7'];

describe('btfscope load', () => {
  it('says for each program how far it comes, and why', async () => {
    const { status, out, err } = await runCommand([...TRACE, '--module', 'none']);
    const lines = out.trimEnd().split('\n');
    expect(lines.slice(0, 4)).toEqual([
      'exec_trace.bpf.o: refused on kernel.btf.',
      '  tp_btf/sched_process_exec on_exec',
      '    refused on kernel.btf',
      "      1. prog 'on_exec': failed to find kernel BTF type ID of 'sched_process_exec': -ESRCH (./src/exec_trace.bpf.c:147)",
    ]);
    expect(lines).toContain('    loads on kernel.btf');
    expect([status, err]).toEqual([
      1,
      ['btfscope: 1 of 1 pairs of object and kernel: rejected or worse'],
    ]);
  });

  it('fails on a program that the verifier rejects, if --fail-on does not say otherwise', async () => {
    const words = ['load', 'bitfields.bpf.o', '--kernel', 'kernel.btf'];
    const { status, out, err } = await runCommand(words);
    expect(out).toContain('refused on kernel.btf');
    expect([status, err]).toEqual([
      1,
      ['btfscope: 1 of 1 pairs of object and kernel: rejected or worse'],
    ]);
    expect((await runCommand([...words, '--fail-on', 'fails'])).status).toBe(0);
  });

  it('leaves open what a module may have', async () => {
    const { status, out } = await runCommand(TRACE);
    expect(status).toBe(0);
    expect(out).toContain('    depends on a module on kernel.btf');
    expect(out).toContain('A module that is loaded may have it.');
    expect((await runCommand([...TRACE, '--fail-on', 'may-fail'])).status).toBe(1);
    expect((await runCommand([...TRACE, '--fail-on', 'never'])).status).toBe(0);
  });

  it('takes the modules of an archive or directory where they fit the kernel', async () => {
    const words = [...TRACE, '--modules', 'modules.tar.gz'];
    const folder = dirname(samplePath('module.btf'));
    const packed = spawnSync('tar', ['-cz', '-C', folder, 'module.btf']).stdout;
    const files = new Map([['modules.tar.gz', new Uint8Array(packed)]]);
    const { status, out, err } = await runCommand(words, files);
    expect(err).toEqual(['btfscope: 1 of 1 pairs of object and kernel: rejected or worse']);
    expect(status).toBe(1);
    expect(out).not.toContain('A module that is loaded may have it.');
    const inFolder = new Map([
      ['modules/a.btf', sampleBytes('module.btf')],
      ['modules/b.txt', encoder.encode('no module')],
    ]);
    const listed = await runCommand([...TRACE, '--modules', 'modules'], inFolder);
    expect(listed.out).toBe(out);
    const other = ['load', 'exec_trace.bpf.o', '--kernel', 'kinds.btf', ...words.slice(-2)];
    expect((await runCommand([...other, '--fail-on', 'fails'], files)).err).toEqual([]);
  });

  it.each([
    ['no .BTF, and maps', 'xdp_counter.bpf.o', '.BTF', -2, []],
    ['no .BTF, and nothing that asks for it', 'bitfields.bpf.o', '.BTF', 0, []],
    ['a broken .BTF.ext, and maps', 'xdp_counter.bpf.o', 'magic of .BTF.ext', -22, [EXT_REFUSED]],
    ['no .BTF.ext', 'xdp_counter.bpf.o', '.BTF.ext', 0, []],
  ])('opens an object with %s as libbpf does', async (_what, sample, gone, code, warnings) => {
    const bytes = sampleBytes(sample).slice();
    const text = Buffer.from(bytes.buffer);
    if (gone.startsWith('magic')) bytes[text.lastIndexOf(BTF_MAGIC)] = 0;
    else {
      const at = text.lastIndexOf(`${gone}\0`);
      expect(at).toBeGreaterThan(0);
      text.write('X', at + gone.length - 1);
    }
    const words = ['load', 'x.o', '--kernel', 'none', '--json'];
    const { out } = await runCommand(words, new Map([['x.o', bytes]]));
    const row = JsonRow.parse(out);
    const needed = code === 0 ? [] : ['BTF is required, but is missing or corrupted.'];
    const said = row
      .texts('warnings')
      .filter((line) => /ELF section|BTF is required|info for/.test(line));
    expect([row.number('open'), said]).toEqual([code, [...warnings, ...needed]]);
    expect(row.rows('programs').length).toBeGreaterThan(0);
  });

  it('refuses the other byte order', async () => {
    const { out } = await runCommand(['load', 'exec_trace.be.bpf.o', '--kernel', 'kernel.btf']);
    expect(out).toContain("object 'exec_trace': loading non-native endianness is unsupported");
  });

  it('needs no BTF where nothing asks for it', async () => {
    const on = (object: string) => runCommand(['load', object, '--kernel', 'none']);
    expect((await on('xdp_counter.bpf.o')).status).toBe(0);
    expect((await on('exec_trace.bpf.o')).out).toContain(
      "kernel BTF is missing at '/sys/kernel/btf/vmlinux', was CONFIG_DEBUG_INFO_BTF enabled?",
    );
  });

  it('resolves externs by configuration, symbols and BTF', async () => {
    const row = await verdict(KNOWN);
    const externs = new Map(row.rows('externs').map((one) => [one.text('name'), one]));
    const result = (name: string) => externs.get(name)?.fields.get('result');
    expect(externs.get('CONFIG_HZ')?.text('value')).toBe('250');
    expect(externs.get('LINUX_KERNEL_VERSION')?.text('value')).toBe('0x60107');
    expect(externs.get('schedule')?.text('value')).toBe('0xffffffff81000000');
    expect(result('CONFIG_NETFILTER')).toBe('weak_zero');
    expect(result('bpf_task_acquire')).toBe('resolved');
    expect(result('bpf_no_such_kfunc')).toBe('weak_zero');
    expect(row.number('prepare')).toBe(0);
    expect(row.list('undecided')).toEqual([]);
  });

  it.each([
    ['CONFIG_HZ=y', "extern (kcfg) 'CONFIG_HZ': value 'y' implies bool, tristate, or char type"],
    ['CONFIG_CGROUPS=m', "extern (kcfg) 'CONFIG_CGROUPS': value 'm' implies tristate or char type"],
    ['CONFIG_CGROUPS=2', "extern (kcfg) 'CONFIG_CGROUPS': value '2' implies integer type"],
    ['CONFIG_HZ="x"', `extern (kcfg) 'CONFIG_HZ': value '"x"' implies char array type`],
    ['CONFIG_HZ=x', "extern (kcfg) 'CONFIG_HZ': value 'x' isn't a valid integer"],
    ['CONFIG_HZ=', "failed to parse 'CONFIG_HZ=': no value"],
  ])('stops at the option %s as libbpf does', async (line, warning) => {
    const row = await verdict(KNOWN, `${line}\n`);
    const name = line.split('=')[0];
    expect(row.texts('warnings')).toEqual([
      warning,
      `error parsing system Kconfig line '${name}': -EINVAL`,
    ]);
    expect([row.number('prepare'), row.text('stops_at'), row.text('outcome')]).toEqual([
      -22,
      'prepare',
      'fails',
    ]);
  });

  it('names the first extern that nothing sets', async () => {
    const row = await verdict(KNOWN, 'CONFIG_HZ=250\n');
    expect(row.texts('warnings')).toEqual(["extern 'CONFIG_CGROUPS' (strong): not resolved"]);
    expect(row.number('prepare')).toBe(-3);
  });

  it('reads a configuration that is packed, as /proc/config.gz is', async () => {
    const packed = await verdict(KNOWN, new Uint8Array(gzipSync(CONFIG)));
    expect(packed.fields).toEqual((await verdict(KNOWN)).fields);
  });

  it('says what it was not told', async () => {
    const row = await verdict(EXTERNS);
    const open = row.rows('undecided').map((one) => one.text('what'));
    expect(open).toEqual(expect.arrayContaining(['CONFIG_HZ', 'LINUX_KERNEL_VERSION', 'schedule']));
    expect(row.has('prepare')).toBe(false);
  });

  it('prints a table of programs by kernels as Markdown', async () => {
    const { out } = await runCommand([...TRACE, '--kernel', 'kinds.btf', '--markdown']);
    const lines = out.trimEnd().split('\n');
    expect(lines[0]).toBe('### exec\\_trace.bpf.o');
    expect(lines[2]).toBe('Refused on kinds.btf; depends on a module on kernel.btf.');
    expect(lines[4]).toBe('| program | kernel.btf | kinds.btf |');
    expect(lines[6]).toBe(
      '| tp\\_btf/sched\\_process\\_exec on\\_exec | depends on a module | refused |',
    );
    expect(lines.some((line) => line.startsWith('- '))).toBe(true);
    expect(out).toMatch(/^ {2}fix: .* \\\(on 2 of 2 kernels\\\)$/m);
    expect(out).toContain('  ```c\n');
    expect((await runCommand([...TRACE, '--json', '--markdown'])).status).toBe(2);
  });

  it('tries fixes on at most 16 kernels, which are open at once, and says so', async () => {
    const names = Array.from({ length: 20 }, (_, i) => `kernel-6.${i}.btf`);
    const files = new Map(names.map((name) => [name, sampleBytes('kinds.btf')]));
    const kernels = names.flatMap((name) => ['--kernel', name]);
    const { out } = await runCommand(['load', 'exec_trace.bpf.o', ...kernels], files);
    expect(out).toMatch(/^ +fix: .* \(on 16 of 16 kernels tried\)$/m);
  });

  it('prints SARIF: each reason once, on its line of C', async () => {
    const words = [...TRACE, '--kernel', 'none', '--format', 'sarif'];
    const { status, out } = await runCommand(words);
    expect(status).toBe(1);
    const sarif = JsonRow.parse(out);
    expect(sarif.text('version')).toBe('2.1.0');
    const [report] = sarif.rows('runs');
    const results = report?.rows('results') ?? [];
    expect(results.length).toBeGreaterThan(1);
    expect(results.every((one) => /^load\/[a-z_]+$/.test(one.text('ruleId')))).toBe(true);
    expect(out).toContain('"uri": "src/exec_trace.bpf.c"');
    expect(out).toContain('"startLine": 147');
    expect(sarifFaults(out)).toEqual([]);
    const wrong = out.replace('"startLine": 147', '"startLine": 0').replace('"error"', '"worse"');
    expect(sarifFaults(wrong).length).toBe(2);
    const levels = new Set(results.map((one) => one.text('level')));
    expect(levels).toEqual(new Set(['warning', 'error']));
    expect((await runCommand([...words, '--json'])).status).toBe(2);
    expect((await runCommand([...TRACE, '--format', 'xml'])).status).toBe(2);
  });

  it.skipIf(!hasPython)(
    'prints JUnit XML that python3 parses: a case for each program on each kernel',
    async () => {
      const path = 'a<b>&"\u0001.o';
      const files = new Map([[path, sampleBytes('exec_trace.bpf.o')]]);
      const words = [
        'load',
        path,
        '--kernel',
        'kernel.btf',
        '--kernel',
        'none',
        '--format',
        'junit',
      ];
      const { out } = await runCommand(words, files);
      const read = spawnSync('python3', ['-c', READ_JUNIT], { input: out, encoding: 'utf8' });
      expect(read.stderr).toBe('');
      const suite = JsonRow.parse(read.stdout);
      expect(suite.text('name')).toContain('a<b>&"');
      const lines = out.split('\n');
      const failures = lines.filter((line) => line.includes('<failure ')).length;
      expect([suite.number('cases'), suite.number('failures')]).toEqual([
        lines.filter((line) => line.includes('<testcase ')).length,
        failures,
      ]);
      expect(failures).toBeGreaterThan(0);
    },
  );

  it.skipIf(pythonWithReports === undefined)('prints a report that junitparser reads', async () => {
    const words = ['exec_trace.bpf.o', 'externs.bpf.o'];
    const { out } = await runCommand([
      'load',
      ...words,
      '--kernel',
      'kernel.btf',
      '--format',
      'junit',
    ]);
    const read = spawnSync(pythonWithReports ?? '', ['-c', READ_AS_REPORT], {
      input: out,
      encoding: 'utf8',
    });
    expect(read.stderr).toBe('');
    const report = JsonRow.parse(read.stdout);
    expect(report.number('cases')).toBe(out.split('<testcase ').length - 1);
    expect(report.number('failures')).toBe(out.split('<failure ').length - 1);
    expect(report.number('said')).toBe(report.number('failures'));
  });

  it('has the fields of docs/load-json.md in each line, and no others', async () => {
    const document = readFileSync(new URL('../../docs/load-json.md', import.meta.url), 'utf8');
    const known = [...document.matchAll(/^\| (`[a-z_[\]]+`(?:, `[a-z_]+`)*) +\|/gm)].flatMap(
      ([, names = '']) => [...names.matchAll(/`([a-z_]+)/g)].map(([, name]) => name),
    );
    const loaded = await verdict(KNOWN);
    const stopped = await verdict(TRACE);
    expect(known).toEqual(expect.arrayContaining([...loaded.fields.keys()]));
    const seen = new Set([...loaded.fields.keys(), ...stopped.fields.keys(), 'special']);
    const outcomes = ['loads', 'rejected', 'fails'];
    expect(known.filter((name) => !seen.has(`${name}`) && !outcomes.includes(`${name}`))).toEqual(
      [],
    );
    const inside = (row: JsonRow, key: string) =>
      row.rows(key).flatMap((one) => [...one.fields.keys()]);
    const line = (key: string) =>
      new RegExp(`^\\| \`${key}\\[\\]\`.*$`, 'm').exec(document)?.[0] ?? '';
    for (const key of ['externs', 'prog_load', 'programs', 'undecided']) {
      for (const field of [...inside(loaded, key), ...inside(stopped, key)]) {
        expect(line(key)).toContain(`\`${field}`);
      }
    }
    const reasons = stopped.rows('programs').flatMap((one) => inside(one, 'reasons'));
    expect(reasons.length).toBeGreaterThan(0);
    for (const field of reasons) expect(line('programs')).toContain(`\`${field}\``);
  });

  it('prints what docs/ci.md shows', async () => {
    const document = readFileSync(new URL('../../docs/ci.md', import.meta.url), 'utf8');
    const text = await runCommand(['load', 'xdp_counter.bpf.o', ...TRACE.slice(1)]);
    expect(document).toContain(`\`\`\`text\n${text.out}\`\`\``);
    const { out } = await runCommand([...TRACE, '--markdown']);
    expect(document).toContain(`\`\`\`markdown\n${out.trimEnd()}\n\`\`\``);
  });

  it('takes the kernels of an atlas, by their names, with what is the same for a file', async () => {
    const kernels = ['kernel.btf', 'kinds.btf'];
    const atlas = await atlasBytes(
      Object.fromEntries(kernels.map((name, i) => [`6.${i}.0-amd64`, sampleBytes(name)])),
    );
    const files = new Map([['a.btfatlas', atlas]]);
    const words = ['load', 'exec_trace.bpf.o', 'externs.bpf.o'];
    const printed = await runCommand([...words, '--atlas', 'a.btfatlas', '--json'], files);
    const named = kernels.flatMap((name) => ['--kernel', name]);
    const { out } = await runCommand([...words, ...named, '--json']);
    expect(out.split('\n').length).toBe(5);
    expect(printed.out).toBe(
      out.replaceAll('"kernel.btf"', '"6.0.0-amd64"').replaceAll('"kinds.btf"', '"6.1.0-amd64"'),
    );
    const text = await runCommand([...words, '--atlas', 'a.btfatlas', '--kernel', 'none'], files);
    expect(text.out).toContain('6.0.0-amd64');
    const asks = new Map([['q', await atlasBytes({ '6.0.0': sampleBytes('kernel.btf') }, false)]]);
    expect((await runCommand([...words, '--atlas', 'q'], asks)).err[0]).toMatch(
      /only what questions/,
    );
  });

  it('names a file that cannot be read, and goes on with the others', async () => {
    const absurd = sampleBytes('exec_trace.bpf.o').slice();
    // Set e_ehsize and e_shentsize to 0: libbpf rejects this before it reads other fields.
    absurd.fill(0, 0x34, 0x36).fill(0, 0x3a, 0x3c);
    const files = new Map([
      ['a/odd.o', absurd],
      ['text.o', encoder.encode('no object, but some lines of text\n'.repeat(9))],
      ['odd.btf', encoder.encode('no kernel')],
    ]);
    const words = ['load', 'a/odd.o', 'xdp_counter.bpf.o', 'text.o', 'none.o', 'exec_trace.bpf.o'];
    const kernels = ['--kernel', 'odd.btf', '--kernel', 'kernel.btf'];
    const { status, out, err } = await runCommand([...words, ...kernels], files);
    const alone = ['load', 'xdp_counter.bpf.o', 'exec_trace.bpf.o', '--kernel', 'kernel.btf'];
    expect(out).toBe((await runCommand(alone)).out);
    expect(status).toBe(1);
    expect(err.map((line) => line.split(': ').slice(0, 2).join(': '))).toEqual([
      'btfscope: a/odd.o',
      'btfscope: text.o',
      expect.stringMatching(/^btfscope: cannot read none\.o$/),
      'btfscope: odd.btf',
    ]);
    expect(err[0]).toContain('section headers make no sense');
    const one = await runCommand(['load', 'a/odd.o', '--kernel', 'kernel.btf'], files);
    expect([one.status, one.out, one.err]).toEqual([1, '', err.slice(0, 1)]);
  });

  it('needs a kernel, and one kernel for modules', async () => {
    expect((await runCommand(['load', 'exec_trace.bpf.o'])).status).toBe(2);
    const two = [...TRACE, '--kernel', 'kinds.btf', '--module', 'module.btf'];
    expect((await runCommand(two)).status).toBe(2);
  });
});
