/** Finds the call that entered a region (lock, RCU, preemption, interrupts) that is still open. */
import { memoized } from '#bytes/cache.ts';
import type { Walk } from './walk.ts';

export const REGIONS = ['region-lock', 'region-rcu', 'region-preempt', 'region-irq'] as const;
export type Region = (typeof REGIONS)[number];

const ENTRIES: Readonly<Record<Region, RegExp>> = {
  'region-lock': /^bpf_(?:res_)?spin_lock(?:_irqsave)?$/,
  'region-rcu': /^bpf_rcu_read_lock$/,
  'region-preempt': /^bpf_preempt_disable$/,
  'region-irq': /^bpf_(?:local_irq_save|res_spin_lock_irqsave)$/,
};

const EXITS: Readonly<Record<Region, RegExp>> = {
  'region-lock': /^bpf_(?:res_)?spin_unlock(?:_irqrestore)?$/,
  'region-rcu': /^bpf_rcu_read_unlock$/,
  'region-preempt': /^bpf_preempt_enable$/,
  'region-irq': /^bpf_(?:local_irq_restore|res_spin_unlock_irqrestore)$/,
};

/** Returns the step that entered the outermost region of a kind before `step`, or null. */
export function openRegion(walk: Walk, step: number, region: Region): number | null {
  let closed = 0;
  let entered: number | null = null;
  for (let at = walk.parents[step] ?? -1; at >= 0; at = walk.parents[at] ?? -1) {
    const name = walk.textOf(at)?.call?.name ?? '';
    if (EXITS[region].test(name)) closed += 1;
    else if (ENTRIES[region].test(name)) {
      if (closed > 0) closed -= 1;
      else entered = at;
    }
  }
  return entered;
}

/** Returns the regions that a walk enters anywhere. */
export const enteredRegions = memoized((walk: Walk): readonly Region[] => {
  const names = new Set<string>();
  for (let step = 0; step < walk.stepCount; step++) {
    const name = walk.textOf(step)?.call?.name;
    if (name !== undefined) names.add(name);
  }
  return REGIONS.filter((region) => [...names].some((name) => ENTRIES[region].test(name)));
});
