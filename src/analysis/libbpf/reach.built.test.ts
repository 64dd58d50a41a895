/** Checks programs of `testdata/reach`: their names state the outcomes on two kernels. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openModel, openObject } from '#testing/open-model.ts';
import { judgeLoad } from './load.ts';
import { loadObject } from './open.ts';
import type { Outcome } from './outcome.ts';

function bytesOf(name: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(`../../../testdata/reach/${name}`, import.meta.url)));
}

const KERNELS = [
  { name: 'old', release: '5.4.0', config: 'CONFIG_HZ=250\n' },
  { name: 'new', release: '6.5.0', config: 'CONFIG_FRESH=y\nCONFIG_HZ=1000\n' },
];

const WORDS: Readonly<Record<Outcome, string>> = {
  loads: 'ok',
  'may-fail': 'may',
  rejected: 'rejected',
  fails: 'fails',
};

/** Programs whose outcome depends on the stack or on an address, not on constants in registers. */
const TOO_HARD = new Set(['stack_copy', 'kfunc_guard_of_other']);

const BUILDS = ['fields', 'others'].flatMap((source) =>
  ['O1', 'O2'].flatMap((level) =>
    ['v2', 'v3', 'v4'].map((cpu) => `${source}-${level}-${cpu}.o.zst`),
  ),
);

describe('the outcome of a program is what its name says', () => {
  it.each(BUILDS)('%s', async (name) => {
    const { model, source } = await openObject(name, bytesOf(name));
    const object = await loadObject(model, source);
    const wrong: string[] = [];
    const may: string[] = [];
    let poisoned = 0;
    for (const [at, { name: kernel, release, config }] of KERNELS.entries()) {
      const { types } = await openModel(kernel, bytesOf(`${kernel}.btf`));
      const verdict = judgeLoad(object, {
        name: kernel,
        vmlinux: types,
        modules: [],
        config: { text: config },
        kallsyms: null,
        release,
        unameVersion: null,
      });
      expect([verdict.prepare, verdict.undecided]).toEqual([0, []]);
      for (const { program, outcome, special } of verdict.programs) {
        const [what = '', ...asked] = program.name.split('__');
        const given = WORDS[outcome];
        poisoned += special.some(([, word]) => word === 'poison') ? 1 : 0;
        if (given === asked[at]) continue;
        if (given === 'may') may.push(what);
        else wrong.push(`${program.name} on ${kernel}: ${given}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(may.filter((what) => !TOO_HARD.has(what))).toEqual([]);
    expect(object.programs.length).toBeGreaterThan(30);
    expect(poisoned).toBeGreaterThan(30);
  });
});
