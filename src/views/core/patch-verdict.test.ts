import { describe, expect, it } from 'vitest';
import { patchVerdict } from './patch-verdict.ts';

describe('patchVerdict', () => {
  const local = { value: 8n, error: null, validate: true };

  it.each([
    ['agrees', 8n, local, 'Agrees'],
    ['differs', 4n, local, 'Differs'],
    ['is not compared', 4n, { ...local, validate: false }, 'Not compared'],
    ['cannot be patched', null, local, 'Cannot be patched'],
    ['has no value', 4n, { value: null, error: 'why', validate: false }, 'No local value'],
  ])('%s', (_name, found, value, title) => {
    expect(patchVerdict(found, value).title).toBe(title);
  });
});
