import { expect, it } from 'vitest';
import { elfObject } from '#testing/elf-object.ts';
import { openModel } from '#testing/open-model.ts';
import { sectionIndex } from './ids.ts';
import { isNamed, NO_SECTIONS, sectionName } from './sections.ts';

it('compares a name by its text, including names that begin with it or end the table', async () => {
  const names = ['.text', '.text.fn', 'text', 'maps', ''];
  const { bytes } = elfObject({
    sections: names.map((name) => ({ name, data: new Uint8Array(8) })),
  });
  const { sections } = await openModel('names.o', bytes);
  const asked = [...names, '.tex', '.text.', '.shstrtab', 'absent'];
  for (let i = 0; i <= sections.count; i++) {
    const section = sectionIndex(i);
    for (const name of asked) {
      const isThere = i < sections.count;
      expect(isNamed(sections, section, name)).toBe(
        isThere && sectionName(sections, section) === name,
      );
    }
  }
  expect(isNamed(NO_SECTIONS, sectionIndex(0), 'x')).toBe(false);
});

it('ends a name at the end of a truncated table', () => {
  const cut = {
    ...NO_SECTIONS,
    count: 1,
    nameOff: Uint32Array.of(1),
    names: new Uint8Array([0, 109]),
  };
  expect(isNamed(cut, sectionIndex(0), 'm')).toBe(true);
  expect(isNamed(cut, sectionIndex(0), 'ma')).toBe(false);
});
