/** Declarations, addresses and entries of types read from DWARF. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { BtfKind } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import { kindOf, lastId, nameOf } from '#model/type-table.ts';
import { openModel } from '#testing/open-model.ts';
import { declarationText, memoryText, typePlace } from './type-places.ts';

/** Returns the places of the types with a name: `KIND: declaration, address`. */
async function placesOf(file: string, name: string): Promise<readonly string[]> {
  const bytes = new Uint8Array(readFileSync(`testdata/dwarf/${file}`));
  const model = await openModel(file, bytes);
  const { types } = model;
  if (types === null) throw new Error('no types');
  const lines: string[] = [];
  for (let id = types.firstId; id <= lastId(types); id++) {
    const place = typePlace(model, typeId(id));
    if (nameOf(types, typeId(id)) !== name || place === null) continue;
    const kind = kindOf(types, typeId(id));
    const noun = kind === BtfKind.FUNC ? 'FUNC' : kind === BtfKind.VAR ? 'VAR' : 'type';
    const memory = place.memory === null ? '' : `, ${memoryText(model, place.memory)}`;
    lines.push(`${noun}: ${declarationText(place)}${memory}`);
  }
  return lines;
}

it('tells file and line of a struct', async () => {
  expect(await placesOf('gcc.o', 'shared')).toEqual(['type: first.c:4']);
  expect(await placesOf('clang.o', 'shared')).toEqual(['type: first.c:4']);
});

it('tells the section of a function of a relocatable file', async () => {
  expect(await placesOf('gcc.o', 'first')).toEqual(['FUNC: first.c:18, .text+0x30']);
});

it('tells the address of functions and variables of a linked file', async () => {
  expect(await placesOf('shared.o', 'first')).toEqual(['FUNC: first.c:18, 0x1010 in .text']);
  expect(await placesOf('shared.o', 'per_cpu')).toEqual(['VAR: first.c:10, 0x4004 in .data']);
});

it('tells the language', async () => {
  const bytes = new Uint8Array(readFileSync('testdata/dwarf/gcc.o'));
  const model = await openModel('gcc.o', bytes);
  expect(typePlace(model, typeId(1))?.source).toBe('C');
});
