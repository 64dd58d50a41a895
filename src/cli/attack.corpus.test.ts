/** Files that were made to take long: every command ends, with output that the file's size allows. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { corpusPath, isLargeCorpus } from '#testing/corpus.ts';
import { runCommand } from '#testing/run-command.ts';

const names = isLargeCorpus
  ? readdirSync(corpusPath('attack')).filter((name) => /\.(o|btf)$/.test(name))
  : [];
const bytesOf = (name: string) => readFileSync(corpusPath(`attack/${name}`));

/** `%` is the file. */
const COMMANDS = [
  ...['info %', 'raw %', 'json %', 'c %', 'c % --bpftool 7.1', 'pahole %', 'check %'],
  ...['check % --json', 'diff % %', 'paths % --from 1 --to 2'],
];
const OBJECT_COMMANDS = [
  ...['disasm %', 'symbols %', 'readelf %', 'relocs %', 'relocs % --json', 'data %'],
  ...['data % --json', 'load-calls %', 'core % --target %', 'core % --target % --json'],
  ...['core % --target % --log', 'load % --kernel %', 'load % --kernel % --json'],
];

describe.skipIf(!isLargeCorpus)('attack', () => {
  it.each(names)('%s', { timeout: 60_000 }, async (name) => {
    const bytes = bytesOf(name);
    const commands = name.endsWith('.o') ? [...COMMANDS, ...OBJECT_COMMANDS] : COMMANDS;
    for (const command of commands) {
      const words = command.split(' ').map((word) => (word === '%' ? name : word));
      const { status, out } = await runCommand(words, new Map([[name, bytes]]));
      expect([0, 1, 2], command).toContain(status);
      // Texts are cut where they would be longer; the rest is far below.
      expect(out.length, command).toBeLessThan(2 ** 23 + 2 ** 21 + 400 * bytes.length);
    }
  });
});
