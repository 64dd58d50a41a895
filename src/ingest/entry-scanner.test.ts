import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bufferSource } from '#bytes/source.ts';
import { DW_AT, DW_FORM } from '#formats/dwarf/constants.ts';
import { EntryScanner } from '#formats/dwarf/entry-scanner.ts';
import { DwarfReader, type DwarfUnit } from '#formats/dwarf/reader.ts';
import { readDwarfSections } from './dwarf-sections.ts';
import { ingestElf } from './elf.ts';

const DWARF = `${import.meta.dirname}/../../testdata/dwarf`;

async function unitsOf(name: string): Promise<readonly DwarfUnit[]> {
  const source = bufferSource(name, new Uint8Array(readFileSync(`${DWARF}/${name}`)));
  const loaded = await readDwarfSections(source, await ingestElf(source, []), []);
  if (loaded === null) throw new Error(`${name} has no DWARF`);
  return new DwarfReader(loaded.sections).units;
}

const WANTED = [DW_AT.name, DW_AT.byte_size, DW_AT.decl_line, DW_AT.type, DW_AT.location];

describe('EntryScanner', () => {
  it.each(['gcc.o', 'clang.o', 'shared.o'])(
    'reads the entries of %s as a tree does',
    async (name) => {
      let values = 0;
      for (const unit of await unitsOf(name)) {
        const { count, offset, tag, parent } = unit.tree();
        const depths: number[] = [];
        const scanner = new EntryScanner(unit, new Map(WANTED.map((each, slot) => [each, slot])));
        for (let row = 0; row < count; row++) {
          expect(scanner.next()).toBe(true);
          const depth = row === 0 ? 0 : (depths[parent[row] ?? 0] ?? 0) + 1;
          depths.push(depth);
          expect([scanner.offset, scanner.tag, scanner.depth]).toEqual([
            unit.offset + (offset[row] ?? 0),
            tag[row],
            depth,
          ]);
          const die = unit.dieAt(scanner.offset);
          for (const [slot, attribute] of WANTED.entries()) {
            const form = die.form(attribute);
            expect(scanner.form[slot]).toBe(form ?? 0);
            if (form === null || form === DW_FORM.string) continue;
            const number = die.number(attribute) ?? die.block(attribute)?.length;
            const reference = die.reference(attribute);
            const expected = reference === null ? number : reference - unit.offset;
            if (expected === undefined) continue;
            expect(scanner.value[slot]).toBe(expected);
            values += 1;
          }
        }
        expect(scanner.next()).toBe(false);
      }
      expect(values).toBeGreaterThan(100);
    },
  );

  it('moves past the entries below one', async () => {
    const [unit] = await unitsOf('gcc.o');
    if (unit === undefined) throw new Error('no unit');
    const { count, end, offset } = unit.tree();
    const scanner = new EntryScanner(unit, new Map());
    scanner.next();
    for (let row = 1; row < count; row = end[row] ?? count) {
      expect(scanner.next()).toBe(true);
      expect(scanner.offset).toBe(unit.offset + (offset[row] ?? 0));
      scanner.skipChildren();
    }
    expect(scanner.next()).toBe(false);
  });
});
