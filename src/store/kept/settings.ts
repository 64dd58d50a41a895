/** How a person likes to read: kept in the browser, the same for all files. */
import { create } from 'zustand';

export const BYTES_PER_ROW = ['fit', '8', '16', '32'] as const;
export const NUMBER_BASES = ['hex', 'decimal'] as const;

export type Settings = {
  /** Columns of the hex view; `fit`: as many as there is room for. */
  readonly bytesPerRow: (typeof BYTES_PER_ROW)[number];
  /** How offsets, addresses and the numbers of instructions are written. */
  readonly numbers: (typeof NUMBER_BASES)[number];
};

const KEY = 'btfscope-settings';

/** What was kept; the first choice stands for anything else. */
export function parseSettings(text: string | null): Settings {
  let kept: Readonly<Record<string, unknown>> = {};
  try {
    const parsed: unknown = JSON.parse(text ?? '');
    if (typeof parsed === 'object' && parsed !== null) kept = { ...parsed };
  } catch {
    // Nothing was kept, or something else.
  }
  return {
    bytesPerRow: BYTES_PER_ROW.find((one) => one === kept.bytesPerRow) ?? 'fit',
    numbers: NUMBER_BASES.find((one) => one === kept.numbers) ?? 'hex',
  };
}

function readKept(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export const useSettings = create<Settings>(() => parseSettings(readKept()));

/** Changes settings and keeps them. */
export function changeSettings(patch: Partial<Settings>): void {
  useSettings.setState(patch);
  try {
    localStorage.setItem(KEY, JSON.stringify(useSettings.getState()));
  } catch {
    // Not kept, then: they last as long as the page.
  }
}
