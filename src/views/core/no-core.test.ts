import { describe, expect, it } from 'vitest';
import { btfBlob } from '#testing/btf-blob.ts';
import { openModel } from '#testing/open-model.ts';
import { sampleModel } from '#testing/samples.ts';
import { noCore } from './no-core.ts';

describe('noCore', () => {
  it('tells a blob from an object', async () => {
    const blob = await openModel('a.btf', btfBlob().bytes);
    expect(noCore(blob).title).toBe('A BTF blob has no CO-RE relocations');
    expect(noCore(await sampleModel('doc_call.bpf.o')).text).toContain('llvm-readelf -r');
  });
});
