/** Builds atlases of small kernels in memory, for tests and for the example. */
import { AtlasBuilder } from '#analysis/atlas/builder.ts';
import { kernelInfo } from '#analysis/atlas/kernel-name.ts';
import { concatBytes } from '#bytes/arrays.ts';
import { type ByteSource, bufferSource } from '#bytes/source.ts';
import { AtlasFile } from '#formats/atlas/atlas-file.ts';
import { ingestBytes } from '#ingest/ingest.ts';

/** Collects the bytes that an atlas builder writes. */
export class AtlasBytes {
  readonly builder: AtlasBuilder;
  readonly #parts: Uint8Array[] = [];

  constructor(extract = true) {
    this.builder = new AtlasBuilder({
      write: (bytes) => {
        this.#parts.push(bytes);
      },
      extract,
    });
  }

  /** Finishes the atlas; returns its bytes. */
  async finish(): Promise<Uint8Array> {
    return concatBytes([await this.builder.finish(), ...this.#parts]);
  }
}

/** Adds a kernel `name` with the BTF blob `btf` to an atlas. */
export async function addBtf(builder: AtlasBuilder, name: string, btf: Uint8Array): Promise<void> {
  const read = await ingestBytes(name, btf);
  if (read.kind !== 'object' || read.model.types === null) throw new Error(`${name} is no BTF`);
  await builder.add(kernelInfo(name), read.model.types);
}

/** Returns the bytes of an atlas that contains `kernels`, BTF blobs by name. */
export async function atlasBytes(
  kernels: Readonly<Record<string, Uint8Array>>,
  extract = true,
): Promise<Uint8Array> {
  const bytes = new AtlasBytes(extract);
  for (const [name, btf] of Object.entries(kernels)) await addBtf(bytes.builder, name, btf);
  return await bytes.finish();
}

export function openAtlas(bytes: Uint8Array): Promise<AtlasFile> {
  return AtlasFile.open(bufferSource('test.btfatlas', bytes));
}

/** Returns a source with the same bytes, and the list of ranges that are read from it. */
export function recordReads(source: ByteSource): { source: ByteSource; reads: [number, number][] } {
  const reads: [number, number][] = [];
  const read = (start: number, end: number) => {
    reads.push([start, Math.min(end, source.size)]);
    return source.read(start, end);
  };
  return { source: { ...source, read }, reads };
}
