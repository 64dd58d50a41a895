/** Settings that apply to all files. */
import { create } from 'zustand';
import { fieldsOf, kept } from './local-storage.ts';

export const BYTES_PER_ROW = ['fit', '8', '16', '32'] as const;
export const NUMBER_BASES = ['hex', 'decimal'] as const;

export type Settings = {
  /** Bytes per row of the hex view; `fit` uses the width of the view. */
  readonly bytesPerRow: (typeof BYTES_PER_ROW)[number];
  /** Number base of offsets, addresses and instruction numbers. */
  readonly numbers: (typeof NUMBER_BASES)[number];
};

export const keptSettings = kept<Settings>('btfscope-settings', {
  parse: (json) => {
    const { bytesPerRow, numbers } = fieldsOf(json);
    return {
      bytesPerRow: BYTES_PER_ROW.find((choice) => choice === bytesPerRow) ?? 'fit',
      numbers: NUMBER_BASES.find((choice) => choice === numbers) ?? 'hex',
    };
  },
});

export const useSettings = create<Settings>(keptSettings.read);

export function changeSettings(patch: Partial<Settings>): void {
  useSettings.setState(patch);
  keptSettings.write(useSettings.getState());
}
