/** Compiles the programs of the cards with clang-19. Machines without clang skip it. */
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { isProgram, programsText } from '#testing/card-program.ts';
import { hasClang } from '#testing/clang-types.ts';
import { CARD_RULES, cardOf } from './cards.ts';

const OPTIONS =
  '--target=bpf -mcpu=v3 -O2 -g -Wall -Werror -Wno-unused-function -Wno-unused-const-variable -x c -c - -o /dev/null';

const programs = CARD_RULES.flatMap((rule) =>
  (cardOf(rule)?.repair ?? [])
    .filter(({ language, text }) => language === 'c' && isProgram(text))
    .map(({ text }, i): readonly [file: string, text: string] => [`${rule}.${i}.c`, text]),
);

/** Returns the messages of clang for all blocks; empty if all compile. */
function clangMessages(blocks: readonly (readonly [file: string, text: string])[]): string {
  const { error, stderr } = spawnSync('clang-19', OPTIONS.split(' '), {
    input: programsText(blocks),
    encoding: 'utf8',
  });
  if (error !== undefined) throw error;
  return stderr;
}

it('are found', () => {
  expect(programs.length).toBeGreaterThan(60);
});

it.skipIf(!hasClang)('the programs of the cards compile with clang-19', () => {
  expect(clangMessages(programs)).toBe('');
});

it.skipIf(!hasClang)('a program with an undeclared name does not compile', () => {
  const text = 'SEC("tc")\nint f(struct __sk_buff *skb)\n{\n\treturn absent;\n}';
  expect(isProgram(text)).toBe(true);
  expect(clangMessages([['f.c', text]])).toContain(
    "f.c:4:9: error: use of undeclared identifier 'absent'",
  );
});
