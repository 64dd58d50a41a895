/** Debug files and supplementary files: those that fit a file, and those that do not. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { memoryText, typePlace } from '#analysis/dwarf/type-places.ts';
import { findNamedType } from '#analysis/types/type-key.ts';
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
  const read = await readWithDebugFile(file, opened, [bufferSource(name, bytes)], context);
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
  const read = await readWithDebugFile(file, opened, [testFile('supplement.dwz')], CONTEXT);
  if (read.kind === 'refused') throw new Error(read.issue.message);
  expect(lacking(read.model)).toEqual([]);
  expect(read.model.types?.count).toBeGreaterThan(opened.model.types?.count ?? 0);
});

it('refuses another file in its place', async () => {
  const file = testFile('supplement.so');
  const read = await readWithDebugFile(file, await openFile(file), [testFile('shared.o')], CONTEXT);
  expect(read).toMatchObject({ kind: 'refused', issue: { region: 'shared.o' } });
});

/** Returns the messages about split files. */
const splitFaults = (model: ObjectModel) =>
  model.issues.filter(({ code }) => /^dwarf\.split/.test(code)).map(({ message }) => message);

describe.each([4, 5])('a file with a skeleton unit of DWARF %i', (version) => {
  it('takes its split file, however it is named', async () => {
    const file = testFile(`skeleton.${version}.o`);
    const opened = await openFile(file);
    expect(opened.model.types).toBeNull();
    const dwo = [testFile('shared.o'), testFile(`split.${version}.dwo`)];
    const read = await readWithDebugFile(file, opened, dwo, CONTEXT);
    if (read.kind === 'refused') throw new Error(read.issue.message);
    expect(splitFaults(read.model)).toEqual([]);
    const { types } = read.model;
    const counter = types && findNamedType(types, 'counter');
    const place = counter && typePlace(read.model, counter);
    expect(place?.memory && memoryText(read.model, place.memory)).toBe('.data+0x0');
  });

  it('refuses one of another build', async () => {
    const file = testFile(`skeleton.${version}.o`);
    const other = [testFile(`split.${9 - version}.dwo`)];
    const read = await readWithDebugFile(file, await openFile(file), other, CONTEXT);
    const message = `split.${9 - version}.dwo is not a split file of this file`;
    expect(read).toMatchObject({ kind: 'refused', issue: { message } });
  });

  it('refuses a file without split units', async () => {
    const file = testFile(`skeleton.${version}.o`);
    const given = [testFile('shared.o')];
    const read = await readWithDebugFile(file, await openFile(file), given, CONTEXT);
    const expected = 'a split file (.dwo) or a package (.dwp)';
    expect(read).toMatchObject({ kind: 'refused', issue: { region: 'shared.o', expected } });
  });
});

it('takes one split file after the other', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'btfscope-'));
  const run = (tool: string, ...words: string[]) => execFileSync(tool, words, { cwd: folder });
  const fileOf = (name: string) =>
    bufferSource(name, new Uint8Array(readFileSync(join(folder, name))));
  try {
    for (const unit of ['first', 'second']) {
      const source = join(process.cwd(), `testdata/dwarf/${unit}.c`);
      run('clang-19', '-g', '-gsplit-dwarf', '-w', '-c', source, '-o', `${unit}.o`);
    }
    run('ld', '-r', 'first.o', 'second.o', '-o', 'both.o');
    const file = fileOf('both.o');
    const first = await readWithDebugFile(
      file,
      await openFile(file),
      [fileOf('second.dwo')],
      CONTEXT,
    );
    if (first.kind === 'refused') throw new Error(first.issue.message);
    expect(splitFaults(first.model)).toEqual([
      'The types of 1 unit are in other files, as first.dwo',
    ]);
    const both = await readWithDebugFile(file, first, [fileOf('first.dwo')], CONTEXT);
    if (both.kind === 'refused') throw new Error(both.issue.message);
    expect(splitFaults(both.model)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
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
    const first = await readWithDebugFile(stripped, await openFile(stripped), [debug], CONTEXT);
    if (first.kind === 'refused') throw new Error(first.issue.message);
    expect(lacking(first.model)).toContain('dwarf.supplement');
    const read = await readWithDebugFile(stripped, first, [testFile('supplement.dwz')], CONTEXT);
    if (read.kind === 'refused') throw new Error(read.issue.message);
    expect(lacking(read.model)).toEqual([]);
    expect(read.model.dwarf?.debugFile).toBe('debug');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
