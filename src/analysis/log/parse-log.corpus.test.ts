/** Reads all lines of libbpf for the corpus, and all errors of the kernel for a BTF blob. */
import { describe, expect, it } from 'vitest';
import { parseLog } from '#testing/all-at-once.ts';
import { ORACLE_PARTS } from '#testing/core-oracle.ts';
import { atLeast, corpusRows, readCorpusText } from '#testing/corpus.ts';
import type { JsonRow } from '#testing/json-row.ts';
import { JsonRow as Row } from '#testing/json-row.ts';
import { explainLine } from './explain.ts';
import type { LogEvent, LogLine } from './log-line.ts';

const MINUTE = 60_000;

function key(row: JsonRow): string {
  return `${row.text('object')} ${row.text('target')} ${row.number('global_index')}`;
}

type Find = <const E extends LogEvent['event']>(event: E) => Extract<LogEvent, { event: E }> | null;

function finder(lines: readonly LogLine[]): Find {
  return <const E extends LogEvent['event']>(wanted: E) => {
    const is = (event: LogEvent | null): event is Extract<LogEvent, { event: E }> =>
      event?.event === wanted;
    for (const { event } of lines) if (is(event)) return event;
    return null;
  };
}

/** Returns how the lines differ from the row of the corpus; empty if they agree. */
function disagreement(row: JsonRow, lines: readonly LogLine[]): string {
  const find = finder(lines);
  const spec = find('spec')?.spec;
  const said: [string, unknown, unknown][] = [];
  if (spec !== undefined) {
    said.push(
      ['kind', spec.kind, row.number('kind_num')],
      ['type', spec.typeId, row.number('local_type_id')],
      ['type kind', spec.typeKind, row.text('local_kind')],
    );
    const whole = new TextEncoder().encode(row.text('spec_text')).length < 255;
    if (whole) said.push(['name', spec.typeName, row.text('local_root_name')]);
    if (whole && spec.enumerator === null) {
      said.push(['access string', spec.accessStr, row.text('access_str')]);
    }
  }
  const candidates = lines.flatMap(({ event }) => (event?.event === 'candidate' ? [event] : []));
  if (!row.has('resolve_err')) {
    const matched = candidates.filter((one) => one.matches).map((one) => one.spec.typeId);
    said.push(['matched', matched.join(), row.numbers('matched').join()]);
  }
  const patched = find('patched');
  if (patched !== null && patched.field !== 'mem_sz') {
    const bits = patched.field === 'imm64' ? 64 : 32;
    const value = (text: string) => BigInt.asUintN(bits, BigInt(text));
    said.push(
      ['insn', patched.insnIndex, row.number('prog_insn')],
      ['new value', BigInt.asUintN(bits, patched.to), value(row.text('new_val'))],
    );
  }
  const wrong = said.find(([, one, other]) => one !== other);
  return wrong === undefined ? '' : `${key(row)}: ${wrong.join(' ')}`;
}

describe('logs of the corpus', () => {
  it.each(ORACLE_PARTS)(
    'every line of %s is recognised, with the meaning of its row',
    (part) => {
      const rows = new Map<string, JsonRow>();
      for (const row of corpusRows(`core-oracle/${part}.jsonl.zst`)) rows.set(key(row), row);
      const unknown: string[] = [];
      const wrong: string[] = [];
      let count = 0;
      for (const entry of corpusRows(`core-oracle/logs/${part}.jsonl.zst`)) {
        const { lines } = parseLog(entry.text('log'));
        const row = rows.get(key(entry));
        if (row === undefined) throw new Error(`no row ${key(entry)}`);
        for (const line of lines) {
          count += 1;
          if (line.source !== 'libbpf' || line.event === null) unknown.push(line.text);
          else if (explainLine(line) === '') unknown.push(`no sentence: ${line.text}`);
          if (line.prog !== null && line.prog !== row.text('prog')) wrong.push(line.text);
          if (line.reloIndex !== null && line.reloIndex !== row.number('relo_index')) {
            wrong.push(line.text);
          }
        }
        const fault = disagreement(row, lines);
        if (fault !== '') wrong.push(fault);
      }
      expect(unknown.slice(0, 10)).toEqual([]);
      expect(wrong.slice(0, 10)).toEqual([]);
      expect(count).toBeGreaterThan(atLeast({ large: 1000, testdata: 500 }));
    },
    MINUTE,
  );

  it(
    'refusals of BTF by the kernel name the type and the error',
    () => {
      const all: unknown = JSON.parse(readCorpusText('validity/validity.json.zst'));
      if (!Array.isArray(all)) throw new Error('validity.json is a list');
      const wrong: string[] = [];
      let count = 0;
      for (const one of all) {
        const row = new Row(one);
        if (row.text('verdict') === 'ok' || !row.has('error_word') || row.text('error_word') === '')
          continue;
        const { lines } = parseLog(row.texts('log_tail').join('\n'));
        const event = lines.at(-1)?.event ?? null;
        count += 1;
        const found = event?.event === 'btf-error' ? event : null;
        const typeId = row.has('error_type_id') ? row.number('error_type_id') : null;
        if (found === null || found.error !== row.text('error_word')) {
          wrong.push(`${row.text('error_line')}: ${found?.error}`);
        } else if (found.typeId !== null && found.typeId !== typeId) {
          wrong.push(`${row.text('error_line')}: type ${found.typeId}, not ${typeId}`);
        }
      }
      expect(wrong.slice(0, 10)).toEqual([]);
      expect(count).toBeGreaterThan(1000);
    },
    MINUTE,
  );
});
