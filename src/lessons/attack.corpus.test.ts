/** Checks that `readLesson` refuses lessons that would make the Markdown parser slow. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { corpusPath, isLargeCorpus } from '#testing/corpus.ts';
import { readLesson } from './read-lesson.ts';

const files = isLargeCorpus
  ? readdirSync(corpusPath('attack')).filter((name) => /^lesson-.*\.md$/.test(name))
  : [];

describe.skipIf(!isLargeCorpus)('an attack lesson of the corpus', () => {
  it('is there', () => {
    expect(files).not.toEqual([]);
  });

  it.each(files)('%s', (name) => {
    const { lesson, problems } = readLesson(readFileSync(corpusPath(`attack/${name}`), 'utf8'));
    expect(lesson).toBeNull();
    expect(problems).toEqual([
      expect.objectContaining({
        message: expect.stringMatching(/too many marks|nested too deeply/),
      }),
    ]);
  });
});
