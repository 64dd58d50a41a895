import fc from 'fast-check';
import { expect, it } from 'vitest';
import { finish, Run } from '#bytes/long-work.ts';
import { type SectionIndex, sectionIndex } from '#model/ids.ts';
import { NO_SECTIONS, type SectionTable, sectionName } from '#model/sections.ts';
import { loaderSections } from './loader-sections.ts';

const NAMES = [
  ...[
    'license',
    'version',
    '.maps',
    'maps',
    '.bss',
    '.data',
    '.rodata',
    '.data.x',
    '.rodata.',
    '.bss.x',
  ],
  ...['licenses', '.bss2', '.database', 'data', '.rodata2', '', '.map', '.text'],
];
const PROGBITS = 1;
const NOBITS = 8;

type Named = { readonly name: string; readonly type: number };

function tableOf(rows: readonly Named[]): SectionTable {
  const names = new TextEncoder().encode(`\0${NAMES.join('\0')}`);
  const offsets = NAMES.map((_, i) => 1 + NAMES.slice(0, i).join('\0').length + (i === 0 ? 0 : 1));
  const all = [{ name: '', type: 0 }, ...rows];
  return {
    ...NO_SECTIONS,
    count: all.length,
    names,
    nameOff: Uint32Array.from(all, ({ name }) =>
      name === '' ? 0 : (offsets[NAMES.indexOf(name)] ?? 0),
    ),
    type: Uint32Array.from(all, ({ type }) => type),
  };
}

it('finds sections by name and type, in file order', () => {
  const rows = fc.array(
    fc.record({ name: fc.constantFrom(...NAMES), type: fc.constantFrom(0, PROGBITS, NOBITS, 9) }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(rows, (named) => {
      const table = tableOf(named);
      const where = (holds: (row: Named) => boolean): SectionIndex[] =>
        named.flatMap((row, i) => (holds(row) ? [sectionIndex(i + 1)] : []));
      expect(named.map((_, i) => sectionName(table, sectionIndex(i + 1)))).toEqual(
        named.map(({ name }) => name),
      );
      expect(loaderSections.of(table)).toEqual({
        license: where(({ name }) => name === 'license'),
        version: where(({ name }) => name === 'version'),
        '.maps': where(({ name }) => name === '.maps'),
        maps: where(({ name }) => name === 'maps'),
        variables: where(({ name, type }) =>
          type === NOBITS
            ? name === '.bss' || name.startsWith('.bss.')
            : type === PROGBITS && /^\.(?:ro)?data(?:\.|$)/.test(name),
        ),
      });
    }),
  );
});

it('pauses between slices of very many', () => {
  const table = tableOf(Array.from({ length: 5000 }, () => ({ name: 'maps', type: PROGBITS })));
  const run = loaderSections.runOf(table);
  run.advance(0);
  expect(run.result).toBeNull();
  expect(finish(new Run(run.join()).join()).maps).toHaveLength(5000);
});
