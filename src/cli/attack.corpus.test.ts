/**
 * Runs every command on files that were made to take long. Each command must end, with output in
 * proportion to the file's size.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { isComposite } from '#model/type-items.ts';
import { kindOf, lastId, nameOf, type TypeTable } from '#model/type-table.ts';
import { attackFiles } from '#testing/attack-files.ts';
import { corpusPath, isLargeCorpus } from '#testing/corpus.ts';
import { elfObject } from '#testing/elf-object.ts';
import { orMalformed } from '#testing/fuzz/opened.ts';
import { openModel } from '#testing/open-model.ts';
import { runCommand } from '#testing/run-command.ts';
import { isLong } from '#testing/runs.ts';

/** Command lines; `%` is the path of the file. */
const COMMANDS = [
  ...['info %', 'info % --json', 'members %', 'members % --json', 'raw %', 'json %', 'c %'],
  ...['c % --bpftool 7.1', 'c % --unsorted', 'c % --root-id 2', 'pahole %'],
  ...['pahole % --pahole 1.24', 'check %', 'check % --json', 'diff % %', 'diff % % --json'],
  ...['where % 100', 'where % 100 --json', 'inlined %', 'inlined % --json'],
];
/** Command lines for one type; `@` is the id of a struct or union of the file. */
const TYPE_COMMANDS = [
  ...['c % --type @', 'c % --type @ --core', 'pahole % --type @', 'diff % % --type @'],
  ...['diff % % --type @ --json', 'paths % @ int', 'paths % @ @ --container-of --json'],
  ...['data % --type @ --bytes 01020304', 'data % --type @ --bytes 01020304 --json'],
];
const OBJECT_COMMANDS = [
  ...['disasm %', 'disasm % --lines', 'symbols %', 'symbols % --json', 'readelf %', 'relocs %'],
  ...['relocs % --json', 'relocs % --listing', 'data %', 'data % --json', 'load-calls %'],
  ...['load-calls % --json', 'core %', 'core % --json', 'core % --target % --cold --json'],
  ...['core % --log', 'min % --target % -o out', 'load % --kernel %', 'load % --kernel % --json'],
  ...['load % --kernel % --markdown', 'load % --kernel % --format sarif'],
  'load % --kernel % --format junit',
];

/** Limit of the output in characters; `paths` writes some thousand characters for each member. */
const MAX_OUTPUT = 2 ** 25 + 2 ** 21;

/** Returns the id of a struct or union with a name; null if the file has none. */
function namedStruct(t: TypeTable): string | null {
  for (let id = 1; id <= lastId(t); id++) {
    if (isComposite(kindOf(t, typeId(id))) && nameOf(t, typeId(id)) !== '') return `${id}`;
  }
  return null;
}

/** The slowest commands per family of files. The short test run uses only these commands. */
const SLOWEST: Readonly<Record<string, readonly string[]>> = {
  'typedef-tree.o': ['c %'],
  'circle-of-prototypes.o': ['c % --bpftool 7.1'],
  'holds-itself.o': ['data %', 'pahole %', 'core %'],
  'wide-and-anonymous.o': ['c % --type @', 'core % --json'],
  'anonymous-tree.o': ['data % --json', 'core %'],
  'array-of-arrays.o': ['pahole %'],
  'chain-of-elements.o': ['data %'],
  'one-name.o': ['core %', 'load % --kernel %'],
  'access-digits.o': ['core % --json', 'disasm %'],
  'functions-in-a-struct.o': ['pahole %'],
  'chain-of-prototypes.o': ['raw %', 'check %'],
  'long-name.o': ['symbols % --json', 'info %'],
};

async function expectBounded(name: string, bytes: Uint8Array, chosen?: readonly string[]) {
  const read = await orMalformed(() => openModel(name, bytes));
  const struct = read === null || read.types === null ? null : namedStruct(read.types);
  const all = [
    ...COMMANDS,
    ...(struct === null ? [] : TYPE_COMMANDS),
    ...(name.endsWith('.o') ? OBJECT_COMMANDS : []),
  ];
  for (const command of chosen ?? all) {
    const words = command
      .split(' ')
      .map((word) => (word === '%' ? name : word === '@' ? (struct ?? '') : word));
    const { status, out } = await runCommand(words, new Map([[name, bytes]]));
    expect([0, 1, 2], command).toContain(status);
    expect(out.length, command).toBeLessThan(MAX_OUTPUT + 400 * bytes.length);
  }
}

const files = isLargeCorpus
  ? readdirSync(corpusPath('attack')).filter((name) => /\.(o|btf)$/.test(name))
  : [];

describe.skipIf(!isLargeCorpus)('every command on an attack file of the corpus', () => {
  it.each(files)('%s', { timeout: 300_000 }, async (name) => {
    await expectBounded(name, readFileSync(corpusPath(`attack/${name}`)));
  });
});

describe('commands on a small attack file', () => {
  it.each(attackFiles())('$name', { timeout: 300_000 }, async ({ name, buffer }) => {
    await expectBounded(name, buffer, isLong ? undefined : SLOWEST[name]);
  });
});

it('prints at most 32 MiB and 64 bytes for each byte of the file, and says so', async () => {
  const symbols = Array.from({ length: 300 }, () => ({ name: 'q'.repeat(200_000) }));
  const { bytes } = elfObject({ symbols });
  const { status, out, err } = await runCommand(['symbols', 'a.o'], new Map([['a.o', bytes]]));
  expect([status, err]).toEqual([1, [expect.stringMatching(/the text is cut after [\d,]+ bytes/)]]);
  expect(out.length).toBeGreaterThan(2 ** 25);
  expect(out.length).toBeLessThanOrEqual(2 ** 25 + 64 * bytes.length);
});
