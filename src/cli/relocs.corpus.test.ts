/** Tests `relocs --json` and `--listing` on every eCOFF file of the corpus, malformed files too. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { corpusPath, isLargeCorpus, readCorpusText } from '#testing/corpus.ts';
import { JsonRow } from '#testing/json-row.ts';
import { runCommand } from '#testing/run-command.ts';

const names = readdirSync(corpusPath('ecoff'))
  .filter((file) => file.endsWith('.expected.json'))
  .map((file) => file.replace('.expected.json', ''));

function relocs(name: string, option: string) {
  const object = corpusPath(`ecoff/${name}.o`);
  const bytes = readFileSync(existsSync(object) ? object : corpusPath(`ecoff/${name}`));
  return runCommand(['relocs', name, option], new Map([[name, new Uint8Array(bytes)]]));
}

/** Parses JSON. Numbers of 16 and more digits, which a double may not represent, become strings. */
function exact(json: string): JsonRow {
  return JsonRow.parse(json.replace(/([:[,]\s*)(-?\d{16,})(?=[\s,}\]])/g, '$1"$2"'));
}

describe('relocs of eCOFF files', () => {
  it.skipIf(!isLargeCorpus).each(names)(
    '%s: entries and groups as JSON, or one line that says why not',
    async (name) => {
      const expected = exact(readCorpusText(`ecoff/${name}.expected.json`));
      const { status, out, err } = await relocs(name, '--json');
      if (status !== 0) {
        expect(expected.has('truncated')).toBe(true);
        expect({ status, lines: err.length }).toEqual({ status: 1, lines: 1 });
        return;
      }
      if (!expected.has('relocations') || expected.has('truncated')) return;
      expect({ relocations: exact(out).fields.get('relocations') }).toEqual({
        relocations: expected.fields.get('relocations'),
      });
    },
  );

  it.skipIf(!isLargeCorpus).each(names)('%s: the listing of the document', async (name) => {
    const { status, out } = await relocs(name, '--listing');
    const path = corpusPath(`ecoff/${name}.listing.txt`);
    if (!existsSync(path)) return;
    expect(status).toBe(0);
    expect(out).toBe(readCorpusText(`ecoff/${name}.listing.txt`));
  });
});

it('has no listing for other formats', async () => {
  const { status, err } = await runCommand(['relocs', 'doc_call.bpf.o', '--listing']);
  expect({ status, err }).toEqual({
    status: 1,
    err: ['btfscope: doc_call.bpf.o is not an eCOFF object'],
  });
});
