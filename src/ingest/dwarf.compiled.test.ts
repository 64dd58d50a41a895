/** Types of C++, compiled by clang: shapes that BTF has no kind for. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Issue } from '#bytes/issue.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { membersOf } from '#model/type-items.ts';
import { kindOf, lastId, nameOf, type TypeTable } from '#model/type-table.ts';
import { ingestBytes } from './ingest.ts';

/** Compiles C++ to an object of x86-64. */
function compile(source: string, ...options: readonly string[]): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'btfscope-'));
  try {
    writeFileSync(join(folder, 'a.cpp'), source);
    const target =
      '--target=x86_64-linux-gnu -std=c++17 -g -fstandalone-debug -c a.cpp -o a.o'.split(' ');
    const { status, stderr } = spawnSync('clang-19', [...target, ...options], { cwd: folder });
    if (status !== 0) throw new Error(stderr.toString());
    return new Uint8Array(readFileSync(join(folder, 'a.o')));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function open(bytes: Uint8Array): Promise<ObjectModel> {
  const opened = await ingestBytes('a.o', bytes);
  if (opened.kind !== 'object') throw new Error('no object');
  return opened.model;
}

function typesOf({ types }: ObjectModel): TypeTable {
  if (types === null) throw new Error('no types');
  return types;
}

function idOf(t: TypeTable, kind: number, name: string): number {
  for (let id = t.firstId; id <= lastId(t); id++) {
    if (kindOf(t, typeId(id)) === kind && nameOf(t, typeId(id)) === name) return id;
  }
  return 0;
}

/** Returns the members of a struct as `name@byte offset`. */
function layoutOf(t: TypeTable, struct: string): readonly string[] {
  const id = idOf(t, BtfKind.STRUCT, struct);
  return membersOf(t, typeId(id)).map(({ name, bitOffset }) => `${name}@${bitOffset / 8}`);
}

const faults = ({ issues }: ObjectModel): readonly Issue[] =>
  issues.filter(({ severity }) => severity !== 'note');

const SHAPES = `
  struct base { int x; virtual int f(int v) { return v + x; } };
  struct other { long y; };
  namespace ns {
    struct derived : base, other { static int count; int &r; int z; derived(int &q) : r(q) {} };
    int derived::count = 3;
    enum class color : signed char { red = -1, blue = 2 };
    template <typename T> struct box { T value; };
    box<color> boxed;
    base made;
    int table[3][4] = {{1}};
  }
  int read(ns::derived *d) { return d->f(d->z) + (int)ns::boxed.value + ns::table[1][2]; }
`;

describe('types of C++', () => {
  const variants = ['-gdwarf-3', '-gdwarf-4', '-gdwarf-5', '-gz', '-fdebug-types-section'];

  it.each([...variants, '-gdwarf64', '-gsplit-dwarf=single'])('with %s', async (option) => {
    const model = await open(compile(SHAPES, option));
    const t = typesOf(model);
    expect(faults(model)).toEqual([]);
    expect(layoutOf(t, 'ns::derived')).toEqual(['@0', '@16', 'r@24', 'z@32']);
    expect(layoutOf(t, 'base').at(-1)).toBe('x@8');
    expect(layoutOf(t, 'ns::box<ns::color>')).toEqual(['value@0']);
    expect(idOf(t, BtfKind.ENUM, 'ns::color')).toBeGreaterThan(0);
    expect(idOf(t, BtfKind.FUNC, 'base::f')).toBeGreaterThan(0);
    expect(idOf(t, BtfKind.FUNC, 'read')).toBeGreaterThan(0);
    expect(model.dwarf?.languages).toEqual(['C++']);
    expect(model.dwarf?.dieOffset).toHaveLength(t.count);
  });

  it('has variables in the sections that hold them', async () => {
    const t = typesOf(await open(compile(SHAPES)));
    expect(idOf(t, BtfKind.VAR, 'ns::derived::count')).toBeGreaterThan(0);
    expect(idOf(t, BtfKind.DATASEC, '.data')).toBeGreaterThan(0);
    expect(idOf(t, BtfKind.DATASEC, '.bss')).toBeGreaterThan(0);
  });

  it('are in another file if the unit is split', async () => {
    const model = await open(compile(SHAPES, '-gsplit-dwarf'));
    expect(faults(model).map(({ code }) => code)).toEqual(['dwarf.split']);
  });

  it('are missing with an issue if DWARF cannot be read', async () => {
    const bytes = compile(SHAPES);
    const name = Buffer.from(bytes.buffer).indexOf('.debug_abbrev\0');
    bytes[name + 1] = 'x'.charCodeAt(0);
    const model = await open(bytes);
    expect(model.types).toBeNull();
    expect(faults(model).map(({ code }) => code)).toEqual(['dwarf.abbrev-absent']);
  });
});
