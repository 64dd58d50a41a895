/** Reads version, architecture and flavour from a kernel's name, and sorts kernels. */
import type { KernelInfo } from '#formats/atlas/directory.ts';

/** File endings that are not part of a kernel's name. */
const ENDING = /(?<=.)\.(?:btf|elf|img|vmlinux|tar|tgz|txz|zst|xz|gz|bz2|lz4|lzma)$/;
const BEGINNING = /^(?:vmlinux|vmlinuz|bzImage|zImage|Image|kernel)[-_.]/;

/** Architecture names in file and folder names of distributions. */
const ARCHITECTURE =
  /^(?:amd64|x86_64|x86|i[3-6]86|686|arm64|aarch64|armv[5-8]\w*|armhf|armel|arm|s390x?|ppc64el|ppc64le|ppc64|powerpc64le|powerpc64|powerpc|riscv64|riscv32|riscv|loong64|loongarch64|mips\w*|sparc64|alpha|hppa|m68k)$/;

/** Version, patch and release candidate at the start of a name. */
const VERSION = /^v?(\d+)\.(\d+)(?:\.(\d+))?(?:[-~.]?rc(\d+))?/;

/** Returns name, version, architecture and flavour from a path; texts are empty if unknown. */
export function kernelInfo(path: string): KernelInfo {
  const folders = path.split('/');
  const name = kernelName(folders.pop() ?? '');
  const version = VERSION.exec(name)?.[0] ?? '';
  const words = name
    .slice(version.length)
    .split(/[-_.+~]/)
    .filter((word) => word !== '');
  // `x86_64` is one word, although `_` separates words.
  const joined = /x86_64/.test(name) ? 'x86_64' : null;
  const archWord = joined ?? words.findLast((word) => ARCHITECTURE.test(word));
  // In Debian's names of 32-bit ARM kernels, `armmp` is the only word for the architecture.
  const debian = words.includes('armmp') ? 'armhf' : '';
  const arch = archWord ?? folders.findLast((folder) => ARCHITECTURE.test(folder)) ?? debian;
  const flavour = words.filter(
    (word) =>
      word !== archWord &&
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

/** Returns the file name without words and endings that describe the file type. */
function kernelName(file: string): string {
  let name = file;
  while (ENDING.test(name)) name = name.replace(ENDING, '');
  // The prefix is removed only if a name follows: `kernel.btf` keeps `kernel`.
  return name.replace(BEGINNING, '');
}

/** Returns a negative number if `a` is older: by version, release candidate, patch, ABI, name. */
export function compareKernels(a: string, b: string): number {
  const [left, right] = [sortKey(a), sortKey(b)];
  for (const [i, value] of left.entries()) {
    const difference = value - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Version numbers in a kernel's name; null for a number that the name lacks. */
export type VersionNumbers = {
  readonly major: number | null;
  readonly minor: number | null;
  readonly patch: number | null;
  /** Number of the release candidate; null for a release. */
  readonly rc: number | null;
  readonly abi: number | null;
};

/** Returns the version numbers in a kernel's name; a missing patch or ABI number is 0. */
export function versionOf(name: string): VersionNumbers {
  const match = VERSION.exec(name);
  if (match === null) return { major: null, minor: null, patch: null, rc: null, abi: null };
  const [whole, major, minor, patch = '0', rc = null] = match;
  const abi = /^-(\d+)/.exec(name.slice(whole.length))?.[1] ?? '0';
  return {
    major: Number(major),
    minor: Number(minor),
    patch: Number(patch),
    rc: rc === null ? null : Number(rc),
    abi: Number(abi),
  };
}

/** Returns the sort key of a name. Names without version come last, candidates before releases. */
function sortKey(name: string): readonly number[] {
  const { major, minor, patch, rc, abi } = versionOf(name);
  const last = Number.MAX_SAFE_INTEGER;
  return [major ?? last, minor ?? 0, rc ?? last, patch ?? 0, abi ?? 0];
}

/** Returns a kernel's facts from its file name; if that has no version, from `modules/NAME/`. */
export function infoOf(path: string): KernelInfo {
  const info = kernelInfo(path);
  const folder = /(?:^|\/)modules\/([^/]+)\//.exec(path)?.[1];
  if (info.version !== '' || folder === undefined) return info;
  const named = kernelInfo(folder);
  return named.version === '' ? info : named;
}

/** Returns the files sorted from oldest to newest kernel; a kernel precedes its modules. */
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

/** Returns the kernel's name from the path; the folder if the path states no version. */
function releaseOf(path: string): string {
  const info = infoOf(path);
  return info.version === '' ? folderOf(path) : info.name;
}

function mayBeModule(path: string): boolean {
  const name = path.slice(folderOf(path).length);
  if (/\.ko(?:\.\w+)?$/.test(name)) return true;
  return kernelInfo(name).version === '' && !/vmlinu|image/i.test(name);
}

/** Returns `info` with an unused name: adds architecture or folder; null if all names are used. */
export function uniqueInfo(
  { info, path }: { readonly info: KernelInfo; readonly path: string },
  isTaken: (name: string) => boolean,
): KernelInfo | null {
  const withArch = info.name.includes(info.arch) ? [] : [`${info.name}-${info.arch}`];
  const names = [info.name, ...withArch, `${info.name} (${folderOf(path) || path})`];
  const name = names.find((each) => !isTaken(each));
  return name === undefined ? null : { ...info, name };
}

/** Returns the folder part of a path with its final slash; empty for a path without a folder. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
