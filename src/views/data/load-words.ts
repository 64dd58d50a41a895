/** What the kernel makes of a licence and of a version. */
import { hexText } from '#views/parts/number-text.ts';

const COMPATIBLE: ReadonlySet<string> = new Set([
  'GPL',
  'GPL v2',
  'GPL and additional rights',
  'Dual BSD/GPL',
  'Dual MIT/GPL',
  'Dual MPL/GPL',
]);

/** Source: license_is_gpl_compatible of include/linux/license.h; letters and spaces count. */
export function isGplCompatible(license: string): boolean {
  return COMPATIBLE.has(license);
}

const ANY_VERSION = 0xffff_fffe;

/** `KERNEL_VERSION(5, 4, 0)`, and what it is good for. */
export function versionText(version: number): string {
  if (version === ANY_VERSION) {
    return `${hexText(version)}: the loader was to put the version of the running kernel in its place.`;
  }
  const [a, b, c] = [version >>> 16, (version >>> 8) & 0xff, version & 0xff];
  return `${hexText(version)}, KERNEL_VERSION(${a}, ${b}, ${c}). Kernels before 5.0 refused kprobe programs of another version.`;
}
