/** What the bar says of the base of split BTF. */
import { drawnName } from '#bytes/text.ts';
import type { Estimate, SplitBase } from '#model/split-base.ts';
import { lastId } from '#model/type-table.ts';
import type { BaseCandidate } from '#store/bases.ts';
import type { BaseFile } from '#store/session.ts';
import { grouped } from '#ui/grouped.ts';
import { countOf } from '#views/parts/number-text.ts';

/** `This is split BTF. It needs 82 base types and 1 085 bytes of base strings.` */
export function needsText({ needs, distilled }: SplitBase): string {
  if (distilled !== null) {
    return `This is split BTF with a distilled base of its own: names and sizes of ${countOf(distilled.count, 'type')}. Open the real base to see the full types.`;
  }
  if (needs === null) return 'This is split BTF.';
  return `This is split BTF. It needs ${estimate(needs.typeCount)} base types and ${estimate(needs.strLen)} bytes of base strings.`;
}

function estimate({ value, sure }: Estimate): string {
  return `${sure === 'unknown' ? 'at least ' : ''}${grouped(value)}`;
}

/** `Split BTF on the base kernel.btf: 82 types, 1 085 bytes of strings.` */
export function baseText({ name, types }: BaseFile): string {
  const strLen = types.strBase + types.strEnd - types.strStart;
  return `Split BTF on the base ${drawnName(name)}: ${countOf(lastId(types), 'type')}, ${countOf(strLen, 'byte')} of strings.`;
}

/** An open file in the menu, and whether it could be the base: `kinds.btf does not fit (95 types)`. */
export function candidateLabel({ base, fit }: BaseCandidate): string {
  const name = drawnName(base.name);
  const size = `(${countOf(lastId(base.types), 'type')})`;
  const words = {
    waiting: name,
    fits: `${name} fits ${size}`,
    refused: `${name} does not fit ${size}`,
  };
  return words[fit];
}
