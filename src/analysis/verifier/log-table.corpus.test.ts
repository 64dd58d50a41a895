/** Reads real logs of nine kernels: all lines' classes and fields, and the blocks of Linux 7.3. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { DiagnosticBlock, Place } from '#formats/verifier-log/diagnostic-block.ts';
import { corpusPath, corpusRows, isLargeCorpus, readCorpusFile } from '#testing/corpus.ts';
import { KERNELS, logsOfKernel } from '#testing/kernel-logs.ts';
import { logTable } from '#testing/verifier-logs.ts';
import { lineRow } from './line-row.ts';
import type { LogTable } from './log-table.ts';

const MINUTE = 60_000;
const FOLDER = 'verifier';
function readLog(name: string): Uint8Array {
  const file = `${FOLDER}/${name}`;
  const isPlain = existsSync(corpusPath(file));
  return readCorpusFile({ id: name, name, file: isPlain ? file : `${file}.zst` });
}

/** Returns the fields of a row that a line has, without what other modules find. */
function expectedFields(fields: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const row: Record<string, unknown> = Object.fromEntries(fields);
  delete row.log;
  delete row.format;
  // The rows keep the separator of an empty state in the text of the instruction.
  if (row.class === 'insn' && typeof row.text === 'string') row.text = row.text.replace(/ +;$/, '');
  return row;
}

const verdictWanted = (rc: number) => (rc < 0 ? 'rejected' : 'accepted');

describe.runIf(isLargeCorpus)('logs of real kernels', () => {
  it(
    'have the class and all fields of each line',
    () => {
      let rows = 0;
      let name = '';
      let table: LogTable | null = null;
      const wrong: unknown[] = [];
      for (const row of corpusRows(`${FOLDER}/states.jsonl.zst`)) {
        if (table === null || row.text('log') !== name) {
          name = row.text('log');
          table = logTable(readLog(name));
        }
        rows += 1;
        const n = row.number('n');
        const line = lineRow(n, table.line(n - 1));
        const wanted = expectedFields(row.fields);
        if (JSON.stringify(sorted(line)) !== JSON.stringify(sorted(wanted))) {
          wrong.push({ name, line, wanted });
        }
      }
      expect(wrong.slice(0, 5)).toEqual([]);
      expect(rows).toBeGreaterThan(20_000);
    },
    5 * MINUTE,
  );

  it.each(KERNELS)(
    'of %s have a class for every line, and the verdict of the load',
    async (kernel) => {
      const loads = new Map<string, number>();
      for (const row of corpusRows(`${FOLDER}/other-kernels/${kernel}/loads.jsonl`)) {
        const fix = row.text('variant') === 'fix' ? '.fix' : '';
        loads.set(`${row.text('id')}${fix}.l${row.text('level')}`, row.number('rc'));
      }
      let logs = 0;
      let unknown = 0;
      const wrong: string[] = [];
      for (const archive of ['logs', 'load-logs']) {
        for await (const { name, log } of logsOfKernel(kernel, archive)) {
          const table = logTable(log);
          logs += 1;
          unknown += table.unknownCount;
          const [part, ...others] = table.parts;
          if (part?.kind !== 'verifier' || others.length > 0) wrong.push(`${name}: parts`);
          const rc = loads.get(name.replace(/^.*\//, '').replace(/\.log$/, ''));
          if (part === undefined || part.verdict === 'cut' || rc === undefined) continue;
          if (part.verdict !== verdictWanted(rc)) wrong.push(`${name}: ${part.verdict}`);
        }
      }
      expect(wrong).toEqual([]);
      // The first line of a log whose start was cut.
      expect(unknown).toBeLessThanOrEqual(1);
      expect(logs).toBeGreaterThan(450);
    },
    MINUTE,
  );

  it(
    'of 7.3 have their blocks as structures',
    async () => {
      const blocks: DiagnosticBlock[] = [];
      for await (const { log } of logsOfKernel('7.3.4', 'logs')) {
        for (const { block } of logTable(log).parts) if (block !== null) blocks.push(block);
      }
      expect(blocks.length).toBeGreaterThan(100);
      for (const block of blocks) expectWhole(block);
      const orders = new Set(blocks.map(({ sections }) => sections.join()));
      expect([...orders].filter((order) => !ORDERS.includes(order))).toEqual([]);
    },
    MINUTE,
  );
});

/** Orders of a block's sections. */
const ORDERS = [
  'Reason,At,Causal path,Suggestion',
  'Reason,At,Suggestion',
  'Reason,At,Active lock,Suggestion',
];

const LABELS = [
  ...['error', 'update', 'branch', 'context', 'acquired', 'released', 'invalidated', 'spilled'],
];

function expectWhole(block: DiagnosticBlock): void {
  expect(block.reason).toMatch(/\.$/);
  expect(block.suggestion).toMatch(/\.$/);
  expect(block.problem).toMatch(/^[A-Z0-9]/);
  expect(block.category).toMatch(/Safety$|^Program Structure$|^Policy$/);
  expect(block.at?.label).toBe('error');
  const places: readonly (Place | null)[] = [block.at, block.activeLock, ...block.causalPath];
  for (const place of places) {
    if (place === null) continue;
    expect(LABELS).toContain(place.label);
    expect(place.message).not.toBe('');
    expect(place.insn).not.toBeNull();
    expect([0, 5]).toContain(place.source.length);
    expect(place.file === null).toBe(place.source.length === 0);
    expect(place.insns.filter(({ isMarked }) => isMarked)).toHaveLength(1);
  }
  const hasPath = block.sections.includes('Causal path');
  expect(block.causalPath.length + block.pathNotes.length > 0).toBe(hasPath);
}

/** Returns a value whose objects have their keys in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]));
}
