/** Sentences about a computed relocation entry: missing addresses, limits, the linker's bytes. */
import type { ComputedRelocation } from '#analysis/relocations/computed-relocation.ts';
import { SLOTS } from '#analysis/relocations/evaluated.ts';
import { OTHER_BYTES } from '#analysis/relocations/evaluated-row.ts';
import { drawnName, signedHex } from '#bytes/text.ts';

const ENTRIES: ReadonlySet<string> = new Set(SLOTS);

/** Returns which addresses are missing for a value; empty if none is. */
export function missingText({ terms }: ComputedRelocation): string {
  const names = terms.filter(({ value }) => value === null).map(({ name }) => name);
  if (names.length === 0) return '';
  const subject = `${listOf(names)} ${names.length === 1 ? 'is' : 'are'} not known`;
  // No address that a person sets says where the linker puts an entry of the GOT.
  return names.some((name) => ENTRIES.has(name))
    ? `${subject}: the linker places GOT entries. Choose the linked file.`
    : `${subject}. Set addresses, or choose the linked file.`;
}

function listOf(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

/** Returns how far the value is from its limits; empty without a value or limits. */
export function limitText({ value, range }: ComputedRelocation): string {
  if (value === null || range === null) return '';
  const { min, max } = range;
  if (min === null || max === null) return '';
  const limits = `Limits ${signedHex(min)} to ${signedHex(max)}`;
  if (value < min) return `${limits}: ${signedHex(min - value)} too low`;
  if (value > max) return `${limits}: ${signedHex(value - max)} too high`;
  return `${limits}: ${signedHex(value - min)} above the lowest, ${signedHex(max - value)} below the highest`;
}

const NAMES = { ld: 'GNU ld', lld: 'lld' } as const;

/** Returns which linkers refuse the value; empty if none does. */
export function overflowText({ overflow }: ComputedRelocation): string {
  if (overflow === null) return '';
  const linkers = (['ld', 'lld'] as const).filter((linker) => overflow.by[linker] === true);
  if (linkers.length === 0) {
    return overflow.stub ? 'The value does not fit; the linker calls through a stub.' : '';
  }
  const names = listOf(linkers.map((linker) => NAMES[linker]));
  return `The value does not fit: ${names} ${linkers.length === 1 ? 'refuses' : 'refuse'} it.`;
}

/** Returns what the linker wrote, compared with the formula. `name` is that of the linked file. */
export function linkedText(computed: ComputedRelocation, name: string): string {
  const { linked, relaxed, after, dynamic } = computed;
  if (dynamic !== null) return `The dynamic linker writes here: ${drawnName(dynamic)}.`;
  if (linked === null) return `The place was not found in ${name}.`;
  if (after === null) {
    return relaxed === null
      ? 'The entry has no value of its own.'
      : 'The formula has no value here, so that the bytes cannot be compared.';
  }
  if (relaxed === null) return 'The linker wrote what the formula gives.';
  return relaxed === OTHER_BYTES
    ? 'The linker wrote other bytes than the formula gives.'
    : `The linker wrote other bytes than the formula gives. It may relax this type: ${relaxed}.`;
}
