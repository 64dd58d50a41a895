import type { AccessPath } from '#analysis/core/access-path.ts';
import type { AccessIndex } from './selected-core.ts';

/** What stands under an index of an access string: the member it picks, in a word. Raw text. */
export function chipCaption(path: AccessPath, at: number, state: AccessIndex['state']): string {
  const step = path.steps[at];
  if (step === undefined) return state === 'fault' ? 'leads nowhere' : 'not reached';
  switch (step.means) {
    case 'element-of-pointer':
      return step.index === 0 ? '*p' : `p[${step.index}]`;
    case 'array-element':
      return `[${step.index}]`;
    case 'anonymous-member':
      return 'anonymous';
    case 'type':
      return 'the type';
    default:
      return step.name;
  }
}
