import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  type ByteSource,
  bufferSource,
  inMemoryIfSmall,
  readAhead,
  sliceSource,
} from '#bytes/source.ts';
import { zipFile } from '#testing/archives.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { int } from '#testing/btf-types.ts';
import { ingest } from './ingest.ts';
import { memberSource } from './members.ts';
import { readText } from './unpack.ts';
import { UnpackedSum } from './unpacked-sum.ts';

const source = (size: number) => bufferSource('a', new Uint8Array(size));

describe('the sum of unpacked bytes', () => {
  it('is limited by the size of the files', () => {
    const { onUnpacked: add } = new UnpackedSum().open(source(0));
    for (let i = 0; i < 4; i++) add?.(1 << 26);
    expect(() => add?.(1)).toThrow('more than 256 MiB and 64 times their size');
  });

  it('is one for several files, each of which raises the limit', () => {
    const sum = new UnpackedSum();
    const files = [sum.open(source(1)), sum.open(source(2))];
    files[0]?.onUnpacked?.(1 << 28);
    files[1]?.onUnpacked?.(192);
    expect(() => files[0]?.onUnpacked?.(1)).toThrow('more than 256 MiB');
    sum.restart();
    expect(() => files[0]?.onUnpacked?.(1)).not.toThrow();
  });

  it('has each layer, member and text of a file', async () => {
    const sizes: number[] = [];
    const counted = (bytes: Uint8Array): ByteSource => ({
      ...bufferSource('a', bytes),
      onUnpacked: (size) => sizes.push(size),
    });
    const { bytes: btf } = btfBlob({ types: [int('int', 4)] });
    const inner = new Uint8Array(gzipSync(btf));
    await ingest(counted(new Uint8Array(gzipSync(inner))), {});
    expect(sizes.splice(0)).toEqual([inner.length, btf.length]);
    const zip = await ingest(counted(new Uint8Array(zipFile({ b: inner }))), {});
    if (zip.kind !== 'archive') throw new Error('a zip file is an archive');
    const [member] = zip.members;
    if (member === undefined) throw new Error('the archive has a member');
    await ingest(await memberSource(zip.source, member), {});
    expect(sizes.splice(0)).toEqual([inner.length, btf.length]);
    await readText(counted(new Uint8Array(gzipSync('text'))));
    expect(sizes.splice(0)).toEqual([4]);
  });

  it('goes with a part, a copy and a window of a source', async () => {
    const outer = new UnpackedSum().open(source(8));
    const { onUnpacked } = outer;
    expect(onUnpacked).toBeTypeOf('function');
    const inner = [
      sliceSource(outer, { start: 0, end: 1 }),
      readAhead(outer),
      await inMemoryIfSmall(outer),
    ];
    for (const one of inner) expect(one.onUnpacked).toBe(onUnpacked);
  });
});
