/** Entries of members: the bytes of each, compared with llvm-dwarfdump, and the way back. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { selectionSpan } from '#analysis/selection/selection.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { typeSelection } from '#model/selection.ts';
import { membersOf } from '#model/type-items.ts';
import { lastId, type TypeTable } from '#model/type-table.ts';
import { openModel } from '#testing/open-model.ts';
import { entrySelection } from './type-entries.ts';

const DWARFDUMP = 'llvm-dwarfdump-19';

async function open(file: string) {
  const model = await openModel(file, new Uint8Array(readFileSync(`testdata/dwarf/${file}`)));
  const section = model.dwarf?.section;
  if (section == null || model.types === null) throw new Error('no DWARF');
  return { model, types: model.types, section, start: model.sections.fileOffset[section] ?? 0 };
}

/** Returns the members with a name, with the bytes of their entries. */
function* memberSpans(model: ObjectModel, types: TypeTable) {
  for (let id = types.firstId; id <= lastId(types); id++) {
    const type: TypeId = typeId(id);
    for (const { name, index } of membersOf(types, type)) {
      const span = selectionSpan(model, typeSelection(type, [index]));
      if (name !== '' && name !== '__discriminant') yield { name, type, index, span };
    }
  }
}

it.each(['gcc.o', 'clang.o', 'languages.gcc.o', 'languages.rust.o'])('of %s', async (file) => {
  const { model, types, section, start } = await open(file);
  const path = `testdata/dwarf/${file}`;
  const dump = execFileSync(DWARFDUMP, ['--debug-info', path], { encoding: 'utf8' });
  const names = new Map(
    [...dump.matchAll(/^0x([\da-f]+): +DW_TAG_member\n +DW_AT_name\t\("(.*)"\)/gm)].map(
      ([, offset = '', name = '']) => [Number.parseInt(offset, 16), name] as const,
    ),
  );
  let count = 0;
  for (const { name, span, type, index } of memberSpans(model, types)) {
    const offset = (span?.start ?? 0) - start;
    expect(names.get(offset)).toBe(name);
    const back = entrySelection(model, section, offset);
    expect(back).toEqual(typeSelection(type, [index]));
    count += 1;
  }
  expect(count).toBeGreaterThan(5);
});
