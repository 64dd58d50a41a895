import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { btfBlob } from '#testing/btf-blob.ts';
import { openModel } from '#testing/open-model.ts';
import { noCore } from './no-core.ts';

async function openSample(name: string) {
  const bytes = readFileSync(`${import.meta.dirname}/../../../public/samples/${name}`);
  return openModel(name, new Uint8Array(bytes));
}

describe('noCore', () => {
  it('tells a blob from an object', async () => {
    const blob = await openModel('a.btf', btfBlob().bytes);
    expect(noCore(blob).title).toBe('A BTF blob has no CO-RE relocations');
    expect(noCore(await openSample('doc_call.bpf.o')).text).toContain('llvm-readelf -r');
  });
});
