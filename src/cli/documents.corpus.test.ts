/**
 * Compares TYPE_MATCHES of `btfscope core` with the C text of both types: each member must be in the
 * target with the same text, each enumerator by its name. Source: libbpf 1.8, relo_core.c:
 * __bpf_core_types_match, which compares names of integers and lengths of arrays.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { corpusPath, isLargeCorpus } from '#testing/corpus.ts';
import { JsonRow } from '#testing/json-row.ts';
import { runCommand } from '#testing/run-command.ts';

const PAIRS = [
  ['n1.o', 'n2.o'],
  ['m_local.o', 'm_tgt.o'],
] as const;

/** Returns the lines between the braces of a type in bpftool's C, without the values of enums. */
function bodyOf(text: string, name: string): string[] {
  const [, body = ''] = new RegExp(`^\\w+ ${name} \\{\\n(.*?)^\\}`, 'ms').exec(text) ?? [];
  return body.split('\n').map((line) => line.replace(/ = .*/, ','));
}

describe.skipIf(!isLargeCorpus)('TYPE_MATCHES of the documents', () => {
  it.each(PAIRS)('of %s on %s compares the text of members', async (local, target) => {
    const files = new Map(
      [local, target].map((name) => [name, readFileSync(corpusPath(`documents/${name}`))]),
    );
    const { out } = await runCommand(['core', local, '--target', target, '--json'], files);
    const [here, there] = await Promise.all(
      [local, target].map(async (name) => (await runCommand(['c', name], files)).out),
    );
    const all: readonly Readonly<Record<string, unknown>>[] = JSON.parse(out);
    const rows = all
      .map((row) => new JsonRow(row))
      .filter((row) => row.text('kind') === 'type_matches');
    expect(rows.length).toBeGreaterThan(1);
    for (const row of rows) {
      const name = row.text('local_root_name');
      const wanted = bodyOf(here ?? '', name);
      const found = new Set(bodyOf(there ?? '', name));
      const isMatch = wanted.length > 1 && wanted.every((line) => found.has(line));
      expect([name, row.text('new_val')]).toEqual([name, isMatch ? '1' : '0']);
    }
  });
});
