/** What libbpf tells the kernel besides programs and maps: the sections `license` and `version`. */
import { loaderSections } from '#analysis/objects/loader-sections.ts';
import { ByteReader } from '#bytes/byte-reader.ts';
import { decodeName } from '#bytes/text.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import type { SectionBytes } from './object-data.ts';

export type LoadFacts = {
  /** Raw text. */
  readonly license: string | null;
  /** `KERNEL_VERSION(a, b, c)`: a << 16 | b << 8 | c. */
  readonly version: number | null;
};

/** null where the file does not say, or its bytes are not at hand. */
export function loadFacts(model: ObjectModel, sectionBytes: SectionBytes): LoadFacts {
  const bytesOf = (name: 'license' | 'version') => {
    const section = isBpf(model) ? loaderSections.of(model.sections)[name][0] : undefined;
    return section === undefined ? null : sectionBytes(section);
  };
  const license = bytesOf('license');
  const version = bytesOf('version');
  return {
    license: license === null || license.length === 0 ? null : decodeName(license, 0),
    // libbpf wants exactly one word.
    version:
      version === null || version.length !== 4
        ? null
        : new ByteReader(version, 'version', model.endian).u32(0),
  };
}
