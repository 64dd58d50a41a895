/** Finds the version of a kernel in a container or ELF file. BTF does not contain the version. */
import { startsWith } from '#bytes/arrays.ts';
import type { ByteSource } from '#bytes/source.ts';
import { asciiText, type BootImage, versionText } from '#formats/containers/boot-image.ts';
import { fileTypeName } from '#formats/elf/constants.ts';
import type { KernelVersion } from '#model/object-model.ts';
import { type ElfParts, readSection, sectionsNamed } from './elf.ts';

/** Text at the start of `linux_banner`. Source: Linux, init/version-timestamp.c. */
const BANNER = 'Linux version ';
/** Largest number of .rodata bytes that are searched. A kernel has about 20 MiB. */
const MAX_RODATA = 64 * 1024 * 1024;

/** Matches `6.12.43+deb13-amd64` in `6.12.43+deb13-amd64 (debian-kernel@lists.debian.org) …`. */
const RELEASE = /^\d{1,3}\.\d{1,4}[\w.+~-]{0,200}(?= )/;

/** Returns the version in the header of a boot image of `kind`; null if there is none. */
export function versionInHeader(kind: BootImage, head: Uint8Array): KernelVersion | null {
  const release = RELEASE.exec(versionText(kind, head))?.[0];
  return release === undefined ? null : { release, from: 'boot header' };
}

/** Returns the version in the first `linux_banner` of `bytes`; null if there is none. */
export function versionInBanner(bytes: Uint8Array): KernelVersion | null {
  for (let at = bytes.indexOf(0x4c); at >= 0; at = bytes.indexOf(0x4c, at + 1)) {
    if (!startsWith(bytes, BANNER, at)) continue;
    const start = at + BANNER.length;
    const release = RELEASE.exec(asciiText(bytes, start))?.[0];
    if (release !== undefined) return { release, from: 'linux_banner' };
  }
  return null;
}

/** Returns the version in the .rodata section of a linked kernel; null if there is none. */
export async function versionInElf(
  source: ByteSource,
  elf: ElfParts,
): Promise<KernelVersion | null> {
  // A linked kernel is an executable, or a shared object if it is relocatable.
  const isLinked = elf.fileType === fileTypeName(2) || elf.fileType === fileTypeName(3);
  const [rodata] = isLinked ? sectionsNamed(elf.sections, '.rodata') : [];
  if (rodata === undefined || (elf.sections.byteLength[rodata] ?? 0) > MAX_RODATA) return null;
  // A file with only debug information has an empty .rodata, so issues are dropped.
  const section = await readSection(source, elf, rodata, []);
  return section && versionInBanner(section.bytes);
}
