/** Tests attach targets and exception callbacks whose names do not exist. */
import { describe, expect, it } from 'vitest';
import type { LoadKernel } from '#analysis/kernel/kernel.ts';
import { typesOf } from '#testing/access-types.ts';
import { int } from '#testing/btf-types.ts';
import { hasClang } from '#testing/clang-types.ts';
import { compileBpf } from '#testing/compile-bpf.ts';
import { openObject } from '#testing/open-model.ts';
import { judgeLoad } from './load.ts';
import { loadObject } from './open.ts';
import { findTarget } from './program-types.ts';

async function kernelWith(modules: readonly string[] | null): Promise<LoadKernel> {
  const types = await typesOf(int('int', 4));
  return {
    name: 'kernel',
    vmlinux: types,
    modules: modules === null ? null : modules.map((name) => ({ name, types })),
    config: null,
    kallsyms: null,
    release: null,
    unameVersion: null,
  };
}

async function verdictOf(text: string, kernel: LoadKernel) {
  const { model, source } = await openObject('a.o', compileBpf(text));
  return judgeLoad(await loadObject(model, source), kernel);
}

const SEC = '#define SEC(name) __attribute__((section(name), used))\n';

describe('a program for many functions', () => {
  const on = async (section: string, modules: readonly string[] | null) =>
    findTarget({ name: 'p', section, kind: 'fentry.multi' }, await kernelWith(modules));

  it('looks for the module that it names alone', async () => {
    expect(await on('fentry.multi/nothing_like_that*', [])).toBeNull();
    expect(await on('fentry.multi', [])).toBeNull();
    expect(await on('fentry.multi/nfs:*', ['ext4', 'nfs'])).toBeNull();
    expect(await on('fentry.multi/nfs:*', ['ext4'])).toMatchObject({ errno: 'EINVAL' });
  });

  it.skipIf(!hasClang)('may fail where the modules are not known', async () => {
    const text = `${SEC}SEC("fexit.multi/nfs:*") int p(void *ctx) { return 0; }`;
    const outcome = async (modules: readonly string[] | null) =>
      (await verdictOf(text, await kernelWith(modules))).outcome;
    expect(await outcome(null)).toBe('may-fail');
    expect(await outcome([])).toBe('fails');
    expect(await outcome(['nfs'])).toBe('loads');
  });
});

const TAG = '#define CB(name) __attribute__((btf_decl_tag("exception_callback:" name)))\n';
const HANDLER = 'int handler(unsigned long long c) { asm volatile(""); return c; }\n';

describe.skipIf(!hasClang)('an exception callback', () => {
  it.each([
    ['that is there', HANDLER, 'handler', 0, []],
    ['that is not', '', 'handler', -2, ["prog 'p': cannot find exception callback 'handler'"]],
    [
      'without a name',
      HANDLER,
      '',
      -22,
      ["prog 'p': exception_callback:<value> decl tag contains empty value"],
    ],
    [
      'that is static',
      `static __attribute__((noinline, used)) ${HANDLER}`,
      'handler',
      -22,
      ["prog 'p': exception callback handler must be a global non-hidden function"],
    ],
  ])('%s', async (_what, handler, name, code, lines) => {
    const text = `${SEC}${TAG}${handler}SEC("tc") CB("${name}") int p(void *ctx) { return 0; }`;
    const verdict = await verdictOf(text, await kernelWith([]));
    expect(verdict.prepare).toBe(code);
    expect([...verdict.warnings, ...verdict.lastWarnings]).toEqual(lines);
  });
});
