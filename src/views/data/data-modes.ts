/** The two parts of the tab. */
import type { ObjectModel } from '#model/object-model.ts';

export const DATA_MODES = ['values', 'decode'] as const;
export type DataMode = (typeof DATA_MODES)[number];

export const MODE_TITLES: Readonly<Record<DataMode, string>> = {
  values: 'In this file',
  decode: 'Decode a value',
};

/** Are there types to read bytes by? */
export function hasTypes({ types }: ObjectModel): boolean {
  return types !== null && types.count > 0;
}

/** The part that the address asks for, where the file has what it needs; else the values of the file. */
export function modeOf(model: ObjectModel, asked: string | null): DataMode {
  return asked === 'decode' && hasTypes(model) ? 'decode' : 'values';
}
