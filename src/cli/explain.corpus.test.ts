/** Compares what `explain --json` prints for logs of the large corpus with what was decided by hand. */
import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { explainLog } from '#analysis/verifier/explain-log.ts';
import { bufferSource } from '#bytes/source.ts';
import { explainFields } from '#print/explain-text.ts';
import { corpusPath, corpusRows, isLargeCorpus, readCorpusFile } from '#testing/corpus.ts';
import { JsonRow } from '#testing/json-row.ts';
import { openModel } from '#testing/open-model.ts';
import { runCommand } from '#testing/run-command.ts';
import { logTable } from '#testing/verifier-logs.ts';

/** Returns a file, unpacked if only its packed form is in the corpus; null if neither is. */
function bytesOf(file: string): Uint8Array | null {
  for (const packed of [file, `${file}.zst`]) {
    if (existsSync(corpusPath(packed)))
      return readCorpusFile({ id: file, name: file, file: packed });
  }
  return null;
}

const ROOT = 'verifier';
const KERNEL = 'kernel/vmlinux-6.18.44.btf';

/** Returns what `explain` prints for a log beside an object and a kernel. */
async function printed(log: Uint8Array, name: string, bytes: Uint8Array, kernel: Kernel) {
  const model = await openModel(name, bytes);
  const source = bufferSource(name, bytes);
  const files = { model, kernels: [kernel] };
  const logs = await explainLog(logTable(log), { model, source }, files.kernels);
  return logs.map((one) => JsonRow.parse(JSON.stringify(explainFields('log', one, files))));
}

type Kernel = Parameters<typeof explainLog>[2][number];

async function kernelOf(file: string): Promise<Kernel> {
  const { types } = await openModel('vmlinux.btf', bytesOf(file) ?? new Uint8Array());
  if (types === null) throw new Error(`no types in ${file}`);
  return { name: 'vmlinux.btf', types };
}

/** Most logs of which a field may differ. */
const MOST = {
  ...{ logs: 1, verdict: 0, insn: 3, register: 2, blame: 3, chain: 3, place: 3 },
  // Of values that no pointer names, such as the stack and scalars, the type is not told.
  type: 16,
};
const FIELDS = ['logs', 'verdict', 'insn', 'register', 'blame', 'chain', 'type', 'place'] as const;

/** Names of the logs of public reports. */
function reports(): readonly string[] {
  return isLargeCorpus ? readdirSync(corpusPath('reports/logs')) : [];
}

/** Returns the fields of an answer that differ from those decided by hand. */
function differences(truth: JsonRow, rows: readonly JsonRow[]): [string, unknown, unknown][] {
  const [row] = rows;
  if (row === undefined) return [['logs', 0, 1]];
  const error = row.has('error') ? row.row('error') : null;
  const blame = row.has('blame') ? row.row('blame') : null;
  const type = row.has('type') ? row.row('type') : null;
  const of = (one: JsonRow | null, key: string) => one?.fields.get(key) ?? null;
  const wanted = of(truth, 'type');
  const names = type === null ? null : [of(type, 'name'), of(type, 'member')];
  const isSame = (text: string) =>
    names?.every((name) => name === null || text.includes(`${name}`.replace(/^struct /, '')));
  const found: [(typeof FIELDS)[number], unknown, unknown][] = [
    ['logs', rows.length, 1],
    ['verdict', of(row, 'verdict'), 'rejected'],
    ['insn', of(error, 'insn'), of(truth, 'fail_insn')],
    ['register', of(error, 'register'), of(truth, 'register_or_slot')],
    ['blame', of(blame, 'insn'), of(truth, 'blame_insn')],
    ['chain', row.numbers('chain').join(), truth.numbers('chain').join()],
    ['type', names, typeof wanted === 'string' && isSame(wanted) ? names : wanted],
    [
      'place',
      error?.has('source') ? error.row('source').number('line') : null,
      of(truth, 'fail_line_info'),
    ],
  ];
  return found.filter(([, one, other]) => one !== other);
}

describe.runIf(isLargeCorpus)('explain --json', () => {
  it.each(['l1.log', 'l2.log', 'libbpf.txt'])(
    'says of refused programs what was decided by hand: %s',
    { timeout: 300_000 },
    async (level) => {
      const kernel = await kernelOf(`${ROOT}/${KERNEL}`);
      const table: string[] = [];
      const counts = new Map<string, number>(FIELDS.map((name) => [name, 0]));
      let all = 0;
      for (const truth of corpusRows(`${ROOT}/truth.jsonl`)) {
        const id = truth.text('id');
        const log = bytesOf(`${ROOT}/logs/${id}.${level}`);
        const object = bytesOf(`${ROOT}/objects/${id}.o`);
        if (log === null || object === null) continue;
        all++;
        const rows = await printed(log, `${id}.o`, object, kernel);
        for (const [field, one, other] of differences(truth, rows)) {
          counts.set(field, (counts.get(field) ?? 0) + 1);
          table.push(`${id} ${field}: ${JSON.stringify(one)}, not ${JSON.stringify(other)}`);
        }
      }
      expect(all).toBeGreaterThan(80);
      for (const [field, most] of Object.entries(MOST)) {
        expect(counts.get(field), `${field} of ${all}\n${table.join('\n')}`).toBeLessThanOrEqual(
          most,
        );
      }
    },
  );

  it.each(reports())('has a cause and fails for the report %s', async (name) => {
    const files = new Map([[name, bytesOf(`reports/logs/${name}`) ?? new Uint8Array()]]);
    const { out, status } = await runCommand(['explain', name, '--json'], files);
    const rows = out.trimEnd().split('\n').map(JsonRow.parse);
    expect([status, rows.map((row) => row.text('cause')).filter((cause) => cause === '')]).toEqual([
      1,
      [],
    ]);
  });
});
