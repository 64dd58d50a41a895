/** Debug files that do not fit a stripped file. */
import { expect, it } from 'vitest';
import { bufferSource } from '#bytes/source.ts';
import { openModel } from '#testing/open-model.ts';
import { sampleBytes } from '#testing/samples.ts';
import { readWithDebugFile } from './read-again.ts';

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
