/** An atlas of all kernels of the large corpus: every question, every kernel out again, sizes. */
import { describe, expect, it } from 'vitest';
import { RecordArchive } from '#analysis/atlas/extract.ts';
import { bufferSource } from '#bytes/source.ts';
import { AtlasFile } from '#formats/atlas/atlas-file.ts';
import { isLargeCorpus, readCorpusFile, readCorpusText } from '#testing/corpus.ts';
import { runCommand } from '#testing/run-command.ts';
import { isLong } from '#testing/runs.ts';

type Answer = {
  kernels: Record<string, Record<string, unknown>>;
  layouts?: Record<string, string[]>;
};

type Answered = { id: number; answer: Answer };

function kernelBtf(id: string): Uint8Array {
  const name = `vmlinux-${id}.btf`;
  return readCorpusFile({ id, name, file: `kernels/${name}.zst` });
}

/** Ids of layouts may be others: which kernels have one layout may not. */
function withoutIds({ kernels, layouts, ...rest }: Answer) {
  const groups = Object.values(layouts ?? {}).map((group) => group.join());
  const plain = Object.entries(kernels).map(([name, { layout: _, ...answer }]) => [name, answer]);
  return { ...rest, kernels: Object.fromEntries(plain), layouts: groups.sort() };
}

describe.skipIf(!isLargeCorpus || !isLong)('an atlas of the kernels of the large corpus', () => {
  it('answers each question, gives back each kernel and is small', {
    timeout: 600_000,
  }, async () => {
    const ids: string[] = JSON.parse(readCorpusText('atlas/kernels.json'));
    const kernels = new Map(ids.map((id) => [id, kernelBtf(id)]));
    const files = new Map(Array.from(kernels, ([id, btf]) => [`k/vmlinux-${id}.btf`, btf]));
    const lines = readCorpusText('atlas/questions.jsonl').trimEnd().split('\n');
    const questions = lines.map((line): Answered => JSON.parse(line));
    const asked = questions
      .map(({ answer: _, ...question }) => JSON.stringify(question))
      .join('\n');
    files.set('q.jsonl', new TextEncoder().encode(asked));
    const small = await runCommand(
      ['atlas', 'build', 'q.btfatlas', 'k', '--questions-only'],
      files,
    );
    const whole = await runCommand(['atlas', 'build', 'a.btfatlas', 'k'], files);
    const all = new Map([...files, ...small.saved, ...whole.saved]);
    expect(all.get('q.btfatlas')?.length).toBeLessThan(4_000_000);
    expect(all.get('a.btfatlas')?.length).toBeLessThan(9_000_000);
    const { out } = await runCommand(['atlas', 'ask', 'q.btfatlas', '--batch', 'q.jsonl'], all);
    const answers = out
      .trimEnd()
      .split('\n')
      .map((line): Answered => JSON.parse(line));
    expect(answers).toHaveLength(244);
    for (const [i, { id, answer }] of answers.entries()) {
      expect(id).toBe(questions[i]?.id);
      expect(withoutIds(answer)).toEqual(withoutIds(questions[i]?.answer ?? { kernels: {} }));
    }
    const bytes = all.get('a.btfatlas') ?? new Uint8Array(0);
    const archive = await RecordArchive.open(await AtlasFile.open(bufferSource('a', bytes)));
    for (const [i, id] of ids.entries()) {
      const btf = kernels.get(id) ?? new Uint8Array(0);
      expect(Buffer.from(await archive.btf(i)).equals(btf), id).toBe(true);
    }
  });
});
