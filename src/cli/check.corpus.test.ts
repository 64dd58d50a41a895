/**
 * Compares verdicts of a real kernel on blobs with the command's output: names of errors, types and
 * places.
 */
import { describe, expect, it } from 'vitest';
import { atLeast, corpusEdges, corpusList, readCorpusFile } from '#testing/corpus.ts';
import { JsonRow } from '#testing/json-row.ts';
import { runCommand } from '#testing/run-command.ts';

/** Every 20th row is tested: another test covers every rule. */
const STEP = 20;

async function check(bytes: Uint8Array): Promise<JsonRow> {
  const files = new Map([['blob.btf', bytes]]);
  const { status, out, err } = await runCommand(['check', 'blob.btf', '--json'], files);
  expect({ status, err }).toEqual({ status: 0, err: [] });
  return JsonRow.parse(out);
}

describe('validity rows', () => {
  const packed = (name: string) => readCorpusFile({ id: name, name, file: `validity/${name}.zst` });
  const all = corpusList('validity/validity.json.zst');
  const rows = all.filter((_, index) => index % STEP === 0);
  const pack = packed('blobs.pack');

  it('come out of the command as they went through the system call', async () => {
    expect(rows.length).toBeGreaterThan(atLeast({ large: 100, testdata: 50 }));
    const wrong: unknown[] = [];
    for (const row of rows) {
      const start = row.number('pack_off');
      const told = await check(pack.subarray(start, start + row.number('size')));
      const errno = row.text('verdict').replace('524', 'ENOTSUPP');
      const wanted = {
        verdict: errno === 'ok' ? 'ok' : 'refused',
        errno: errno === 'ok' ? null : errno,
        word: row.text('error_word'),
        // The kernel's third pass logs no type: the row then has the type that the second pass
        // logged most recently.
        type_id: isThirdPass(row) || !row.has('error_type_id') ? null : row.number('error_type_id'),
        // A row of testdata/ has no verdict of libbpf if libbpf 1.1 lacks the check.
        libbpf: row.has('libbpf') ? row.text('libbpf') : told.text('libbpf'),
      };
      const found = {
        verdict: told.text('verdict'),
        errno: told.has('errno') ? told.text('errno') : null,
        word: told.text('word'),
        type_id: isThirdPass(row) || !told.has('type_id') ? null : told.number('type_id'),
        libbpf: told.text('libbpf'),
      };
      const isPlaced = errno === 'ok' || told.number('file_offset') <= row.number('size');
      if (JSON.stringify(wanted) !== JSON.stringify(found) || !isPlaced) {
        wrong.push([row.text('name'), wanted, found]);
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe('edge rows', () => {
  const rows = corpusEdges().flatMap((edge) => {
    const tools = edge.row.row('tools');
    const isAsked = edge.kind === 'btf' && edge.base === null && tools.has('kernel_6.18');
    return isAsked ? [[edge.name, edge, tools.text('kernel_6.18')] as const] : [];
  });

  it.each(rows)('%s has the verdict of the kernel', async (_name, edge, kernel) => {
    const { status, out } = await runCommand(
      ['check', edge.name, '--json'],
      new Map([[edge.name, readCorpusFile(edge)]]),
    );
    if (status !== 0) {
      expect({ status, accept: edge.accept }).toEqual({ status: 1, accept: 'refuse' });
      return;
    }
    const told = JsonRow.parse(out);
    const errno = told.has('errno') ? told.text('errno').replace('ENOTSUPP', '524') : 'ok';
    expect(errno).toBe(kernel.split(':')[0]);
    if (errno !== 'ok') expect(kernel).toContain(told.text('word'));
  });
});

function isThirdPass(row: JsonRow): boolean {
  return /type tags|Max chain/i.test(row.text('error_word'));
}
