/**
 * Reads and writes layouts: the addresses of sections and symbols, and gp, as the user assigns them
 * in place of a linker. Only some formats have relocations that need a layout.
 */
import { formatModule } from '#analysis/formats/registry.ts';
import {
  LAYOUT_KEY,
  type LayoutField,
  type LayoutValues,
  type RelocationLayout,
} from '#analysis/objects/relocation-facts.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { elfAddressFields, exampleAddresses } from './address-fields.ts';

/** Returns the layout that the file states, or null if the format has no layouts. */
export function storedLayout(model: ObjectModel): RelocationLayout | null {
  return formatModule(model)?.relocations.storedLayout(model) ?? null;
}

/** Returns the layout form's inputs: sections, bases, undefined symbols. Empty if there is no form. */
export function layoutFields(model: ObjectModel): readonly LayoutField[] {
  return formatModule(model)?.relocations.layoutFields(model) ?? elfAddressFields(model);
}

/** Returns example values for the layout form; empty if the format has no layouts. */
export function exampleLayout(model: ObjectModel): LayoutValues {
  return formatModule(model)?.relocations.exampleLayout(model) ?? exampleAddresses(model);
}

/** Returns the layout with `values`, or the file's values; null if the format has no layouts. */
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

/** Returns the values as text for the page's address: `.text=0x120001000,gp=0x140008000`. */
export function layoutText(values: LayoutValues): string {
  return [...values].map(([key, value]) => `${encoded(key)}=0x${value.toString(16)}`).join();
}

/** Parses a text of `layoutText`. Skips invalid parts; never throws. */
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

/** Parses an address, hex (`0x…`) or decimal. Returns null for other text or more than 64 bits. */
export function parseAddress(text: string): bigint | null {
  const typed = text.trim();
  if (!/^(?:0x[0-9a-f]{1,16}|\d{1,20})$/i.test(typed)) return null;
  const value = BigInt(typed);
  return value < 1n << 64n ? value : null;
}

/** Percent-encodes only `layoutText`'s separators: the address bar encodes all other characters. */
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
