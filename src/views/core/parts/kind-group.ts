import type { CoreKindGroup } from '#analysis/core/core-kinds.ts';
import type { Tone } from '#ui/tone.ts';

const TONES: Readonly<Record<CoreKindGroup, Tone>> = {
  field: 'kind-composite',
  type: 'kind-ptr',
  enum: 'kind-enum',
};

/** The colour of a group of CO-RE kinds; its word always stands beside it. */
export function groupTone(group: CoreKindGroup | undefined): Tone {
  return group === undefined ? 'danger' : TONES[group];
}
