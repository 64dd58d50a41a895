/** The page, the commands `info` and `check`, and the library list the same issues. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allIssues } from '#analysis/lint/issue-list.ts';
import { lintModel } from '#analysis/lint/lint.ts';
import { ORIGIN_CODES } from '#analysis/lint/origin-codes.ts';
import { lint, open } from '#lib/open.ts';
import { corpusRoot, isLargeCorpus } from './corpus.ts';
import { JsonRow } from './json-row.ts';
import { openObject } from './open-model.ts';
import { runCommand } from './run-command.ts';
import { sampleBytes } from './samples.ts';

/** Returns a copy of a sample with bytes set: [offset, value]. */
function changed(name: string, ...bytes: readonly (readonly [number, number])[]): Uint8Array {
  const copy = sampleBytes(name).slice();
  for (const [at, value] of bytes) copy[at] = value;
  return copy;
}

const fileOffsets = async (name: string) => (await openObject(name, sampleBytes(name))).model;

/** Returns files with one fault each, and a text of the issue. */
async function faultyFiles(): Promise<ReadonlyMap<string, readonly [Uint8Array, RegExp]>> {
  const { ext } = await fileOffsets('doc_core.bpf.o');
  const record = ext.core.recordOffset[0] ?? 0;
  const compact = await fileOffsets('alpha_compact.ecoff');
  const reflong = compact.relocations.entryOffset[3] ?? 0;
  const cut = sampleBytes('xdp_counter.bpf.o');
  return new Map([
    ['kind.o', [changed('doc_core.bpf.o', [record + 12, 13]), /unknown kind 13/]],
    ['insn.o', [changed('doc_core.bpf.o', [record + 1, 0x7f]), /no such instruction/]],
    ['access.o', [changed('doc_core.bpf.o', [record + 10, 0x7f]), /outside the strings/]],
    [
      'count.ecoff',
      [changed('alpha_compact.ecoff', [reflong + 5, 0], [reflong + 6, 0]), /count 0/],
    ],
    ['cut.o', [cut.slice(0, cut.length - 64), /17 of 18 sections/]],
  ] as const);
}

/** Returns severity, code and message of each issue, as the page lists them. */
async function ofPage(name: string, bytes: Uint8Array): Promise<readonly string[]> {
  const { model, source } = await openObject(name, bytes);
  return allIssues(model.issues, await lintModel(model, source)).map(keyOf);
}

const keyOf = ({ severity, code, message }: { severity: string; code: string; message: string }) =>
  `${severity} ${code} ${message}`;

const keysIn = (json: unknown, ...fields: readonly string[]) =>
  fields
    .flatMap((field) => (new JsonRow(json).has(field) ? new JsonRow(json).rows(field) : []))
    .map((row) =>
      keyOf({
        severity: row.text('severity'),
        code: row.text('code'),
        message: row.text('message'),
      }),
    )
    .filter((key) => ORIGIN_CODES.every((code) => !key.includes(` ${code} `)));

/** Asserts that each front lists the issues of the page. */
async function expectOneList(name: string, bytes: Uint8Array): Promise<readonly string[]> {
  const page = await ofPage(name, bytes);
  const files = new Map([[name, bytes]]);
  const info = await runCommand(['info', name, '--json'], files);
  expect(keysIn(JSON.parse(info.out), 'issues')).toEqual(page);
  const check = await runCommand(['check', name, '--json'], files);
  // A file without BTF and without an issue is only refused.
  const told: unknown = check.out === '' ? null : JSON.parse(check.out);
  const inCheck = told === null ? [] : keysIn(told, 'program_info', 'findings');
  expect(inCheck.toSorted()).toEqual(
    page.filter((key) => !key.includes('btf.only-dwarf')).toSorted(),
  );
  const library = await lint(await open(bytes, { name }));
  expect(
    library.map(keyOf).filter((key) => ORIGIN_CODES.every((code) => !key.includes(` ${code} `))),
  ).toEqual(page);
  return page;
}

describe('issues', () => {
  it.each(['kind.o', 'insn.o', 'access.o', 'count.ecoff', 'cut.o'])(
    'of %s are one list for page, command and library',
    async (name) => {
      const [bytes = new Uint8Array(0), message] = (await faultyFiles()).get(name) ?? [];
      const page = await expectOneList(name, bytes);
      expect(page.join('\n')).toMatch(message ?? /^$/);
      const text = (await runCommand(['check', name], new Map([[name, bytes]]))).out;
      expect(text).toMatch(message ?? /^$/);
    },
  );

  it.skipIf(!isLargeCorpus)('of the crafted files are one list', async () => {
    for (const folder of ['crafted', 'documents']) {
      const path = join(corpusRoot, folder);
      for (const name of readdirSync(path).filter((file) => /\.(?:o|btf|ecoff)$/.test(file))) {
        await expectOneList(name, new Uint8Array(readFileSync(join(path, name))));
      }
    }
  });
});
