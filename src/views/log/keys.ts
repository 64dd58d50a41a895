/** Keys of the views of a log. */
import type { KeyBinding } from '#ui/keys.tsx';

export type ReplayKey =
  | 'next'
  | 'previous'
  | 'next-branch'
  | 'previous-branch'
  | 'other-side'
  | 'write'
  | 'in'
  | 'out'
  | 'fault';

/** Key of the notes, in every view of a log. */
export const NOTES_KEYS: readonly KeyBinding<'notes'>[] = [
  { action: 'notes', on: ['m'], keys: ['m'], does: 'Notes: add one to the line, list all' },
];

export const REPLAY_KEYS: readonly KeyBinding<ReplayKey>[] = [
  { action: 'next', on: ['ArrowRight'], keys: ['→'], does: 'Next instruction of the path' },
  { action: 'previous', on: ['ArrowLeft'], keys: ['←'], does: 'Previous instruction of the path' },
  { action: 'next-branch', on: ['n'], keys: ['n'], does: 'Next branch of the path' },
  { action: 'previous-branch', on: ['p'], keys: ['p'], does: 'Previous branch of the path' },
  { action: 'other-side', on: ['x'], keys: ['x'], does: 'Other side of the branch' },
  {
    action: 'write',
    on: ['w'],
    keys: ['w'],
    does: 'Where the selected register or slot was last written',
  },
  { action: 'in', on: ['i'], keys: ['i'], does: 'Into the next subprogram' },
  { action: 'out', on: ['u'], keys: ['u'], does: 'Out of the subprogram' },
  { action: 'fault', on: ['f'], keys: ['f'], does: 'To the failing instruction' },
];
