/** Tests of types in rows, on testdata/dwarf/languages.* */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { boxText } from '#analysis/graph/box-parts.ts';
import { graphReader } from '#analysis/graph/entries.ts';
import { memberRows } from '#analysis/layout/member-rows.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import { kindOf, lastId, nameOf } from '#model/type-table.ts';
import { openModel } from '#testing/open-model.ts';
import { typeHeading, typeText } from './type-text.ts';

async function open(file: string) {
  const path = `${import.meta.dirname}/../../../testdata/dwarf/${file}`;
  const { types: t } = await openModel(file, new Uint8Array(readFileSync(path)));
  if (t === null) throw new Error('no types');
  const idOf = (name: string) => {
    for (let id = typeId(t.firstId); id <= lastId(t); id = typeId(id + 1)) {
      if (kindOf(t, id) === BtfKind.STRUCT && nameOf(t, id) === name) return id;
    }
    throw new Error(`no type ${name}`);
  };
  /** Returns the members of a struct as `name: type`. */
  const membersOf = (name: string) =>
    memberRows(t, idOf(name), new Set())
      .filter(({ kind }) => kind === 'member')
      .map((row) => `${row.isBase ? 'base' : row.name}: ${typeText(t, row.type)}`);
  return { t, idOf, membersOf };
}

describe('typeText', () => {
  it.each(['clang', 'gcc'])('has references and base classes of C++ by %s', async (compiler) => {
    const { t, idOf, membersOf } = await open(`languages.${compiler}.o`);
    expect(membersOf('ns::derived').slice(0, 5)).toEqual([
      'base: base',
      'base: other',
      'r: int &',
      'rv: int &&',
      'z: int',
    ]);
    expect(membersOf('ns::members').slice(0, 3)).toEqual([
      'data: int base::*',
      'method: int (base::*)(int)',
      'call: int (*)(const char *, ...)',
    ]);
    const { rows } = boxText(graphReader(t, new Set()), idOf('ns::derived'), 3, []);
    expect(rows.map(({ name, type }) => `${name}: ${type}`)).toEqual([
      'base class: base',
      'base class: other',
      'r: int &',
    ]);
  });

  it('has no declaration of a type without a name', async () => {
    const { membersOf } = await open('languages.clang.o');
    expect(membersOf('ns::(anonymous namespace)::secret')).toEqual([
      'c: char',
      ': struct {…}',
      'u: union {…}',
    ]);
  });

  it('has the types of Rust, Go and Zig', async () => {
    const rust = await open('languages.rust.o');
    expect(rust.membersOf('languages::Node')).toContain('name: &str');
    expect(rust.membersOf('languages::Node')).toContain('data: [u16; 3]');
    const go = await open('languages.go.debug');
    expect(go.membersOf('main.Node')).toContain('data: []uint8');
    expect(go.membersOf('main.Node')).toContain('next: *main.Node');
    const zig = await open('languages.zig.o');
    expect(zig.membersOf('languages.Point')).toContain('opt: ?u32');
  });

  it('has C for C', async () => {
    const { t, idOf } = await open('clang.o');
    const shared = idOf('shared');
    expect([typeText(t, shared), typeHeading(t, shared)]).toEqual(['struct shared', 'shared']);
  });
});
