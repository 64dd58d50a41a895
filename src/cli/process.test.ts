/** Tests of the command as a process, with real files and a real terminal. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { visible } from '#bytes/text.ts';
import { buildCommand } from '#testing/built-command.ts';
import { sampleBytes, samplePath } from '#testing/samples.ts';

const HOSTILE = 'a\u001b[31m\n\u202eb.o';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'btfscope-process-'));
  buildCommand(folder);
  writeFileSync(
    Buffer.concat([Buffer.from(`${folder}/b`), Buffer.from([0xff, 0x2e, 0x6f])]),
    kinds(),
  );
  writeFileSync(join(folder, HOSTILE), kinds());
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const kinds = () => sampleBytes('kinds.bpf.o');

/** Runs a shell command line in which `btfscope` is defined. */
function shell(line: string) {
  const command = `btfscope() { "${process.execPath}" "${folder}/cli/main.mjs" "$@"; }; ${line}`;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', command], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status, out: stdout, err: stderr };
}

const LINES = [
  `btfscope info '${HOSTILE}'`,
  `btfscope info '${HOSTILE}' --json`,
  `btfscope disasm '${HOSTILE}'`,
  `btfscope relocs '${HOSTILE}' --listing`,
  `btfscope diff '${HOSTILE}' '${HOSTILE}'`,
  `btfscope diff '${HOSTILE}' '${HOSTILE}' --json`,
  `btfscope check '${HOSTILE}'`,
  `btfscope info 'missing ${HOSTILE}'`,
  `btfscope info a --'${HOSTILE}'`,
  `btfscope info a '${HOSTILE}'`,
  `btfscope min '${HOSTILE}' --target '${HOSTILE}' -o 'missing/${HOSTILE}'`,
  `btfscope data '${HOSTILE}' --type '${HOSTILE}'`,
  `btfscope '${HOSTILE}'`,
];

describe.skipIf(!existsSync('/dev/full'))('btfscope as a process', () => {
  it.each(['info', 'raw', 'check'])('%s reports a full standard output in one line', (command) => {
    const { status, err } = shell(`btfscope ${command} ${samplePath('kinds.bpf.o')} > /dev/full`);
    expect(status).toBe(1);
    expect(err).toBe('btfscope: cannot write standard output: no space left on the device\n');
  });

  it('reports a full standard output of its help; a full standard error keeps the status', () => {
    expect(shell('btfscope --help > /dev/full')).toMatchObject({
      status: 1,
      err: 'btfscope: cannot write standard output: no space left on the device\n',
    });
    expect(shell('btfscope info missing.o 2> /dev/full').status).toBe(1);
  });

  it('refuses devices and folders at once', () => {
    for (const path of ['/dev/zero', '/dev/null', '/dev/urandom']) {
      expect(shell(`btfscope info ${path}`)).toEqual({
        status: 1,
        out: '',
        err: `btfscope: cannot read ${path}: it is a device, not a file\n`,
      });
    }
    expect(shell('btfscope info .').err).toBe('btfscope: cannot read .: it is a directory\n');
  });

  it('reads a pipe and standard input, up to a limit', () => {
    const piped = shell(`cat ${samplePath('kinds.bpf.o')} | btfscope info /dev/stdin`);
    expect(piped).toMatchObject({ status: 0, err: '' });
    const path = samplePath('kinds.bpf.o');
    const { out } = shell(`btfscope c ${path}`);
    expect(shell(`cat ${path} | btfscope c -`)).toEqual({ status: 0, out, err: '' });
    expect(shell(`btfscope c - < ${path}`)).toEqual({ status: 0, out, err: '' });
    expect(shell(`gzip -c ${path} | btfscope c -`)).toEqual({ status: 0, out, err: '' });
    const endless = shell('cat /dev/zero | btfscope info /dev/stdin');
    expect(endless).toMatchObject({
      status: 1,
      err: 'btfscope: cannot read /dev/stdin: the pipe gives more than 512 MiB; save it as a file\n',
    });
  });

  it('reads standard input wherever a file is named, a pipe once', () => {
    const [kernel, module] = ['kernel.btf', 'module.btf'].map(samplePath);
    const { out } = shell(`btfscope raw ${module} --base ${kernel}`);
    const based = { status: 0, out, err: '' };
    expect(shell(`cat ${kernel} | btfscope raw ${module} --base -`)).toEqual(based);
    expect(shell(`btfscope raw - --base ${kernel} < ${module}`)).toEqual(based);
    const bytes = shell(
      `printf abcd | btfscope data ${module} --base ${kernel} --type int --from -`,
    );
    expect(bytes).toMatchObject({ status: 0, out: '(int)1684234849;\n' });
    expect(shell(`cat ${kernel} | btfscope diff - -`)).toEqual({
      status: 1,
      out: '',
      err: 'btfscope: standard input is a pipe and is named twice\n',
    });
    expect(shell(`btfscope diff - - < ${kernel}`)).toMatchObject({ status: 0, err: '' });
  });

  it.each(['raw', 'c', 'info', 'symbols --json'])(
    '%s ends without a word where the reader of its pipe has ended, as by SIGPIPE',
    (command) => {
      const writer = `(cat go > /dev/null; btfscope ${command} ${samplePath('kinds.bpf.o')})`;
      const line = `rm -f go; mkfifo go; ${writer} | (exec <&-; echo > go); echo "\${PIPESTATUS[0]}"`;
      expect(shell(line)).toEqual({ status: 0, out: '141\n', err: '' });
    },
  );

  it('prints the first line of a long text for head', () => {
    const { out, err } = shell(`btfscope raw ${samplePath('kernel.btf')} | head -1`);
    expect([err, out.split('\n').length]).toEqual(['', 2]);
  });

  it('ends with 130 when it is interrupted', async () => {
    const child = spawn(process.execPath, [join(folder, 'cli/main.mjs'), 'info', '-']);
    let told = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        told += chunk;
      });
    }
    // 1 MiB exceeds the pipe's buffer: once it is written, the command is waiting for more input.
    child.stdin.write(Buffer.alloc(1 << 20), () => child.kill('SIGINT'));
    const ended = await new Promise((resolve) => {
      child.on('close', (status, signal) => resolve({ status, signal }));
    });
    // Shells report the end by a signal as exit status 128 + signal number.
    expect({ ended, told }).toEqual({ ended: { status: null, signal: 'SIGINT' }, told: '' });
  });

  it('opens names that are not UTF-8', () => {
    expect(shell("btfscope info $'b\\xff.o'")).toMatchObject({ status: 0, err: '' });
    symlinkSync(folder, Buffer.concat([Buffer.from(`${folder}/d`), Buffer.from([0xfe, 0xfe])]));
    expect(shell("btfscope info $'d\\xfe\\xfe/b\\xff.o'")).toMatchObject({ status: 0, err: '' });
    expect(shell("btfscope info $'c\\xff.o'").err).toContain('there is no such file');
  });

  it.each(LINES.map((line) => [visible(line), line]))(
    'has no control characters: %s',
    (_, line) => {
      const { out, err } = shell(line);
      expect(out + err).not.toBe('');
      // Only the command may write newlines and tabs; a newline from a name would begin a line.
      expect(out + err).not.toMatch(/[^\P{Cc}\n\t]|\p{Cf}|^b\.o/mu);
    },
  );
});
