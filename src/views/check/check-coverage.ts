/** What was checked to find nothing, in words. */
import { BLOB_RULES, META_RULES, REFERENCE_RULES } from '#analysis/check/kernel-rules.ts';
import { countOf } from '#views/parts/number-text.ts';

const RULES = [BLOB_RULES, META_RULES, REFERENCE_RULES].reduce(
  (sum, rules) => sum + Object.keys(rules).length,
  0,
);

/** `types` were checked; on a base the kernel has fewer rules, since it does not resolve the types of a module. */
export function coverageText(types: number, onBase: boolean): string {
  const rules = onBase
    ? 'the rules of Linux 6.18 for the BTF of a module'
    : `the ${countOf(RULES, 'rule')} of Linux 6.18 for BTF`;
  return `${countOf(types, 'type')}, the strings and the header were held against ${rules}, and against what libbpf 1.8 asks.`;
}
