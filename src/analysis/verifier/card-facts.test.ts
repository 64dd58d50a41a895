/** Compares what cards state about kernels with the tables of first releases. */
import { expect, it } from 'vitest';
import { INSN_VERSIONS } from '#analysis/kernel/insn-fields.ts';
import { featureSince } from '#analysis/kernel/kernel-features.ts';
import { CARD_RULES, cardOf } from './cards.ts';

const cards = CARD_RULES.map(cardOf).filter((card) => card !== null);

/** Returns the first release of a helper or kfunc; null if neither table has the name. */
function firstRelease(name: string): string | null {
  return (featureSince('helper', name) ?? featureSince('kfunc', name))?.version ?? null;
}

it('names the first release of a helper or kfunc', () => {
  const notes = cards.flatMap(({ rule, differs, repair }) => [
    ...differs.flatMap(({ kernel, text }) => {
      const name = /^`(\w*bpf_\w+)` exists/.exec(text)?.[1];
      return name === undefined ? [] : [{ rule, name, kernel }];
    }),
    ...repair.flatMap(({ text }) =>
      [...text.matchAll(/`(bpf_\w+)` \((\d+\.\d+)\)/g)].map(([, name = '', kernel]) => {
        // The macro is for the iterator over numbers.
        return { rule, name: name === 'bpf_for' ? 'bpf_iter_num_new' : name, kernel };
      }),
    ),
  ]);
  expect(notes.length).toBeGreaterThan(8);
  const releases = notes.map(({ rule, name }) => ({ rule, name, kernel: firstRelease(name) }));
  expect(notes).toEqual(releases);
});

it('names releases at which the instruction set changed', () => {
  for (const rule of ['unknown-opcode', 'reserved-fields']) {
    const kernels = cardOf(rule)?.differs.map(({ kernel }) => kernel) ?? [];
    expect(kernels.length, rule).toBeGreaterThan(1);
    expect(kernels.filter((kernel) => !INSN_VERSIONS.some((other) => other === kernel))).toEqual(
      [],
    );
  }
});

it('begins each repair with a sentence', () => {
  const others = cards.filter(({ repair: [first] }) => first?.language !== null);
  expect(others.map(({ rule }) => rule)).toEqual([]);
});
