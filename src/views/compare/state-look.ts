/** How the state of a type in a whole comparison is called and coloured. */
import type { TypeState } from '#analysis/compare/compare-tables.ts';
import type { StatusTone } from '#ui/tone.ts';

export type StateLook = {
  readonly word: string;
  readonly tone: StatusTone;
  readonly about: string;
};

export const STATE_LOOKS: Readonly<Record<TypeState, StateLook>> = {
  changed: { word: 'changed', tone: 'warning', about: 'Its own record is another' },
  inside: { word: 'inside', tone: 'info', about: 'Only a type that it holds by value is changed' },
  added: { word: 'added', tone: 'ok', about: 'Only after' },
  removed: { word: 'removed', tone: 'danger', about: 'Only before' },
};
