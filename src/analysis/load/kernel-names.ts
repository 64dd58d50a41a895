/** Orders kernels by age, and shortens their names to versions. */

/** What tells the age of a kernel. Names and releases are raw text. */
export type AgedKernel = {
  /** Name of the kernel's file. */
  readonly name: string;
  /** Output of `uname -r`; null if unknown. */
  readonly release?: string | null;
  /** Lowest version that the kernel's BTF allows; null if unknown. */
  readonly from?: string | null;
};

const VERSION = /\d+(?:\.\d+)+/;
const ENDING = /\.(?:btf|ko|elf|o)(?:\.[a-z0-9]{1,4})?$/i;
const byNumber = new Intl.Collator('en', { numeric: true });

/** Compares the ages of kernels, the oldest first: by release, version in the name, BTF. */
export function compareKernels(a: AgedKernel, b: AgedKernel): number {
  return byNumber.compare(versionOf(a), versionOf(b));
}

function versionOf({ name, release, from }: AgedKernel): string {
  return VERSION.exec(release ?? '')?.[0] ?? VERSION.exec(name)?.[0] ?? from ?? '';
}

/**
 * Shortens each name to its version, as `6.1`, or to as much more as tells the kernels apart. Names
 * without a version stay whole.
 */
export function shortKernelNames(names: readonly string[]): string[] {
  const forms = names.map(formsOf);
  const short = forms.map((own, at) => {
    const isUnique = (form: string, level: number) =>
      forms.every((other, i) => i === at || (other[level] ?? other.at(-1)) !== form);
    return own.find(isUnique) ?? own.at(-1) ?? '';
  });
  return new Set(short).size === new Set(names).size ? short : [...names];
}

/** Returns the forms of a name, the shortest first. */
function formsOf(name: string): string[] {
  const found = VERSION.exec(name);
  if (found === null) return [name];
  const [version] = found;
  const majorMinor = version.split('.').slice(0, 2).join('.');
  return [majorMinor, version, name.slice(found.index).replace(ENDING, ''), name];
}
