import { expect, it } from 'vitest';
import { sharedWords } from './shared-words.ts';

it.each([
  ['idle_h_nr_running', 'h_nr_idle', true],
  ['i_atime', '__i_atime', true],
  ['flags', 'new_flags', true],
  ['rx_bytes', 'tx_bytes', false],
  ['ip_tos_inc', 'ip_ttl_inc', false],
  ['h_nr_running', 'h_nr_idle', false],
  ['state', 'state_lock_owner_id', false],
  ['vmaCount', 'vma_count', true],
  ['', '', false],
  ['_', '__', false],
])('%s and %s', (a, b, expected) => {
  expect(sharedWords(a, b) !== null).toBe(expected);
  expect(sharedWords(b, a) !== null).toBe(expected);
});
