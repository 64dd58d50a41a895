/**
 * A layout that a person states: where a linker would put each section, which gp
 * and which addresses of symbols it would choose. Formats whose entries patch
 * bytes without a linker's choices have nothing to state.
 */
import { formatModule } from '#analysis/formats/registry.ts';
import {
  LAYOUT_KEY,
  type LayoutField,
  type LayoutValues,
  type RelocationLayout,
} from '#analysis/objects/relocation-facts.ts';
import type { ObjectModel } from '#model/object-model.ts';

/** The layout in which everything stays where the file has it; null where layouts change nothing. */
export function storedLayout(model: ObjectModel): RelocationLayout | null {
  return formatModule(model)?.relocations.storedLayout(model) ?? null;
}

/** What can be stated for this file; empty where nothing can. Sections first, then gp, then symbols that the file leaves open. */
export function layoutFields(model: ObjectModel): readonly LayoutField[] {
  return formatModule(model)?.relocations.layoutFields(model) ?? [];
}

/** Values as a linker could have chosen them. Empty where layouts change nothing. */
export function exampleLayout(model: ObjectModel): LayoutValues {
  return formatModule(model)?.relocations.exampleLayout(model) ?? new Map();
}

/** The layout that `values` state; what they leave out stays as the file has it. Null where layouts change nothing. */
export function layoutOf(model: ObjectModel, values: LayoutValues): RelocationLayout | null {
  const stored = storedLayout(model);
  if (stored === null || values.size === 0) return stored;
  const sections = new Map<string, bigint>();
  const symbols = new Map<string, bigint>();
  for (const [key, value] of values) {
    if (key.startsWith(LAYOUT_KEY.symbolMark))
      symbols.set(key.slice(LAYOUT_KEY.symbolMark.length), value);
    else if (key !== LAYOUT_KEY.gp) sections.set(key, value);
  }
  return { sections, symbols, gp: values.get(LAYOUT_KEY.gp) ?? stored.gp, link: 'final' };
}

/** `.text=0x120001000,gp=0x140008000`: for the address bar. What parts the text is percent-encoded in keys. */
export function layoutText(values: LayoutValues): string {
  return [...values].map(([key, value]) => `${encoded(key)}=0x${value.toString(16)}`).join();
}

/** The values in such a text. Total: what cannot be read is left out. */
export function parseLayout(text: string): LayoutValues {
  const values = new Map<string, bigint>();
  for (const part of text.split(',')) {
    const [key = '', value = ''] = part.split('=');
    const address = parseAddress(value);
    const name = decoded(key);
    if (address !== null && name !== null && name !== '') values.set(name, address);
  }
  return values;
}

/** An address as a person types it: `0x120001000`, or decimal. Null for anything else, and for more than 64 bits. */
export function parseAddress(text: string): bigint | null {
  const typed = text.trim();
  if (!/^(?:0x[0-9a-f]{1,16}|\d{1,20})$/i.test(typed)) return null;
  const value = BigInt(typed);
  return value < 1n << 64n ? value : null;
}

/** Only what would part the text: the address has its own encoding. */
function encoded(key: string): string {
  return key.replace(/[%,=]/g, (c) => encodeURIComponent(c));
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
