/** Runs a test with each hostile name and with random names. */
import fc from 'fast-check';
import { it } from 'vitest';
import { decodeText } from '#bytes/text.ts';
import type { TypeTable } from '#model/type-table.ts';
import { HOSTILE_NAMES, type HostileName, hostileBtf, LONG_NAME } from './hostile-names.ts';
import { runs } from './runs.ts';
import { tableOf } from './type-table.ts';

/** Ordinary name, for comparison with hostile names. */
export const PLAIN: HostileName = { what: 'plain', bytes: new TextEncoder().encode('plain') };

/** Returns a table with a type of each kind, all with the name `name`. */
export function tableWith(name: HostileName): TypeTable {
  return tableOf(hostileBtf([name]));
}

/** Returns the name as text, as the product decodes it. */
export function textOf(name: HostileName): string {
  return decodeText(name.bytes);
}

/** Longer than every limit of the product, but short enough for slow strict readers. */
const QUITE_LONG: HostileName = { what: 'quite long', bytes: LONG_NAME.bytes.slice(0, 1 << 14) };

/** All hostile names with a description, for `it.each`. */
export const namedCases = [...HOSTILE_NAMES, QUITE_LONG].map((name) => [name.what, name] as const);
const anyName = fc
  .oneof(
    fc.uint8Array({ minLength: 8, maxLength: 24, min: 1 }),
    fc
      .array(fc.constantFrom(...'<>"\'`&;|\\{}[]()!*/=+-@,\n\r\t #%~$', '\u202e', '\ufeff', 'a'), {
        minLength: 1,
        maxLength: 12,
      })
      .map((characters) => new TextEncoder().encode(characters.join(''))),
  )
  .map((bytes): HostileName => ({ what: 'any', bytes: Uint8Array.from(bytes) }));

/** Calls `check` with each hostile name and with random names. */
export function forNames(check: (name: HostileName) => void | Promise<void>): void {
  it.each(namedCases)('%s', (_what, name) => check(name));
  it('any bytes', async () => {
    const property = fc.asyncProperty(anyName, async (name) => await check(name));
    await fc.assert(property, { numRuns: runs(60) });
  });
}
