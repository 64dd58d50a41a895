import { describe, expect, it } from 'vitest';
import { AtlasBuilder } from '#analysis/atlas/builder.ts';
import { STORED_NAMES } from '#analysis/query/stored-tables.ts';
import { bufferSource } from '#bytes/source.ts';
import { partsOf } from '#testing/fuzz/atlas-targets.ts';
import { parquetParts } from '#testing/fuzz/parquet-target.ts';
import { sampleBytes } from '#testing/samples.ts';
import type { NodeIo } from './command.ts';
import { addSet } from './parquet-set.ts';

/** Returns the Parquet tables of a small kernel, as `atlas export` writes them. */
async function tables() {
  const parts = await parquetParts(sampleBytes('layout.bpf.o'));
  if (parts === null) throw new Error('no types');
  return Array.from(partsOf(parts, STORED_NAMES.length), ({ kind, part }) => ({
    path: STORED_NAMES[kind] ?? '',
    table: STORED_NAMES[kind] ?? 'kernels',
    kernel: 'k',
    part,
  }));
}

/** Reads kernels from `files` and returns their number. */
async function read(files: Awaited<ReturnType<typeof tables>>): Promise<number> {
  const open = async (path: string) =>
    bufferSource(path, files.find((file) => file.path === path)?.part ?? new Uint8Array(0));
  const builder = new AtlasBuilder({ write: () => undefined, extract: false });
  await addSet({ open } as Partial<NodeIo> as NodeIo, builder, files);
  return builder.kernelCount;
}

/** Returns the offset `fields` fields after `start`. A field is a type byte and a varint. */
function fieldAfter(bytes: Uint8Array, fields: number, start = 'PAR1'.length): number {
  let at = start;
  for (let i = 0; i < fields; i++) {
    at += 1;
    while ((bytes[at++] ?? 0) >= 0x80);
  }
  return at;
}

describe('a page header of a Parquet file', () => {
  it('is as the file has it', async () => {
    expect(await read(await tables())).toBe(1);
  });

  it.each([
    ['has no compressed size', 0, 0x25, 'undefined bytes'],
    ['has a compressed size below 0', 1, 0x01, '-1 bytes'],
    ['has a compressed size behind the end', 1, 0x7e, '63 bytes'],
  ])('%s: the file is refused', async (_what, offset, byte, size) => {
    const files = await tables();
    const part = files.find(({ table }) => table === 'kernels')?.part;
    if (part === undefined) throw new Error('no table');
    const at = fieldAfter(part, 2);
    expect(part[at]).toBe(0x15);
    part[at + offset] = byte;
    await expect(read(files)).rejects.toThrow(
      `kernels cannot be read as Parquet: a page of the column version says that it has ${size}`,
    );
  });

  it('has no length of its levels: the file is refused', async () => {
    const files = await tables();
    const part = files.find(({ table }) => table === 'kernels')?.part;
    if (part === undefined) throw new Error('no table');
    // After the type and two sizes comes field 8, a struct: values, nulls, rows, encoding, levels.
    const inner = fieldAfter(part, 3);
    expect(part[inner]).toBe(0x5c);
    const at = fieldAfter(part, 4, inner + 1);
    expect(part[at]).toBe(0x15);
    part[at] = 0x75;
    await expect(read(files)).rejects.toThrow('has levels of ');
  });
});
