/** The bytes of the BTF of a file as they are stored, whether or not any type could be read of them. */
import { type ByteSource, MAX_MEMORY } from '#bytes/source.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { readSection, sectionsNamed } from './elf.ts';

export type BtfBytes = {
  readonly bytes: Uint8Array;
  /** File offset of `bytes[0]`; null where the section was stored compressed. */
  readonly fileOffset: number | null;
};

/**
 * The `.BTF` section of an ELF file, or all of a raw blob: also what follows its
 * last section, which the kernel looks at. null where there is no such section
 * or its bytes are not in the file; what is wrong with it is an issue of `model`.
 */
export async function storedBtf(model: ObjectModel, source: ByteSource): Promise<BtfBytes | null> {
  if (model.format === 'btf') return await rawBtf(source);
  const [first] = sectionsNamed(model.sections, '.BTF');
  return first === undefined ? null : await readSection(source, model, first, []);
}

/** All of `source` as one blob, as much of it as can be held. */
export async function rawBtf(source: ByteSource): Promise<BtfBytes> {
  return { bytes: await source.read(0, Math.min(source.size, MAX_MEMORY)), fileOffset: 0 };
}
