import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { IssueCollector } from '#bytes/issue.ts';
import { bufferSource } from '#bytes/source.ts';
import { DwarfReader } from '#formats/dwarf/reader.ts';
import { readDwarfSections } from '#ingest/dwarf-sections.ts';
import { ingestElf } from '#ingest/elf.ts';
import { NamePool } from './type-records.ts';
import { UnitTypes } from './unit-types.ts';

it('tells how far it is, and never goes back', async () => {
  const path = `${import.meta.dirname}/../../../testdata/dwarf/shared.o`;
  const source = bufferSource('shared.o', new Uint8Array(readFileSync(path)));
  const loaded = await readDwarfSections(source, await ingestElf(source, []), []);
  if (loaded === null) throw new Error('no DWARF');
  const { units, sections } = new DwarfReader(loaded.sections);
  expect(units.length).toBeGreaterThan(1);
  const { info } = sections;
  const told = (some: typeof units) => [
    ...new UnitTypes(new NamePool(info.length), new IssueCollector(info.region)).read(some),
  ];
  for (const steps of [units.flatMap((unit) => told([unit])), told(units)]) {
    expect(steps).toHaveLength(2 * units.length);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    expect(steps[0]).toBe(0);
    expect(steps.at(-1)).toBeLessThan(info.length);
  }
});
