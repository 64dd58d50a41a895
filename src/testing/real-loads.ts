/** Compares load verdicts with what happened when an object was really loaded. */
import type { LoadVerdict } from '#analysis/libbpf/load.ts';
import type { Outcome, Reason } from '#analysis/libbpf/outcome.ts';

/**
 * What happened: all was loaded; opening failed; libbpf refused, before the kernel refused a map or
 * program; or the kernel refused one.
 */
export type RealLoad = 'loads' | 'open fails' | 'libbpf refuses' | 'kernel refuses';

/** What a verdict says happens first. */
export type Told = {
  /** Outcome of the first certain refusal; else `may-fail` or `loads`. */
  readonly first: Outcome;
  /** True if the kernel, or an uncertain reason, may stop libbpf before. */
  readonly isAfterOthers: boolean;
  /** Reasons up to the first certain refusal. */
  readonly texts: readonly string[];
};

/** Returns what a verdict says of an object and the programs that libbpf loads by default. */
export function toldOf({ reasons, programs }: Pick<LoadVerdict, 'reasons' | 'programs'>): Told {
  const isRefusal = ({ outcome }: Reason) => outcome === 'fails' || outcome === 'rejected';
  const steps = [
    reasons,
    ...programs.filter(({ autoload }) => autoload).map((program) => program.reasons),
  ];
  const at = steps.findIndex((step) => step.some(isRefusal));
  const met = steps.slice(0, at + 1 || steps.length).flat();
  const refusal = met.findIndex(isRefusal);
  const before = refusal < 0 ? met : met.slice(0, refusal);
  const hasUncertain = before.some(({ outcome }) => outcome === 'may-fail');
  return {
    first: met[refusal]?.outcome ?? (hasUncertain ? 'may-fail' : 'loads'),
    // The verifier may refuse a program before the one that is refused for certain.
    isAfterOthers: hasUncertain || at > 1,
    texts: met.slice(0, before.length + 1).map(({ text }) => text),
  };
}

/**
 * Returns true if a verdict says `loads` where libbpf refused, `fails` where libbpf did not, or
 * `rejected` where the kernel did not refuse.
 */
export function isContradicted({ first, isAfterOthers }: Told, real: RealLoad): boolean {
  const isOfLibbpf = real === 'open fails' || real === 'libbpf refuses';
  switch (first) {
    case 'loads':
      return isOfLibbpf;
    case 'fails':
      return real === 'loads' || (real === 'kernel refuses' && !isAfterOthers);
    case 'rejected':
      return real === 'loads' || (isOfLibbpf && !isAfterOthers);
    default:
      return false;
  }
}

/** Matches lines of libbpf about a refusal by the kernel. */
const BY_KERNEL =
  /^(?:prog '.*': BPF program load failed: |map '.*': failed to (?:create|re-mmap|set initial|freeze|initialize)|Error loading \.BTF into kernel: .* BTF is mandatory|Couldn't load trivial BPF)/;

/** Returns the first line about a refusal by the kernel among libbpf's lines; null if there is none. */
export function kernelRefusal(lines: readonly string[]): string | null {
  return (
    lines.map((line) => line.replace(/^libbpf: /, '')).find((line) => BY_KERNEL.test(line)) ?? null
  );
}
