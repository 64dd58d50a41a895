import { describe, expect, it } from 'vitest';
import { overviewOf } from '#analysis/verifier/log-overview.ts';
import { finish } from '#bytes/long-work.ts';
import { NO_SELECTION } from '#model/selection.ts';
import { keyOf } from '#store/address/file-keys.ts';
import type { OpenFile } from '#store/session/session.ts';
import { sampleModel } from '#testing/samples.ts';
import { logTable } from '#testing/verifier-logs.ts';
import { otherFile } from './other-file.ts';

const overviewOfText = (text: string) => finish(overviewOf(logTable(text))).overview;

const model = await sampleModel('kernel.btf');
const object = await sampleModel('exec_trace.bpf.o');

function file(id: number, patch: Partial<OpenFile> = {}): OpenFile {
  return {
    id,
    name: `${id}.btf`,
    size: 1,
    sample: null,
    sha256: `${id}`.repeat(64),
    status: { step: 'ready', model },
    findings: null,
    view: 'compare',
    selection: NO_SELECTION,
    ...patch,
  };
}

const without = file(4, { status: { step: 'ready', model: { ...model, types: null } } });
const files = [file(1), file(2), file(3, { sample: 'kernel.btf' }), without];

describe('otherFile', () => {
  it('is the last other file with types, until one is chosen', () => {
    expect(otherFile(files, 1, null, null)?.id).toBe(3);
    expect(otherFile(files, 3, null, null)?.id).toBe(2);
    expect(otherFile(files, 1, 2, null)?.id).toBe(2);
    expect(otherFile([file(1)], 1, null, null)).toBeNull();
  });

  it('is of the same sort where one is open: a kernel for a kernel, an object for an object', () => {
    const program = (id: number) => file(id, { status: { step: 'ready', model: object } });
    expect(otherFile([file(1), program(2), file(3)], 3, null, null)?.id).toBe(1);
    expect(otherFile([program(1), program(2), file(3)], 1, null, null)?.id).toBe(2);
    expect(otherFile([program(1), file(2), file(3)], 1, null, null)?.id).toBe(3);
  });

  it('is what the address names, the file itself too', () => {
    expect(otherFile(files, 1, 3, '2'.repeat(64))?.id).toBe(2);
    expect(otherFile(files, 1, null, 'sample:kernel.btf')?.id).toBe(3);
    expect(otherFile(files, 1, null, '1'.repeat(64))?.id).toBe(1);
  });

  it('is a log for a log, by its hash until the page has packed it', () => {
    const log = overviewOfText('processed 2 insns (limit 1000000)\n');
    const logFile = (id: number, patch: Partial<OpenFile> = {}) =>
      file(id, { status: { step: 'log', log, issues: [] }, ...patch });
    const mixed = [file(1), logFile(2), logFile(3, { carriedKey: 'bytes1:x' })];
    expect(otherFile(mixed, 2, null, null)?.id).toBe(3);
    expect(otherFile(mixed, 2, null, '3'.repeat(64))?.id).toBe(3);
    expect(otherFile(mixed, 2, null, 'bytes1:x')?.id).toBe(3);
    expect(otherFile(mixed, 1, null, 'bytes1:x')).toBeNull();
    expect(otherFile(mixed.slice(0, 2), 2, null, null)).toBeNull();
  });

  it('is null if that is not open, or has no types', () => {
    expect(otherFile(files, 1, 2, '9'.repeat(64))).toBeNull();
    expect(otherFile(files, 1, null, '4'.repeat(64))).toBeNull();
  });

  it('is called as the address calls files', () => {
    expect(files.map(keyOf)).toEqual([
      '1'.repeat(64),
      '2'.repeat(64),
      'sample:kernel.btf',
      '4'.repeat(64),
    ]);
    expect(keyOf(file(5, { sha256: null }))).toBeNull();
  });
});
