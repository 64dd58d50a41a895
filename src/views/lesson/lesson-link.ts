/** Where a link in a lesson leads: to a place of the tool, to another lesson, to another page, or nowhere. */

import type { OpenLesson } from '#store/lesson/lesson-state.ts';
import { stepNow } from '#store/lesson/lesson-state.ts';
import { placeInStep } from '#store/lesson/step-place.ts';
import { parseAddress } from '#store/location.ts';
import { encodeKey } from '#store/selection-keys.ts';

export type LessonTarget =
  /** `href` says the same to whoever opens it in another tab. */
  | { readonly kind: 'place'; readonly href: string; readonly hash: string }
  | { readonly kind: 'lesson'; readonly href: string }
  | { readonly kind: 'page'; readonly href: string }
  | { readonly kind: 'none' };

/** What the address of a Markdown link means in a step of `open`. Only pages of the web are left for. */
export function targetOf(open: OpenLesson, address: string): LessonTarget {
  if (/^https?:\/\//i.test(address)) return { kind: 'page', href: address };
  if (!/^#\/[a-z]*(\?|$)/.test(address)) return { kind: 'none' };
  const { lesson } = parseAddress(address);
  if (lesson !== '') return { kind: 'lesson', href: address };
  const { file, hash } = placeInStep(open, address);
  const [path = '', query = ''] = hash.split('?');
  const at = stepNow({ open })?.id ?? '';
  const named = parseAddress(hash).file === '' ? [`file=${encodeKey(file)}`] : [];
  const parts = [`lesson=${encodeKey(open.key)}`, `at=${encodeKey(at)}`, ...named, query];
  return { kind: 'place', hash, href: `${path}?${parts.filter((part) => part !== '').join('&')}` };
}
