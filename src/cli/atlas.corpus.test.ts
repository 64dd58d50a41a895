/** Tests of an atlas of all kernels of the large corpus: questions, extracted kernels, sizes. */
import { describe, expect, it } from 'vitest';
import { RecordArchive } from '#analysis/atlas/extract.ts';
import { itemsByName, type NameHistory, nameHistory } from '#analysis/atlas/history.ts';
import { bufferSource } from '#bytes/source.ts';
import { AtlasFile } from '#formats/atlas/atlas-file.ts';
import type { EntryKindName } from '#formats/atlas/entry.ts';
import { isLargeCorpus, readCorpusFile, readCorpusText } from '#testing/corpus.ts';
import { runCommand } from '#testing/run-command.ts';
import { isLong } from '#testing/runs.ts';

type Answer = {
  kernels: Record<string, Record<string, unknown>>;
  layouts?: Record<string, string[]>;
};

type Asked = {
  readonly ask: string;
  readonly name: string;
  readonly member?: string;
  readonly enumerator?: string;
};

const KINDS: Readonly<Record<string, readonly EntryKindName[]>> = {
  member: ['struct', 'union'],
  enumerator: ['enum'],
};

type Answered = { id: number; answer: Answer };

function kernelBtf(id: string): Uint8Array {
  const name = `vmlinux-${id}.btf`;
  return readCorpusFile({ id, name, file: `kernels/${name}.zst` });
}

/** Removes layout ids, which may differ between atlases. The groups of kernels may not differ. */
function withoutIds({ kernels, layouts, ...rest }: Answer) {
  const groups = Object.values(layouts ?? {}).map((group) => group.join());
  const plain = Object.entries(kernels).map(([name, { layout: _, ...answer }]) => [name, answer]);
  return { ...rest, kernels: Object.fromEntries(plain), layouts: groups.sort() };
}

/**
 * Returns the answer to a question, derived from the history that the page shows. Fields that the
 * history lacks are omitted.
 */
function fromHistory({ ask, name, member, enumerator }: Asked, history: NameHistory | null) {
  const item = member ?? enumerator;
  const kernels = new Map<number, Record<string, unknown>>();
  for (const form of history?.forms ?? []) {
    const found = item === undefined ? null : itemsByName(form).get(item);
    if (found === undefined) continue;
    const answer =
      ask === 'member'
        ? { bit_offset: found?.bitOffset, bits: found?.bits }
        : ask === 'enumerator'
          ? { value: found?.text.replace('= ', '') }
          : ask === 'func'
            ? { prototype: form.title }
            : { size: form.size };
    for (const kernel of form.kernels) kernels.set(kernel, answer);
  }
  return { name, kernels };
}

/** Returns the corpus's answer in the form that `fromHistory` returns. */
function expected({ answer }: Answered, { ask }: Asked, names: readonly string[]) {
  const fields = { member: ['bit_offset', 'bits'], enumerator: ['value'], func: ['prototype'] };
  const kept: readonly string[] = fields[ask as keyof typeof fields] ?? ['size'];
  const kernels = new Map<number, Record<string, unknown>>();
  for (const [kernel, name] of names.entries()) {
    const found = answer.kernels[name];
    if (found === undefined) continue;
    const own = kept.map((key) => [key, key === 'value' ? `${found[key]}` : found[key]]);
    kernels.set(kernel, Object.fromEntries(own));
  }
  return kernels;
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
    const asks = new Map(questions.map(({ id }, i) => [id, asked.split('\n')[i] ?? '']));
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
    // The page reads the atlas file that the command wrote.
    const small22 = all.get('q.btfatlas') ?? new Uint8Array(0);
    const page = await AtlasFile.open(bufferSource('q', small22));
    const names = page.directory.kernels.map(({ name }) => name);
    for (const question of questions) {
      const asked: Asked = JSON.parse(asks.get(question.id) ?? '');
      const kinds = KINDS[asked.ask] ?? [asked.ask as EntryKindName];
      const history = await nameHistory(page, asked.name, kinds);
      expect(fromHistory(asked, history).kernels, asked.name).toEqual(
        expected(question, asked, names),
      );
    }
    const bytes = all.get('a.btfatlas') ?? new Uint8Array(0);
    const archive = await RecordArchive.open(await AtlasFile.open(bufferSource('a', bytes)));
    for (const [i, id] of ids.entries()) {
      const btf = kernels.get(id) ?? new Uint8Array(0);
      expect(Buffer.from(await archive.btf(i)).equals(btf), id).toBe(true);
    }
  });
});
