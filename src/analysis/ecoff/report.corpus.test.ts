/** Compares report and groups of corpus files with the output of an independent reader. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Issue } from '#bytes/issue.ts';
import { readEcoff } from '#formats/ecoff/ecoff-file.ts';
import { compressionReport } from '#testing/all-at-once.ts';
import { atLeast, corpusPath, isLargeCorpus, readCorpusText } from '#testing/corpus.ts';
import { JsonRow } from '#testing/json-row.ts';
import { groupIssues, groupsOf } from './groups.ts';
import { restrictionIssues } from './lint.ts';
import { ecoffReport } from './report.ts';
import { reportJson } from './report-value.ts';

const names = readdirSync(corpusPath('ecoff'))
  .filter((file) => file.endsWith('.expected.json'))
  .map((file) => file.replace('.expected.json', ''));

/** Parses JSON; numbers that a double cannot represent become strings, to compare all digits. */
function exact(json: string): JsonRow {
  return JsonRow.parse(json.replace(/([:[,]\s*)(-?\d{16,})(?=[\s,}\]])/g, '$1"$2"'));
}

function bytesOf(name: string): Uint8Array {
  const object = corpusPath(`ecoff/${name}.o`);
  return readFileSync(existsSync(object) ? object : corpusPath(`ecoff/${name}`));
}

/** Keys of the expected report that are compared. */
const KEYS = [
  'file_size',
  'filehdr',
  'aouthdr',
  'sections',
  'symbolic_header',
  'externals',
  'relocations',
  'comment',
];

describe('the report of an eCOFF file in the corpus', () => {
  it('has samples', () => {
    expect(names.length).toBeGreaterThan(atLeast({ large: 30, testdata: 5 }));
  });

  it.each(names)('%s', (name) => {
    const issues: Issue[] = [];
    const bytes = bytesOf(name);
    const file = readEcoff(bytes, issues);
    const expected = exact(readCorpusText(`ecoff/${name}.expected.json`));
    if (file === null) throw new Error(`${name} was not read: ${issues[0]?.message}`);

    if (expected.has('expands_to')) {
      const plain = bytesOf(expected.text('expands_to').replace('.o', ''));
      expect(file.bytes).toEqual(new Uint8Array(plain));
      expect(compressionReport(file)).toEqual({
        uncompressed_size: expected.number('uncompressed_size'),
        compressed_stream_offset: expected.number('compressed_stream_offset'),
      });
      return;
    }
    const ours = exact(reportJson(ecoffReport(file)));
    if (expected.has('truncated')) {
      expect(issues.length).toBeGreaterThan(0);
      for (const { span } of issues) expect(span?.end).toBe(bytes.length);
      const header = Object.fromEntries(ours.row('filehdr').fields);
      expect(header).toMatchObject(Object.fromEntries(expected.row('filehdr').fields));
      return;
    }
    for (const key of KEYS) {
      if (!expected.fields.has(key)) continue;
      const found = { [key]: ours.fields.get(key) };
      if (isLargeCorpus) expect(found).toEqual({ [key]: expected.fields.get(key) });
      // The reader for testdata/ writes neither flag names nor the symbolic header.
      else expect(found).toMatchObject({ [key]: expected.fields.get(key) });
    }
    expect(issues).toEqual([]);
    const found = file.relocations.flatMap((table) =>
      groupIssues(table, file.sections[table.section]?.name ?? '', groupsOf(file, table)),
    );
    expect(found.length > 0).toBe(expected.has('malformed'));
    if (expected.has('malformed')) return;
    for (const table of file.relocations) expect(restrictionIssues(file, table)).toEqual([]);
  });
});
