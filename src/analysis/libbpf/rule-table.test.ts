/** Checks that the code has each rule of docs/kernel-rules.tsv, with its errno and log line. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  BLOB_RULES,
  FIELD_RULES,
  type KernelRule,
  MAP_RULES,
  META_RULES,
  REFERENCE_RULES,
} from '#analysis/kernel/rules.ts';
import { ruleBlobs } from '#testing/field-rule-blobs.ts';
import { checkBtf } from './check-btf.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const TABLE = 'docs/kernel-rules.tsv';
const HERE = 'src/analysis/libbpf/rule-table.test.ts';
const PROGRAM_LOAD = 'kernel/bpf/verifier.c: ';

const textOf = (path: string) =>
  existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '';

const rows = textOf(TABLE)
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const cells = line.split('\t');
    const [number = '', where = '', errno = '', message = '', rule = '', file = '', title = ''] =
      cells;
    return { cells, number, where, errno, message, rule, file, title };
  });

/** Returns the source text of all tests with a title, including their cases. */
function testsOf(file: string, title: string): string {
  const tests = textOf(file).split(/^(?= *it(?:\.each)?\()/m);
  return tests.filter((test) => test.includes(`'${title}'`)).join('');
}

/** Names of rules in the source text of tests, such as `MAP_RULES.oneWay`, with their sentences. */
const ruleNames = Object.entries({ BLOB_RULES, FIELD_RULES, MAP_RULES }).flatMap(([group, rules]) =>
  Object.entries(rules).map(([name, { rule }]) => ({ rule, name: `${group}.${name}` })),
);

/** Verdict of the kernel on each blob: function, errno, message, rule. */
const told = ruleBlobs().map((bytes) => {
  const { kernel } = checkBtf(bytes, null);
  if (kernel.verdict === 'ok') throw new Error('a blob that breaks a rule is accepted');
  const { where, errno, word, rule } = kernel;
  return [where, errno, word || '-', rule].join('\t');
});

describe(TABLE, () => {
  it('has seven filled columns in each row, numbered from 1', () => {
    expect(rows.filter(({ cells }) => cells.length !== 7 || cells.includes(''))).toEqual([]);
    expect(rows.map(({ number }) => Number(number))).toEqual(rows.map((_, i) => i + 1));
  });

  it('names a test in a test file', () => {
    const wrong = rows.filter(
      ({ file, title }) =>
        !file.endsWith('.test.ts') || title.length < 10 || testsOf(file, title) === '',
    );
    expect(wrong).toEqual([]);
  });

  it('names a test that expects the rule of the row, or what the kernel logs with its errno', () => {
    const wrong = rows
      .filter(({ file }) => file !== HERE)
      .filter(({ where, rule, errno, message, file, title }) => {
        const line = message === '-' ? 'nothing is logged' : message;
        const expected = where.startsWith(PROGRAM_LOAD)
          ? [`\${${errno === 'EINVAL' ? 'REFUSED' : errno}}${line}`]
          : ruleNames.filter((one) => one.rule === rule).map(({ name }) => name);
        return !expected.some((text) => testsOf(file, title).includes(text));
      });
    expect(wrong).toEqual([]);
  });

  it('has each of our rules, as it is, but for one that no blob breaks', () => {
    const ours: readonly KernelRule[] = [
      BLOB_RULES,
      META_RULES,
      REFERENCE_RULES,
      FIELD_RULES,
      MAP_RULES,
    ].flatMap((rules) => Object.values(rules));
    const line = (rule: string, errno: string, message: string) =>
      [errno, message, rule].join('\t');
    const listed = rows
      .filter(({ where }) => !where.startsWith(PROGRAM_LOAD))
      .map(({ rule, errno, message }) => line(rule, errno, message));
    const wanted = ours
      .filter((rule) => rule !== FIELD_RULES.end)
      .map(({ rule, errno, word }) => line(rule, errno, word || '-'));
    expect([...new Set(listed)].sort()).toEqual([...new Set(wanted)].sort());
  });

  it('breaks the rule of each row in its function', () => {
    const listed = rows
      .filter(({ file }) => file === HERE)
      .map(({ where, errno, message, rule }) => [where, errno, message, rule].join('\t'));
    expect([...listed].sort()).toEqual([...new Set(told)].sort());
  });
});
