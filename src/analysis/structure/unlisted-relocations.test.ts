/** Tests the entries of debugging information that a linked file has too many of. */
import { describe, expect, it } from 'vitest';
import { EM, ET, SHT } from '#formats/elf/constants.ts';
import { zeros } from '#testing/assemble.ts';
import { elfObject, rela } from '#testing/elf-object.ts';
import { openModel } from '#testing/open-model.ts';
import { fieldsAt } from './structure.ts';

/** One more entry than the model of a linked file holds. */
const MANY = (1 << 20) + 1;
const ENTRY_BYTES = 24;

/** Returns a file whose debugging information has `count` relocations, and its code one. */
function fileWith(type: number, count: number) {
  const entry = rela(64, 8, 1, 1, 2);
  return elfObject({
    header: { type, machine: EM.x86_64 },
    sections: [
      { name: '.text', flags: 6, data: [zeros(64)] },
      { name: '.rela.text', type: SHT.rela, link: '.symtab', info: '.text', data: entry },
      { name: '.debug_str', data: [zeros(64)] },
      {
        name: '.rela.debug_str',
        type: SHT.rela,
        link: '.symtab',
        info: '.debug_str',
        data: [...entry, zeros((count - 1) * ENTRY_BYTES)],
      },
    ],
    symbols: [{ name: 'start', shndx: '.text' }],
  });
}

const NOTE = 'elf.relocations-unlisted';

describe('relocations of debugging information in a linked file', () => {
  it('are not listed if there are many, but named by their bytes', async () => {
    const { bytes, sectionOffset, sectionIndex } = fileWith(ET.exec, MANY);
    const model = await openModel('vmlinux', bytes);
    expect([...model.relocations.targetSection]).toEqual([sectionIndex('.text')]);
    const note = model.issues.find(({ code }) => code === NOTE);
    expect(note?.message).toBe(
      `.rela.debug_str: ${MANY} relocations of debugging information are not listed`,
    );
    const at = sectionOffset('.rela.debug_str');
    const read = (start: number, end: number) => bytes.subarray(start, end);
    const shown = (offset: number) =>
      fieldsAt(model, offset, read).map(({ label, value, meaning }) => [label, value, meaning]);
    expect(shown(at + 8)).toContainEqual(['r_info', '0x100000001', 'R_X86_64_64, start']);
    expect(shown(at + 12).at(-1)).toEqual(['sym', '1', 'start']);
    expect(shown(at + 16).at(-1)).toEqual(['r_addend', '2', 'A']);
    expect(shown(at + ENTRY_BYTES).map(([label]) => label)).toContain('[1]');
  });

  it('are listed in a relocatable file, and if there are few', async () => {
    for (const [type, count] of [
      [ET.rel, MANY],
      [ET.exec, 3],
    ] as const) {
      const model = await openModel('a.o', fileWith(type, count).bytes);
      expect(model.relocations.count).toBe(count + 1);
      expect(model.issues.map(({ code }) => code)).not.toContain(NOTE);
    }
  });
});
