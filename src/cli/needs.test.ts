import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { loadObject } from '#analysis/libbpf/open.ts';
import { needsOf } from '#analysis/needs/needs.ts';
import { needsBadge } from '#print/needs-badge.ts';
import { openObject } from '#testing/open-model.ts';
import { runCommand } from '#testing/run-command.ts';
import { sampleBytes } from '#testing/samples.ts';

async function needs(...words: readonly string[]) {
  const { status, out, err, saved } = await runCommand(['needs', ...words]);
  return { status, out, err: err.join('\n'), saved };
}

describe('btfscope needs', () => {
  it('prints the oldest version and what decides it first', async () => {
    const { status, out } = await needs('cpu_v4.bpf.o');
    expect(status).toBe(0);
    expect(out.split('\n').slice(0, 5)).toEqual([
      'cpu_v4.bpf.o: Needs Linux 6.9 or later: may_goto (insn 1 of bounded_by_kernel, cpu_v4.bpf.c:111).',
      '',
      'since  need                         used by                                            source',
      '6.9    may_goto                     insn 1 of bounded_by_kernel, cpu_v4.bpf.c:111      commit "bpf: Introduce may_goto instruction"',
      '6.6    load with sign extension     insn 2 of load_signed, cpu_v4.bpf.c:27             commit "bpf: Support new sign-extension load insns"',
    ]);
  });

  it('prints apart what depends on the kernel, and what is optional', async () => {
    const { out } = await needs('exec_trace.bpf.o');
    expect(out).toContain('libbpf needs the BTF of the kernel.\n');
    const [, depends = '', optional = ''] = out.split(/^Depends on.*:$|^Optional.*:$/m);
    expect(depends).toContain(
      '  member task_struct.tgid  insn 4 of on_exec, exec_trace.bpf.c:149\n',
    );
    expect(depends).toContain('  tp_btf tracepoint sched_process_exec  program on_exec\n');
    expect(optional).toContain('  member task_struct.__state  ');
  });

  it('says which of the given kernels have all', async () => {
    const { out } = await needs('exec_trace.bpf.o', '--kernel', 'kernel.btf', '--module', 'none');
    expect(out).toMatch(/^\d of 1 kernel (has|have) all it needs/m);
    expect(out).toMatch(/^ {2}kernel\.btf {2}/m);
  });

  it('prints a line of JSON per object', async () => {
    const { out } = await needs('cpu_v4.bpf.o', 'lineage.bpf.o', '--json');
    const rows = out
      .trim()
      .split('\n')
      .map((line) => z.looseObject({}).parse(JSON.parse(line)));
    expect(rows).toMatchObject([
      { object: 'cpu_v4.bpf.o', version: '6.9', lacking: '6.8', needs_btf: false, kernels: [] },
      { object: 'lineage.bpf.o', version: '5.5', needs_btf: true },
    ]);
    expect(rows[0]).toMatchObject({
      required: [
        {
          kind: 'instruction',
          name: 'may_goto',
          by: null,
          version: '6.9',
          uses: [{ program: 'bounded_by_kernel', map: null, insn: 1 }],
        },
        ...new Array<unknown>(9).fill({}),
      ],
    });
  });

  it('writes a badge', async () => {
    const { out, saved } = await needs('cpu_v4.bpf.o', '--badge', 'b.svg', '--format', 'svg');
    expect(out).toContain('>≥ 6.9</text>');
    expect(new TextDecoder().decode(saved.get('b.svg'))).toBe(out);
  });

  it('escapes names in a badge', async () => {
    const name = 'cpu_v4.bpf.o';
    const { model, source } = await openObject(name, new Uint8Array(sampleBytes(name)));
    const object = await loadObject(model, source);
    const programs = object.programs.map((program) => ({
      ...program,
      name: `<"&\u202e${program.name}`,
    }));
    const badge = needsBadge(needsOf({ ...object, programs }));
    expect(badge).toContain('insn 1 of &lt;&quot;&amp;');
    expect(badge).not.toContain('\u202e');
  });

  it.each([
    [['cpu_v4.bpf.o', 'lineage.bpf.o', '--badge', 'b.svg'], 'a badge is of one object'],
    [['cpu_v4.bpf.o', '--format', 'xml'], '--format takes one of text, json, svg'],
    [['cpu_v4.bpf.o', '--format', 'svg', '--json'], '--format and --json cannot be combined'],
  ])('refuses %j', async (words, message) => {
    const { status, err } = await needs(...words);
    expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining(message) });
  });
});
