/** Tests of links in declarations, on the compiled types of testdata/dwarf. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sourceDeclaration } from '#analysis/source/source-declaration.ts';
import { sourcedTypes } from '#analysis/source/source-types.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { lastId, nameOf, type TypeTable } from '#model/type-table.ts';
import { openModel } from '#testing/open-model.ts';
import { sourceParts, sourceTargets } from './source-parts.ts';

async function partsOf(file: string, name: string) {
  const path = `${import.meta.dirname}/../../../testdata/dwarf/${file}`;
  const s = sourcedTypes(await openModel(file, new Uint8Array(readFileSync(path))));
  if (s === null) throw new Error('no types');
  const id = idOf(s.types, name);
  const text = sourceDeclaration(s, id)?.text ?? '';
  const parts = sourceParts(text, sourceTargets(s.types, id));
  expect(parts.map((part) => part.text).join('')).toBe(text);
  return parts;
}

function idOf(t: TypeTable, name: string): TypeId {
  for (let id = t.firstId; id <= lastId(t); id++) {
    if (nameOf(t, typeId(id)) === name) return typeId(id);
  }
  throw new Error(`no type ${name}`);
}

it('links whole names of C++, also of templates', async () => {
  const parts = await partsOf('languages.clang.o', 'ns::derived');
  const links = parts.filter(({ type }) => type !== null).map(({ text }) => text);
  expect(links).toEqual(['base', 'other']);
  const keywords = parts.filter(({ role }) => role === 'keyword').map(({ text }) => text);
  expect(keywords).toEqual([
    'class',
    'public',
    'protected',
    'public',
    'static',
    'private',
    'public',
  ]);
});

it('links the variants of Rust and the types in them', async () => {
  const parts = await partsOf('languages.rust.o', 'languages::Shape');
  const links = parts.filter(({ type }) => type !== null).map(({ text }) => text);
  expect(links).toEqual(['Empty', 'Circle', 'Rect', 'Named', 'alloc::string::String']);
  const comments = parts.filter(({ role }) => role === 'comment').map(({ text }) => text);
  expect(comments.at(-1)).toBe('// otherwise');
});
