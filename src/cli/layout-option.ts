/** The option `--layout`: addresses for the sections and symbols of an Alpha eCOFF object. */
import type { RelocationLayout } from '#analysis/objects/relocation-facts.ts';
import {
  exampleLayout,
  layoutFields,
  layoutOf,
  parseAddress,
  storedLayout,
} from '#analysis/relocations/layout.ts';
import { visible } from '#bytes/text.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { type Call, UsageError, valued } from './command.ts';

export const LAYOUT = valued(
  'layout',
  'ADDRESSES',
  'of an Alpha eCOFF object: relocate to .text=0x120001000,gp=0x140008000,@printf=0x…, or to example',
);

/** Returns the layout of a call; null without the option. Throws `UsageError` on a wrong part. */
export function layoutIn(call: Call, model: ObjectModel): RelocationLayout | null {
  const text = call.option('layout');
  if (text === null) return null;
  const isWithLayout = storedLayout(model) !== null;
  const keys = new Set(isWithLayout ? layoutFields(model).map(({ key }) => key) : []);
  if (keys.size === 0) throw new UsageError(`${visible(model.name)} has no entries for a layout`);
  if (text === 'example') return layoutOf(model, exampleLayout(model));
  const values = new Map<string, bigint>();
  for (const part of text.split(',')) {
    const [key = '', value = ''] = part.split('=');
    const address = parseAddress(value);
    if (address === null || !keys.has(key)) {
      const names = [...keys].slice(0, 8).join(', ');
      throw new UsageError(
        visible(`"${part}" is not NAME=ADDRESS with one of ${names}${keys.size > 8 ? ', …' : ''}`),
      );
    }
    values.set(key, address);
  }
  return layoutOf(model, values);
}
