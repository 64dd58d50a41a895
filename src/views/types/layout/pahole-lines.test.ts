import { describe, expect, it } from 'vitest';
import { memberRows, pathKey } from '#analysis/layout/member-rows.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { isComposite, membersOf } from '#model/type-items.ts';
import { kindOf, nameOf, type TypeTable } from '#model/type-table.ts';
import { paholeOf } from '#print/pahole/pahole.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { array, enumeration, int, struct, type TypeRecord, union } from '#testing/btf-types.ts';
import { openModel } from '#testing/open-model.ts';
import { sampleBytes } from '#testing/samples.ts';
import { isMostlyBits } from './LayoutSection.tsx';
import { lineOfPath, paholeLines } from './pahole-lines.ts';

async function typesOf(...types: readonly TypeRecord[]): Promise<TypeTable> {
  const model = await openModel('lines.btf', btfBlob({ types }).bytes);
  if (model.types === null) throw new Error('no types');
  return model.types;
}

function told(types: TypeTable, id: TypeId): string[] {
  return paholeLines(types, id, paholeOf(types, id)).lines.map(({ text, path }) =>
    `${path === null ? '-' : pathKey(path)} ${text.trim().split('/*')[0]}`.trim(),
  );
}

describe('paholeLines', () => {
  it('recognises members, nested types, and other lines', async () => {
    const types = await typesOf(
      int('int', 4),
      union('', 4, [
        { name: 'u', type: 1, bitOffset: 0 },
        { name: 'v', type: 1, bitOffset: 0 },
      ]),
      struct('s', 16, [
        { name: 'a', type: 1, bitOffset: 0 },
        { name: '', type: 2, bitOffset: 64 },
        { name: 'in', type: 2, bitOffset: 96 },
      ]),
    );
    expect(told(types, typeId(3))).toEqual([
      '- struct s {',
      '0 int                        a;',
      '-',
      '-',
      '-',
      '1 union {',
      '1/0 int                u;',
      '1/1 int                v;',
      '1 } __attribute__((__aligned__(8)));',
      '2 union {',
      '2/0 int                u;',
      '2/1 int                v;',
      '2 } in;',
      '-',
      '-',
      '-',
      '-',
      '-',
      '- };',
    ]);
  });

  it('takes an array of structs without a name, and an enumeration, as one member each', async () => {
    const types = await typesOf(
      int('int', 4),
      struct('', 4, [{ name: 'x', type: 1, bitOffset: 0 }]),
      array(2, 1, 2),
      enumeration('', [['ONE', 1]]),
      struct('s', 16, [
        { name: 'many', type: 3, bitOffset: 0 },
        { name: 'choice', type: 4, bitOffset: 64 },
        { name: 'x', type: 1, bitOffset: 96 },
      ]),
    );
    const { lineOfPath, lines } = paholeLines(types, typeId(5), paholeOf(types, typeId(5)));
    const textAt = (key: string) => lines[lineOfPath.get(key) ?? -1]?.text.split('/*')[0]?.trim();
    expect([textAt('0'), textAt('1'), textAt('2')]).toEqual([
      '} many[2];',
      '} choice;',
      'int                        x;',
    ]);
  });

  it('finds a line with its name for each member of the structs of an object', async () => {
    const model = await openModel('bitfields.bpf.o', sampleBytes('bitfields.bpf.o'));
    const { types } = model;
    if (types === null) throw new Error('no types');
    let members = 0;
    for (let i = 1; i <= types.count; i++) {
      const id = typeId(i);
      if (!isComposite(kindOf(types, id)) || nameOf(types, id) === '') continue;
      const { lineOfPath, lines } = paholeLines(types, id, paholeOf(types, id));
      for (const { index, name } of membersOf(types, id)) {
        expect(lines[lineOfPath.get(`${index}`) ?? -1]?.text).toContain(name);
        members++;
      }
    }
    expect(members).toBeGreaterThan(10);
  });
});

describe('lineOfPath', () => {
  it('is the line of the member, or of what holds it where pahole writes no members', async () => {
    const types = await typesOf(
      int('int', 4),
      struct('inner', 8, [
        { name: 'x', type: 1, bitOffset: 0 },
        { name: 'y', type: 1, bitOffset: 32 },
      ]),
      struct('s', 12, [
        { name: 'a', type: 1, bitOffset: 0 },
        { name: 'in', type: 2, bitOffset: 32 },
      ]),
    );
    const pahole = paholeLines(types, typeId(3), paholeOf(types, typeId(3)));
    expect(lineOfPath(pahole, [0])).toBe(1);
    expect(lineOfPath(pahole, [1])).toBe(2);
    expect(lineOfPath(pahole, [1, 1])).toBe(2);
    expect(lineOfPath(pahole, [])).toBeNull();
    expect(lineOfPath(pahole, [7, 1])).toBeNull();
  });
});

describe('isMostlyBits', () => {
  it('is true where at least half of the members are bit-fields', async () => {
    const bit = (name: string, bitOffset: number) => ({
      name,
      type: 1,
      bitOffset,
      bitfieldSize: 1,
    });
    const types = await typesOf(
      int('int', 4),
      struct('flags', 8, [bit('a', 0), bit('b', 1), { name: 'c', type: 1, bitOffset: 32 }]),
      struct('plain', 8, [{ name: 'c', type: 1, bitOffset: 32 }]),
    );
    const page = { first: 0, end: 100 };
    expect(isMostlyBits(memberRows(types, typeId(2), new Set(), page))).toBe(true);
    expect(isMostlyBits(memberRows(types, typeId(3), new Set(), page))).toBe(false);
  });
});
