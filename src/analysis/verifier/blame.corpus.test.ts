/** Compares blame and chains with the origins that people decided on, and walks with real logs. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readInsnText } from '#formats/verifier-log/insn-text.ts';
import { corpusPath, corpusRows, isLargeCorpus, readCorpusFile } from '#testing/corpus.ts';
import type { JsonRow } from '#testing/json-row.ts';
import { walkOfText } from '#testing/verifier-walks.ts';
import { type BlameHint, blameFor } from './blame.ts';
import type { Question } from './question.ts';

const MINUTE = 60_000;

/** The question of a message; the first form that matches decides. */
const QUESTIONS: readonly (readonly [RegExp, Question])[] = [
  [/!read_ok/, 'uninitialised'],
  [
    /invalid access to (?:map value|memory)|negative access|zero offset|modified ctx|variable ctx|doesn't point to/,
    'offset',
  ],
  [/m(?:ax|in) value is|should have been in \[.*smin|has smin|makes .* pointer be out/, 'range'],
  [/math between .* and \d/, 'range'],
  [/unbounded|unknown scalar/, 'unbounded'],
  [/write into map/, 'value'],
  [
    /invalid write to stack|partial copy|frame pointer is|invalid bpf_context|misaligned|accessed directly|no write support/,
    'access',
  ],
  [
    /div by zero|invalid shift|jumps is too|of this type cannot|jump into|ld_imm64|unknown opcode|invalid func|calling kernel function/,
    'constant',
  ],
  [/mem access '.*or_null/, 'null'],
  [/must be a rcu|referenced or trusted|refcounted PTR/, 'trust'],
  [/access to packet|outside of the packet/, 'packet'],
  [/memory, len pair/, 'length'],
  [/invalid read from stack|an initialized (?:irq|dynptr|iter)/i, 'uninitialised'],
  [/corrupt spilled|overwrite referenced|uninitialized iter|restore irq state out/, 'slot'],
  [/reference/i, 'reference'],
  [/holding a lock|spin_lock-ed/, 'region-lock'],
  [/rcu_read_lock region/, 'region-rcu'],
  [/irq_save-ed/, 'region-irq'],
  [/infinite loop|program is too large/, 'loop'],
  [/must be held|no valid bpf_spin|without taking|unmatched/, 'missing'],
];

function readLog(id: string, level: number): string | null {
  for (const name of [`${id}.l${level}.log`, `${id}.p.l${level}.log`]) {
    for (const file of [`verifier/logs/${name}`, `verifier/logs/${name}.zst`]) {
      if (!existsSync(corpusPath(file))) continue;
      return new TextDecoder().decode(readCorpusFile({ id: name, name, file }));
    }
  }
  return null;
}

function hintOf(
  message: string,
  log: string,
  failing: number | null,
  isWalked: boolean,
): BlameHint {
  const named = /alloc_insn=(\d+)|insn_idx=(\d+)/.exec(`${message}\n${log}`);
  const insn = named === null ? undefined : Number(named[1] ?? named[2]);
  if (!isWalked && failing !== null) return { insn: failing };
  if (/max value/.test(message)) return { bound: 'max' };
  if (/min value/.test(message)) return { bound: 'min' };
  return insn === undefined ? {} : { insn };
}

type Expected = { insn: unknown; chain: unknown };

/** Returns what is blamed in a log, and what should be. */
function compared(row: JsonRow, log: string): { got: Expected; want: Expected } {
  const { fields } = row;
  const errors = fields.get('error_lines');
  const lines = Array.isArray(errors) ? errors.join('\n') : '';
  const message = String(fields.get('message') ?? (lines || log));
  const failing = fields.get('fail_insn');
  const named = fields.get('register_or_slot');
  const walk = walkOfText(log);
  const question = QUESTIONS.find(([form]) => form.test(message))?.[1] ?? 'value';
  const insn = typeof failing === 'number' ? failing : null;
  const step = (insn === null ? null : walk.lastStepOf(insn)) ?? walk.stepCount - 1;
  const register = typeof named === 'string' && named !== 'ref' ? named : null;
  const hint = hintOf(message, log, insn, step >= 0);
  const blame = blameFor(walk, step, register, question, hint);
  return {
    got: { insn: blame.insn, chain: blame.chain },
    want: { insn: fields.get('blame_insn'), chain: fields.get('chain') },
  };
}

describe.runIf(isLargeCorpus)('origins of refused values', () => {
  it.each([1, 2])(
    'are those that were decided by hand, at level %i',
    (level) => {
      const counts = { rows: 0, insns: 0, chains: 0 };
      const wrong: string[] = [];
      for (const row of corpusRows('verifier/truth.jsonl')) {
        const id = row.text('id');
        const log = readLog(id, level);
        if (log === null) continue;
        const { got, want } = compared(row, log);
        counts.rows += 1;
        if (got.insn === want.insn) counts.insns += 1;
        const isSame = JSON.stringify(got.chain) === JSON.stringify(want.chain);
        if (isSame) counts.chains += 1;
        if (got.insn !== want.insn || !isSame) wrong.push(id);
      }
      // A stack that is too large in all is of no instruction of the walk.
      expect(wrong).toEqual(['r_sub_stack_size']);
      expect(counts).toEqual({ rows: 96, insns: 95, chains: 95 });
    },
    5 * MINUTE,
  );

  it(
    'are searched in instructions that are all readable',
    () => {
      let rows = 0;
      const unread: string[] = [];
      for (const row of corpusRows('verifier/states.jsonl.zst', '"class": "insn"')) {
        rows += 1;
        if (readInsnText(row.text('text')) === null) unread.push(row.text('text'));
      }
      expect(unread).toEqual([]);
      expect(rows).toBeGreaterThan(5000);
    },
    5 * MINUTE,
  );
});
