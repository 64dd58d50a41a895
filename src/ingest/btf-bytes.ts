/** The stored bytes of a file's BTF, readable or not. */
import { type ByteSource, MAX_MEMORY } from '#bytes/source.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { readSection, sectionsNamed } from './elf.ts';

export type BtfBytes = {
  readonly bytes: Uint8Array;
  /** File offset of `bytes[0]`; null if the section was stored compressed. */
  readonly fileOffset: number | null;
};

/**
 * Returns the `.BTF` section of an ELF file, or all of a raw blob, including bytes after its last
 * section, which the kernel checks. Returns null without such a section or its bytes; issues of
 * `model` have the reason.
 */
export async function storedBtf(model: ObjectModel, source: ByteSource): Promise<BtfBytes | null> {
  if (model.format === 'btf') return await rawBtf(source);
  const [first] = sectionsNamed(model.sections, '.BTF');
  return first === undefined ? null : await readSection(source, model, first, []);
}

/** Returns all of `source` as one blob, up to the memory limit. */
export async function rawBtf(source: ByteSource): Promise<BtfBytes> {
  return { bytes: await source.read(0, Math.min(source.size, MAX_MEMORY)), fileOffset: 0 };
}
