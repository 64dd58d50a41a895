/** Runs tests on every hostile name, and on any others that come to mind. */
import fc from 'fast-check';
import { it } from 'vitest';
import { decodeText } from '#bytes/text.ts';
import type { TypeTable } from '#model/type-table.ts';
import { HOSTILE_NAMES, type HostileName, hostileBtf, LONG_NAME } from './hostile-names.ts';
import { runs } from './runs.ts';
import { tableOf } from './type-table.ts';

/** For comparison: a name like any other. */
export const PLAIN: HostileName = { what: 'plain', bytes: new TextEncoder().encode('plain') };

/** Types of all kinds that have this name. */
export function tableWith(name: HostileName): TypeTable {
  return tableOf(hostileBtf([name]));
}

/** The name as we read it. */
export function textOf(name: HostileName): string {
  return decodeText(name.bytes);
}

/** Long enough for every limit; the megabyte itself takes strict readers too long. */
const QUITE_LONG: HostileName = { what: 'quite long', bytes: LONG_NAME.bytes.slice(0, 1 << 14) };

/** What is wrong with each, and the name: for `it.each`. */
export const givenNames = [...HOSTILE_NAMES, QUITE_LONG].map((name) => [name.what, name] as const);
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

/** Runs `check` on each name of the list, and on any others. */
export function forNames(check: (name: HostileName) => void | Promise<void>): void {
  it.each(givenNames)('%s', (_what, name) => check(name));
  it('any bytes', async () => {
    const property = fc.asyncProperty(anyName, async (name) => await check(name));
    await fc.assert(property, { numRuns: runs(60) });
  });
}
