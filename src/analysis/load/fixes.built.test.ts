/** Applies the fixes of the example to its source, compiles it, and loads it on all kernels. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { LoadKernel } from '#analysis/kernel/kernel.ts';
import { judgeLoad } from '#analysis/libbpf/load.ts';
import { type LoadObject, loadObject } from '#analysis/libbpf/open.ts';
import { hasClang } from '#testing/clang-types.ts';
import { openObject } from '#testing/open-model.ts';
import { sampleModel, sampleObject, samplePath } from '#testing/samples.ts';
import { remedies } from './remedies.ts';

const RELEASES = ['5.10', '5.15', '6.1', '6.6', '6.12', '6.18'];
const hasPatch = spawnSync('patch', ['--version']).status === 0;

async function release(version: string): Promise<LoadKernel> {
  return {
    name: `toy-${version}.btf`,
    vmlinux: (await sampleModel(`toy-${version}.btf`)).types,
    modules: [],
    config: 'none',
    kallsyms: null,
    release: null,
    unameVersion: null,
  };
}

const outcomes = (object: LoadObject, kernels: readonly LoadKernel[]) =>
  kernels.map((kernel) => judgeLoad(object, kernel).outcome);

it.skipIf(!hasClang || !hasPatch)(
  'the fixes of the example make it load on all kernels',
  async () => {
    const { model, source } = await sampleObject('task_state.bpf.o');
    const object = await loadObject(model, source);
    const kernels = await Promise.all(RELEASES.map(release));
    expect(outcomes(object, kernels)).toEqual([
      'fails',
      'fails',
      'fails',
      'loads',
      'loads',
      'loads',
    ]);
    const [oldest] = kernels;
    if (oldest === undefined) throw new Error('no kernel');
    const verdict = judgeLoad(object, oldest);
    const reasons = [...verdict.reasons, ...verdict.programs.flatMap((program) => program.reasons)];
    expect(reasons.map(({ step }) => step)).toEqual(['externs', 'core']);
    const diffs = reasons.map((reason) => remedies(object, kernels, reason)[0]?.diff ?? '');
    const folder = mkdtempSync(join(tmpdir(), 'fixes-'));
    try {
      cpSync(samplePath('src'), join(folder, 'src'), { recursive: true });
      for (const diff of diffs) {
        writeFileSync(join(folder, 'fix.diff'), `${diff}\n`);
        execFileSync('patch', ['-p1', '-i', 'fix.diff'], { cwd: folder });
      }
      const file = 'fixed.o';
      const command = ['--target=bpf', '-mcpu=v3', '-g', '-O2', '-Wall', '-Werror'];
      execFileSync('clang-19', [...command, '-c', 'src/task_state.bpf.c', '-o', file], {
        cwd: folder,
      });
      const bytes = new Uint8Array(readFileSync(join(folder, file)));
      const opened = await openObject(file, bytes);
      const fixed = await loadObject(opened.model, opened.source);
      expect(outcomes(fixed, kernels)).toEqual(kernels.map(() => 'loads'));
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
