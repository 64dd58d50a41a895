/** Changes as people say them: `offset moved 0x58 → 0x60`, `type u32 → u64`. Raw text: escape it when drawn. */
import type { Change } from './changes.ts';

/** One change in words, of a member or of a type as a whole. */
export function changeText(change: Change): string {
  const { what, before, after } = change;
  switch (what) {
    case 'added':
    case 'removed':
      return what;
    case 'inside':
      return 'changed inside';
    case 'nested':
      return 'in another anonymous struct or union';
    case 'renamed':
      return `renamed from ${before || '(anonymous)'}`;
    case 'moved':
      return before.startsWith('#')
        ? `moved from place ${before.slice(1)} to ${after.slice(1)}`
        : `offset moved ${before} → ${after}`;
    case 'bitfield':
      return bitfieldWords(before, after);
    case 'nelems':
      return `array length ${before} → ${after}`;
    case 'type':
      return before === after ? `type changed inside ${before}` : `type ${before} → ${after}`;
    case 'sign':
      return `signedness ${before} → ${after}`;
    case 'tag':
      return tagWords(before, after);
    default:
      return `${what} ${before || '(none)'} → ${after || '(none)'}`;
  }
}

function bitfieldWords(before: string, after: string): string {
  if (after === '0') return `bit-field of ${before} became plain`;
  if (before === '0') return `became a bit-field of ${after}`;
  return `bits ${before} → ${after}`;
}

function tagWords(before: string, after: string): string {
  if (before === '') return `tag ${after} added`;
  return after === '' ? `tag ${before} removed` : `tags ${before} → ${after}`;
}
