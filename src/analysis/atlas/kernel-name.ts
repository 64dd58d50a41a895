/** Kernels by their names: version, architecture and flavour, and which of two is older. */
import type { KernelInfo } from '#formats/atlas/directory.ts';

/** Endings of files that are no part of a kernel's name; what is before one is. */
const ENDING = /(?<=.)\.(?:btf|elf|img|vmlinux|tar|tgz|txz|zst|xz|gz|bz2|lz4|lzma)$/;
const BEGINNING = /^(?:vmlinux|vmlinuz|bzImage|zImage|Image|kernel)[-_.]/;

/** Architectures as distributions write them at the end of a name, or as the name of a folder. */
const ARCHITECTURE =
  /^(?:amd64|x86_64|x86|i[3-6]86|686|arm64|aarch64|armv[5-8]\w*|armhf|armel|arm|s390x?|ppc64el|ppc64le|ppc64|powerpc64le|powerpc64|powerpc|riscv64|riscv32|riscv|loong64|loongarch64|mips\w*|sparc64|alpha|hppa|m68k)$/;

/** Number, patch and release candidate of a version, and the number of an ABI, at the start of a name. */
const VERSION = /^v?(\d+)\.(\d+)(?:\.(\d+))?(?:[-~.]?rc(\d+))?/;

/** Name, version, architecture and flavour of the kernel in the file at `path`; empty where the path does not tell. */
export function kernelInfo(path: string): KernelInfo {
  const folders = path.split('/');
  const name = kernelName(folders.pop() ?? '');
  const version = VERSION.exec(name)?.[0] ?? '';
  const words = name
    .slice(version.length)
    .split(/[-_.+~]/)
    .filter((word) => word !== '');
  // x86_64 has a separator in it.
  const joined = /x86_64/.test(name) ? 'x86_64' : null;
  const own = joined ?? words.findLast((word) => ARCHITECTURE.test(word));
  // Debian's kernels for ARM of 32 bits have no other word for it.
  const debian = words.includes('armmp') ? 'armhf' : '';
  const arch = own ?? folders.findLast((folder) => ARCHITECTURE.test(folder)) ?? debian;
  const flavour = words.filter(
    (word) =>
      word !== own &&
      !/^\d/.test(word) &&
      !/^(?:rc\d+|deb\d+\w*|el\d\w*|fc\d+|bpo\w*|x86|64)$/.test(word),
  );
  return {
    name,
    version: version.replace(/^v/, ''),
    arch,
    flavour: version === '' ? '' : flavour.join('-'),
  };
}

/** The name of a file without what says what kind of file it is. */
function kernelName(file: string): string {
  let name = file;
  while (ENDING.test(name)) name = name.replace(ENDING, '');
  // Only what is before a name: `kernel.btf` has no other.
  return name.replace(BEGINNING, '');
}

/** Below 0 where `a` is older: by version, rc before release, patch, number of the ABI, name. */
export function compareKernels(a: string, b: string): number {
  const [left, right] = [sortKey(a), sortKey(b)];
  for (const [i, value] of left.entries()) {
    const difference = value - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The numbers of a version, by which kernels are in order; null for what a name does not have. */
export type VersionNumbers = {
  readonly major: number | null;
  readonly minor: number | null;
  readonly patch: number | null;
  /** Of a release candidate. */
  readonly rc: number | null;
  readonly abi: number | null;
};

/** The numbers in the name of a kernel; one without patch or ABI has 0 of these. */
export function versionOf(name: string): VersionNumbers {
  const found = VERSION.exec(name);
  if (found === null) return { major: null, minor: null, patch: null, rc: null, abi: null };
  const [whole, major, minor, patch = '0', rc = null] = found;
  const abi = /^-(\d+)/.exec(name.slice(whole.length))?.[1] ?? '0';
  return {
    major: Number(major),
    minor: Number(minor),
    patch: Number(patch),
    rc: rc === null ? null : Number(rc),
    abi: Number(abi),
  };
}

/** What has no version comes last, and a release behind its candidates. */
function sortKey(name: string): readonly number[] {
  const { major, minor, patch, rc, abi } = versionOf(name);
  const last = Number.MAX_SAFE_INTEGER;
  return [major ?? last, minor ?? 0, rc ?? last, patch ?? 0, abi ?? 0];
}

/** What a path says of a kernel: `/lib/modules/6.1.0-56-amd64/vmlinuz` has the name in a folder. */
export function infoOf(path: string): KernelInfo {
  const info = kernelInfo(path);
  const folder = /(?:^|\/)modules\/([^/]+)\//.exec(path)?.[1];
  if (info.version !== '' || folder === undefined) return info;
  const named = kernelInfo(folder);
  return named.version === '' ? info : named;
}

/** Files by the kernel that they are of, older ones first, a kernel before its modules. */
export function inKernelOrder<File extends { readonly path: string }>(
  files: readonly File[],
): readonly File[] {
  const keyed = files.map((file) => ({
    file,
    release: releaseOf(file.path),
    isModule: mayBeModule(file.path),
  }));
  keyed.sort(
    (a, b) => compareKernels(a.release, b.release) || Number(a.isModule) - Number(b.isModule),
  );
  return keyed.map(({ file }) => file);
}

/** The kernel that a file is of, by its name or by its folder. */
function releaseOf(path: string): string {
  const info = infoOf(path);
  return info.version === '' ? folderOf(path) : info.name;
}

function mayBeModule(path: string): boolean {
  const name = path.slice(folderOf(path).length);
  if (/\.ko(?:\.\w+)?$/.test(name)) return true;
  return kernelInfo(name).version === '' && !/vmlinu|image/i.test(name);
}

/** `info` under a name that is new: with its architecture, or where it was found. null: all are taken. */
export function uniqueInfo(
  { info, path }: { readonly info: KernelInfo; readonly path: string },
  isTaken: (name: string) => boolean,
): KernelInfo | null {
  const withArch = info.name.includes(info.arch) ? [] : [`${info.name}-${info.arch}`];
  const names = [info.name, ...withArch, `${info.name} (${folderOf(path) || path})`];
  const name = names.find((each) => !isTaken(each));
  return name === undefined ? null : { ...info, name };
}

/** With the slash at its end; empty where there is none. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
