import { describe, expect, it } from 'vitest';
import { btfBlob } from '#testing/btf-blob.ts';
import { elfObject } from '#testing/elf-object.ts';
import { openObject } from '#testing/open-model.ts';
import { sampleObject } from '#testing/samples.ts';
import { noCode } from './CodeView.tsx';

describe('noCode', () => {
  it('is told of BTF blobs, other machines and objects without code', async () => {
    const blob = await openObject('a.btf', btfBlob().bytes);
    expect(noCode(blob.model)?.title).toBe('A BTF blob has no code');
    const { model } = await sampleObject('doc_call.bpf.o');
    expect(noCode(model)).toBeNull();
    const native = { ...model, machine: { number: 62, name: 'x86-64' } };
    expect(noCode(native)?.title).toBe('Instructions of x86-64 are not shown');
    const empty = await openObject('a.o', elfObject().bytes);
    expect(noCode({ ...empty.model, machine: model.machine })?.title).toBe(
      'This object has no code',
    );
  });
});
