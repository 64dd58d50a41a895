/** Compares verdicts on `testdata/src/reach/branches.bpf.c` with what Linux 6.18.44 said to it. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openModel, openObject } from '#testing/open-model.ts';
import { judgeLoad } from './load.ts';
import { loadObject } from './open.ts';
import type { Outcome } from './outcome.ts';

const FOLDER = new URL('../../../testdata/', import.meta.url);

function bytesOf(name: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(name, FOLDER)));
}

/** Answers of the kernel by build and program; scripts/kernel-reach.mjs writes the table. */
const [header = '', ...lines] = readFileSync(new URL('src/reach/branches.tsv', FOLDER), 'utf8')
  .trim()
  .split('\n');
const BUILDS = header.split('\t').slice(1);
const ROWS = lines.map((line) => line.split('\t'));

const WORDS: Readonly<Record<Outcome, string>> = {
  loads: 'ok',
  'may-fail': 'may',
  rejected: 'rejected',
  fails: 'fails',
};

/** Programs that 6.18 rejects, although not every kernel does or must. */
const OPEN = new Set([
  // Since 6.14, the verifier knows that an array has an element, if it knows the key.
  'not_found_in_array',
  'not_found_in_array_of_any_key',
  // The loader may set a constant, and a kernel may track more than 6.18 does.
  'constant_choice_on',
  'random_below',
  'stack_variable_other',
  'packet_shorter_after_check',
  // The types of a global function's arguments are not read.
  'global_function_has_it',
]);

describe('the verdict on a program is what the kernel says', () => {
  it.each(BUILDS.map((build, column) => [build, column + 1] as const))(
    '%s',
    async (build, column) => {
      const name = `branches-${build}.o.zst`;
      const { model, source } = await openObject(name, bytesOf(`reach/${name}`));
      const { types } = await openModel('old', bytesOf('reach/old.btf'));
      const verdict = judgeLoad(await loadObject(model, source), {
        name: 'old',
        vmlinux: types,
        modules: [],
        config: 'none',
        kallsyms: null,
        release: '6.18.44',
        unameVersion: null,
      });
      const answers = new Map(
        ROWS.map(([program = '', ...row]) => [program, row[column - 1] ?? '']),
      );
      const wrong: string[] = [];
      const open: string[] = [];
      for (const { program, outcome } of verdict.programs) {
        const asked = answers.get(program.name);
        if (WORDS[outcome] === asked) continue;
        if (outcome !== 'may-fail') wrong.push(`${program.name}: ${outcome}, not ${asked}`);
        else if (asked === 'rejected') open.push(program.name);
      }
      expect(wrong).toEqual([]);
      expect(open.filter((program) => !OPEN.has(program))).toEqual([]);
      expect(verdict.programs.length).toBe(ROWS.length);
    },
  );
});
