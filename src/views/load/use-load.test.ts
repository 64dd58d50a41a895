import { describe, expect, it } from 'vitest';
import { doneFraction } from './use-load.ts';

describe('doneFraction', () => {
  it('counts waiting columns as zero and ended ones as complete', () => {
    const failed = {
      step: 'failed',
      issue: { severity: 'error', code: 'x', message: '', span: null, region: '' },
    } as const;
    const ready = { step: 'ready', value: [] } as const;
    expect(doneFraction([null, ready, failed, null])).toBe(0.5);
    expect(doneFraction([{ step: 'running', done: 50, total: 200 }])).toBe(0.25);
    expect(doneFraction([{ step: 'running', done: 0, total: 0 }, ready])).toBe(0.5);
    expect(doneFraction([])).toBe(1);
  });
});
