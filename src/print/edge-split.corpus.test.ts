/** Tests the corpus's split BTF edge cases: opened on their base, printed as bpftool -B does. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ObjectModel } from '#model/object-model.ts';
import {
  corpusEdges,
  corpusPath,
  type EdgeRow,
  readCorpusFile,
  readCorpusText,
} from '#testing/corpus.ts';
import { openModel } from '#testing/open-model.ts';
import { writeRaw } from './btf-dump.ts';
import { gathered } from './byte-text.ts';

const rows = corpusEdges();

/** Opens a file as a user does: after its base, which may itself have a base. */
async function openOnBase(row: EdgeRow): Promise<ObjectModel> {
  const base = rows.find(({ name }) => name === row.base);
  const types = base === undefined ? null : (await openOnBase(base)).types;
  const options = types === null ? {} : { base: types, baseName: row.base ?? '' };
  return await openModel(row.name, readCorpusFile(row), options);
}

const goldenOf = (row: EdgeRow) => `edge/goldens/${row.name.replace(/\.btf$/, '')}.raw.txt`;

describe('split rows of the edge table', () => {
  it.each(rows.filter(({ base }) => base !== null).map((row) => [row.name, row] as const))(
    '%s has its own types on its base',
    async (_name, row) => {
      const { types, splitBase } = await openOnBase(row);
      if (types === null || splitBase === null) throw new Error('it is split BTF');
      // The wrong base has more types and strings than the right base: it cannot be detected.
      expect(
        splitBase.refusal === null || row.row.text('what').includes('the same split bytes'),
      ).toBe(true);
      if (row.types !== null) expect(types.count).toBe(row.types);
      if (row.row.has('first_id')) expect(types.firstId).toBe(row.row.number('first_id'));
      const golden = goldenOf(row);
      if (splitBase.refusal !== null || !existsSync(corpusPath(golden))) return;
      const text = gathered((out) => {
        for (const _ of writeRaw(types, out)) {
          // The yields are ignored: the test needs no pauses.
        }
      });
      expect(Buffer.from(text).toString()).toBe(readCorpusText(golden));
    },
  );
});
