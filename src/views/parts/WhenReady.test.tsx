// @vitest-environment happy-dom
import { act } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isRest, Run, type Steps } from '#bytes/long-work.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { mount, unmountAll } from '#testing/mount.tsx';
import { sampleModel } from '#testing/samples.ts';
import { WhenReady } from './WhenReady.tsx';

let model: ObjectModel;
beforeEach(async () => {
  model = await sampleModel('exec_trace.bpf.o');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  clock = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => clock);
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await unmountAll();
});

/** Time of the simulated clock, in milliseconds. */
let clock = 0;

/** Yields `count` times. Each pause advances the clock by ten milliseconds. */
function* rows(count: number): Steps<string> {
  for (let i = 0; i < count; i++) {
    if (!isRest(i)) continue;
    clock += 10;
    yield;
  }
  return `${count} rows`;
}

const draw = (run: Run<string>) => (
  <WhenReady model={model} run={run}>
    {(value) => <p>{value}</p>}
  </WhenReady>
);

it('draws small work at once', async () => {
  const host = await mount(draw(new Run(rows(1000))));
  expect(host.textContent).toBe('1000 rows');
});

it('shows its progress, and draws the result', async () => {
  const run = new Run(rows(50_000));
  const host = await mount(draw(run));
  expect(host.textContent).toMatch(/Reading .* sections and .* symbols…$/);
  while (run.result === null) await act(async () => vi.advanceTimersToNextTimer());
  expect(host.textContent).toBe('50000 rows');
});

it('draws a result that was finished meanwhile', async () => {
  const run = new Run(rows(50_000));
  const host = await mount(draw(run));
  run.finish();
  await act(async () => vi.runAllTimers());
  expect(host.textContent).toBe('50000 rows');
});

it('cancels the work when it is unmounted', async () => {
  const run = new Run(rows(50_000));
  await mount(draw(run));
  await unmountAll();
  expect(vi.getTimerCount()).toBe(0);
});
