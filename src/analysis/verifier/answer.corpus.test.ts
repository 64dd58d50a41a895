/** Compares the answers for the large corpus' refused programs with what was decided by hand. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ObjectModel } from '#model/object-model.ts';
import type { TypeTable } from '#model/type-table.ts';
import { corpusPath, corpusRows, isLargeCorpus, readCorpusFile } from '#testing/corpus.ts';
import type { JsonRow } from '#testing/json-row.ts';
import { openModel } from '#testing/open-model.ts';
import { logTable } from '#testing/verifier-logs.ts';
import { type Answer, answerFor } from './answer.ts';
import type { TypedValue } from './typed-value.ts';

const ROOT = 'verifier';

/** Returns a file, unpacked if only its packed form is in the corpus; null if neither is. */
function bytesOf(file: string): Uint8Array | null {
  for (const packed of [`${ROOT}/${file}`, `${ROOT}/${file}.zst`]) {
    const entry = { id: file, name: file, file: packed };
    if (existsSync(corpusPath(packed))) return readCorpusFile(entry);
  }
  return null;
}

const KERNEL = 'kernel/vmlinux-6.18.44.btf';

const WHATS = ['insn', 'register', 'line', 'blame', 'chain', 'sentence', 'type'] as const;

type Counts = Record<(typeof WHATS)[number], number>;

/** Fields of a row of truth, and of the answer, that must be equal. */
function compared(row: JsonRow, answer: Answer): [keyof Counts, unknown, unknown][] {
  const { error, blame, chain } = answer;
  return [
    ['insn', error?.insn ?? null, numberOrNull(row, 'fail_insn')],
    ['register', error?.register ?? null, textOrNull(row, 'register_or_slot')],
    ['line', error?.source?.line ?? null, numberOrNull(row, 'fail_line_info')],
    ['blame', blame?.insn ?? null, numberOrNull(row, 'blame_insn')],
    ['chain', chain.join(), row.numbers('chain').join()],
    ['sentence', missingWords(row, answer), ''],
    ['type', answer.type && typeText(answer.type), textOrNull(row, 'type') && firstType(row)],
  ];
}

const typeText = ({ name, member }: TypedValue) => [name, member ?? []].flat().join(' . ');

/** Returns the first struct and member of the truth, without the note behind; else the text. */
function firstType(row: JsonRow): string {
  const text = row.text('type');
  return /^struct \w+(?: \. \w+)?/.exec(text)?.[0] ?? text;
}

/** Returns what of the truth is not in the sentence of the cause. */
function missingWords(row: JsonRow, { cause }: Answer): string {
  const register = textOrNull(row, 'register_or_slot');
  const insns = [numberOrNull(row, 'fail_insn'), numberOrNull(row, 'blame_insn')];
  const line = numberOrNull(row, 'fail_line_info');
  const wanted = [
    ...(register === null || register === 'ref' ? [] : [register]),
    ...insns.filter((insn) => insn !== null).map((insn) => `instruction ${insn}`),
    ...(line === null ? [] : [`:${line}`]),
  ];
  const isIn = (word: string) => new RegExp(`${word}(?!\\d)`, 'i').test(cause);
  return wanted.filter((word) => !isIn(word)).join();
}

function numberOrNull(row: JsonRow, key: string): number | null {
  return row.has(key) ? row.number(key) : null;
}

function textOrNull(row: JsonRow, key: string): string | null {
  return row.has(key) ? row.text(key) : null;
}

async function countsOf(level: string): Promise<{ counts: Counts; all: number; wrong: string[] }> {
  const zeros = { insn: 0, register: 0, line: 0, blame: 0, chain: 0, sentence: 0, type: 0 };
  const counts: Counts = zeros;
  const kernel = await typesOf(KERNEL);
  const wrong: string[] = [];
  let all = 0;
  for (const row of corpusRows(`${ROOT}/truth.jsonl`)) {
    const id = row.text('id');
    const log = bytesOf(`logs/${id}.${level}`);
    const file = bytesOf(`objects/${id}.o`);
    if (log === null || file === null) continue;
    const table = logTable(log);
    const part = table.parts.find(({ kind }) => kind === 'verifier');
    if (part === undefined) continue;
    all++;
    const object: ObjectModel = await openModel(`${id}.o`, file);
    const bytes = slotsOf(bytesOf(`logs/${id}.insns.hex`));
    const code =
      bytes === null ? null : { bytes, endian: 'little' as const, parts: [], externs: new Map() };
    const answer = answerFor(table, part, { object, program: null, kernel, code });
    for (const [what, one, other] of compared(row, answer)) {
      if (one === other) counts[what]++;
      else wrong.push(`${id} ${what}: ${one}, not ${other}`);
    }
  }
  return { counts, all, wrong };
}

/** Returns the bytes of a listing in hexadecimal, one instruction a line. */
function slotsOf(listing: Uint8Array | null): Uint8Array | null {
  if (listing === null) return null;
  const digits = new TextDecoder().decode(listing).replaceAll(/\s/g, '');
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

async function typesOf(file: string): Promise<TypeTable> {
  const bytes = bytesOf(file);
  const { types } = await openModel('vmlinux.btf', bytes ?? new Uint8Array());
  if (types === null) throw new Error(`no types in ${file}`);
  return types;
}

describe.runIf(isLargeCorpus)('answers for the refused programs of the corpus', () => {
  it.each(['l1.log', 'l2.log', 'libbpf.txt'])(
    'are as decided by hand: %s',
    {
      timeout: 120_000,
    },
    async (level) => {
      const { counts, all, wrong } = await countsOf(level);
      expect(all).toBeGreaterThan(90);
      for (const what of WHATS) {
        const least = what === 'type' ? 0.89 : 0.96;
        expect(counts[what] / all, `${what}\n${wrong.join('\n')}`).toBeGreaterThanOrEqual(least);
      }
    },
  );
});
