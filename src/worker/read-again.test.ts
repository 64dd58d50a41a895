/** Debug files and supplementary files: those that fit a file, and those that do not. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type ByteSource, bufferSource } from '#bytes/source.ts';
import { ingest } from '#ingest/ingest.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { openModel } from '#testing/open-model.ts';
import { sampleBytes } from '#testing/samples.ts';
import { type Opened, readWithDebugFile } from './read-again.ts';

async function refusalOf(name: string, bytes: Uint8Array): Promise<string> {
  const file = bufferSource('doc_core.bpf.o', sampleBytes('doc_core.bpf.o'));
  const opened = {
    model: await openModel('doc_core.bpf.o', sampleBytes('doc_core.bpf.o')),
    source: file,
  };
  const context = { signal: new AbortController().signal, onProgress: () => {} };
  const read = await readWithDebugFile(file, opened, bufferSource(name, bytes), context);
  if (read.kind !== 'refused') return '';
  return `${read.issue.message}: expected ${read.issue.expected}, found ${read.issue.found}`;
}

it('refuses a file that is not ELF', async () => {
  expect(await refusalOf('kernel.btf', sampleBytes('kernel.btf'))).toBe(
    'kernel.btf is not the debug file of this file: expected an ELF file, found a file of another kind (object)',
  );
});

it('refuses a file without DWARF', async () => {
  expect(await refusalOf('doc_call.bpf.o', sampleBytes('doc_call.bpf.o'))).toMatch(
    /: expected a file with DWARF, found no section \.debug_info$/,
  );
});

const CONTEXT = { signal: new AbortController().signal, onProgress: () => {} };

function testFile(name: string) {
  return bufferSource(name, new Uint8Array(readFileSync(`testdata/dwarf/${name}`)));
}

async function openFile(source: ByteSource): Promise<Opened> {
  const opened = await ingest(source);
  if (opened.kind !== 'object') throw new Error('no object');
  return opened;
}

/** Returns the codes of the issues about types in other files. */
const lacking = (model: ObjectModel) =>
  model.issues.filter(({ code }) => /supplement|lost/.test(code)).map(({ code }) => code);

it('takes the supplementary file of a file that dwz changed', async () => {
  const file = testFile('supplement.so');
  const opened = await openFile(file);
  expect(lacking(opened.model)).toContain('dwarf.supplement');
  const read = await readWithDebugFile(file, opened, testFile('supplement.dwz'), CONTEXT);
  if (read.kind === 'refused') throw new Error(read.issue.message);
  expect(lacking(read.model)).toEqual([]);
  expect(read.model.types?.count).toBeGreaterThan(opened.model.types?.count ?? 0);
});

it('refuses another file in its place', async () => {
  const file = testFile('supplement.so');
  const read = await readWithDebugFile(file, await openFile(file), testFile('shared.o'), CONTEXT);
  expect(read).toMatchObject({ kind: 'refused', issue: { region: 'shared.o' } });
});

it('takes that of a debug file, too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'btfscope-'));
  const path = (name: string) => join(folder, name);
  const make = (name: string, option: string) => {
    execFileSync('llvm-objcopy-19', [option, 'testdata/dwarf/supplement.so', path(name)]);
    return bufferSource(name, new Uint8Array(readFileSync(path(name))));
  };
  try {
    const stripped = make('stripped', '--strip-all');
    const debug = make('debug', '--only-keep-debug');
    const first = await readWithDebugFile(stripped, await openFile(stripped), debug, CONTEXT);
    if (first.kind === 'refused') throw new Error(first.issue.message);
    expect(lacking(first.model)).toContain('dwarf.supplement');
    const read = await readWithDebugFile(stripped, first, testFile('supplement.dwz'), CONTEXT);
    if (read.kind === 'refused') throw new Error(read.issue.message);
    expect(lacking(read.model)).toEqual([]);
    expect(read.model.dwarf?.debugFile).toBe('debug');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
