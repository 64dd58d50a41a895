import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findTypeKey } from '#analysis/types/type-key.ts';
import { Malformed } from '#bytes/issue.ts';
import { BtfKind, isKnownKind } from '#formats/btf/kinds.ts';
import { BtfWriter } from '#formats/btf/write.ts';
import { typeId } from '#model/ids.ts';
import { enumeratorsOf, membersOf } from '#model/type-items.ts';
import { kindOf, nameOf, refOf, type TypeTable, vlenOf } from '#model/type-table.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  declTag,
  enumeration,
  func,
  funcProto,
  int,
  ptr,
  record,
  struct,
  type TypeRecord,
  typedef,
  union,
} from '#testing/btf-types.ts';
import { runs } from '#testing/runs.ts';
import { firstUnlike } from '#testing/same-types.ts';
import { sampleBytes, sampleNames } from '#testing/samples.ts';
import { tableInFile, tableOf } from '#testing/type-table.ts';
import { isCarriedKey } from './carried-key.ts';
import { carriedBlob, fileLink, openCarried, typesLink } from './carried-link.ts';
import { carriedTypes } from './carried-records.ts';
import { chooseCarried } from './carry-choice.ts';
import { toBase64Url } from './packed.ts';
import { readTypes, writeTypes } from './type-codec.ts';

const QUIET = new AbortController().signal;
const SMALLEST = 0;

const at = (type: number, bitOffset: number, name = `m${bitOffset}`) => ({ name, type, bitOffset });
const table = (...types: readonly TypeRecord[]) => tableOf(btfBlob({ types }).bytes);

/** Returns the types that a link to `root` carries. */
async function carried(t: TypeTable, root: number, maxLength = SMALLEST): Promise<TypeTable> {
  const link = await typesLink(t, typeId(root), maxLength, QUIET);
  if (link === null) throw new Error('no link');
  expect(isCarriedKey(link.key)).toBe(true);
  const opened = await openCarried(link.key);
  if (opened.kind !== 'types') throw new Error('no types');
  expect(opened.typeCount).toBe(link.typeCount);
  expect(opened.declaredCount).toBe(link.declaredCount);
  return tableOf(opened.bytes);
}

const isKnown = (t: TypeTable, id: number) => id === 0 || isKnownKind(kindOf(t, typeId(id)));
/** Returns false for a struct with 70,000 members, which are too many for a link. */
const isCarriable = (t: TypeTable, id: number) =>
  isKnown(t, id) && vlenOf(t, typeId(id)) < 10_000 && isKnown(t, refOf(t, typeId(id)) ?? 0);

/** Returns the kind and name of each type as `KIND name`. */
const listed = (t: TypeTable) =>
  Array.from(
    { length: t.count },
    (_, i) => `${kindOf(t, typeId(i + 1))} ${nameOf(t, typeId(i + 1))}`,
  );

describe('what a link of a type carries', () => {
  it('is what it holds whole, and a declaration of what it points at', async () => {
    const t = table(
      int('int', 4),
      struct('far', 4, [at(1, 0)]),
      ptr(2),
      struct('near', 4, [at(1, 0)]),
      struct('root', 16, [at(4, 0), at(3, 64)]),
    );
    expect(listed(await carried(t, 5))).toEqual([
      `${BtfKind.STRUCT} root`,
      `${BtfKind.STRUCT} near`,
      `${BtfKind.PTR} `,
      `${BtfKind.INT} int`,
      `${BtfKind.FWD} far`,
    ]);
  });

  it('is a typedef whole that is met behind a pointer first and by value later', async () => {
    const t = table(
      int('int', 4),
      struct('s', 4, [at(1, 0)]),
      typedef('s_t', 2),
      ptr(3),
      struct('root', 16, [at(4, 0), at(3, 64)]),
    );
    const link = await carried(t, 5);
    expect(listed(link)).toContain(`${BtfKind.STRUCT} s`);
    expect(listed(link)).not.toContain(`${BtfKind.FWD} s`);
  });

  it('contains nameless types behind a pointer in full, since they cannot be declared', async () => {
    const t = table(
      int('int', 4),
      union('', 4, [at(1, 0)]),
      typedef('u_t', 2),
      ptr(3),
      struct('root', 8, [at(4, 0)]),
    );
    expect(listed(await carried(t, 5))).toContain(`${BtfKind.UNION} `);
  });

  it('is an enum without its values behind a pointer or in a prototype', async () => {
    const t = table(
      enumeration('e', [['A', 1]]),
      funcProto(0, [['arg', 1]]),
      ptr(2),
      struct('root', 8, [at(3, 0)]),
    );
    const link = await carried(t, 4);
    expect(listed(link)).toContain(`${BtfKind.ENUM} e`);
    for (let id = 1; id <= link.count; id++) expect(enumeratorsOf(link, typeId(id))).toEqual([]);
  });

  it('is a type that points at itself once', async () => {
    const t = table(struct('list_head', 16, [at(2, 0, 'next'), at(2, 64, 'prev')]), ptr(1));
    expect(listed(await carried(t, 1))).toEqual([`${BtfKind.STRUCT} list_head`, `${BtfKind.PTR} `]);
  });

  it('contains the tags of full types, and the long that gives a short pointer size', async () => {
    const t = table(
      int('long int', 4),
      int('char', 1),
      struct('root', 1, [at(2, 0)]),
      declTag('tagged', 3, 0),
      struct('other', 1, [at(2, 0)]),
      declTag('not ours', 5),
    );
    expect(listed(await carried(t, 3)).sort()).toEqual(
      [`4 root`, `1 char`, `1 long int`, `17 tagged`].sort(),
    );
  });

  it('keeps any bytes as names, also codes of the format', async () => {
    const names = ['int', 'counter', '\x01', '\x1f', '\x1fint', 'ünïcode', ' ', '\x02x'];
    const t = table(
      int('int', 4),
      struct(
        'root',
        40,
        names.map((name, i) => at(1, 32 * i, name)),
      ),
    );
    const link = await carried(t, 2);
    expect(membersOf(link, typeId(1)).map((m) => m.name)).toEqual(
      membersOf(t, typeId(2)).map((m) => m.name),
    );
  });

  it('is not shortened where a type contains itself', async () => {
    const t = table(struct('s', 8, [at(2, 0)]), array(1, 3, 2), int('int', 4));
    const link = await carried(t, 1);
    expect(firstUnlike(t, typeId(1), link, typeId(1))).toBeNull();
  });

  it('is null where it would be longer than any link', async () => {
    const writer = new BtfWriter({ encoding: 'wide' });
    const members = Array.from({ length: 40_000 }, (_, i) =>
      at(0, 32 * i, `m${(i * 7919) % 65_521}`),
    );
    writer.addType({ kind: BtfKind.STRUCT, name: 'huge', size: 160_000, members });
    expect(await typesLink(tableOf(writer.finish()), typeId(1), 1_000_000, QUIET)).toBeNull();
  });

  it('is null for void and for missing ids', async () => {
    const t = table(int('int', 4));
    expect(await typesLink(t, typeId(0), 1000, QUIET)).toBeNull();
    expect(await typesLink(t, typeId(99), 1000, QUIET)).toBeNull();
  });

  it('is null for a type of an unknown kind, also beside the long that gives a short pointer size', async () => {
    const t = table(int('long', 4), record(0, { name: 'odd' }), record(0, { name: 'odder' }));
    for (const id of [2, 3]) expect(await typesLink(t, typeId(id), 1000, QUIET)).toBeNull();
  });
});

describe('a size to fill', () => {
  const chain = table(
    int('int', 4),
    ...Array.from({ length: 60 }, (_, i) => [
      struct(`struct_number_${i}`, 16, [at(1, 0, `field_of_${i}`), at(2 * i + 5, 64, 'next')]),
      ptr(2 * i + 2),
    ]).flat(),
    int('unsigned int', 4),
    int('char', 1),
  );

  it('is filled with pointees, nearest first, and kept', async () => {
    let before = 0;
    for (const maxLength of [0, 200, 300, 400, 600, 100_000]) {
      const link = await typesLink(chain, typeId(2), maxLength, QUIET);
      if (link === null) throw new Error('no link');
      expect(link.pointeeCount).toBeGreaterThanOrEqual(before);
      if (link.pointeeCount > 0) expect(link.key.length).toBeLessThanOrEqual(maxLength);
      before = link.pointeeCount;
    }
    expect(before).toBe(59);
  });

  it('of all types declares none of them only', async () => {
    const link = await carried(chain, 2, 100_000);
    expect(listed(link).filter((name) => name.startsWith(`${BtfKind.FWD} `))).toEqual([]);
    expect(firstUnlike(chain, typeId(2), link, typeId(1))).toBeNull();
  });
});

describe.each(sampleNames())('types of %s', (sample) => {
  const t = tableInFile(sampleBytes(sample));
  // The module's BTF is split BTF, which is read with its base.
  const base = sample.startsWith('module') ? tableInFile(sampleBytes('kernel.btf')) : null;
  it.skipIf(t === null || base !== null)('come out of a link as they went in', async () => {
    if (t === null) return;
    for (let id = 1; id <= t.count; id++) {
      // Skip what a link does not carry: types of unknown kinds, and types that refer to them.
      if (sample === 'kinds_2026.btf' && !isCarriable(t, id)) continue;
      const link = await carried(t, id, id % 2 === 0 ? SMALLEST : 2000);
      expect(link.endian).toBe(t.endian);
      expect(firstUnlike(t, typeId(id), link, typeId(1)), `[${id}]`).toBeNull();
    }
  });
});

it('a FUNC of a linkage of more than 16 bits is carried as it is', async () => {
  const t = table(int('int', 4), funcProto(1, []), func('f', 2, 0xfffffd));
  const link = await carried(t, 3);
  expect(firstUnlike(t, typeId(3), link, typeId(1))).toBeNull();
});

it('types of a base and of its split BTF are carried together', async () => {
  const base = tableInFile(sampleBytes('kernel.btf'));
  const blob = sampleBytes('module.btf');
  const t = base && tableOf(blob, base);
  if (t === null) throw new Error('no types');
  for (let id = t.firstId; id < t.firstId + t.count; id++) {
    const link = await carried(t, id);
    expect(firstUnlike(t, typeId(id), link, typeId(1)), `[${id}]`).toBeNull();
  }
});

describe('a whole file', () => {
  it('comes out byte for byte', async () => {
    const bytes = sampleBytes('xdp_counter.bpf.o');
    const key = await fileLink(bytes);
    expect(await openCarried(key ?? '')).toEqual({ kind: 'file', bytes });
  });

  it('that is too large for a link gives none', async () => {
    const noise = Uint8Array.from({ length: 60_000 }, (_, i) => Math.imul(i, 0x9e3779b1) >>> 24);
    const random = fc.sample(fc.uint8Array({ minLength: 60_000, maxLength: 60_000 }), 1)[0];
    expect(await fileLink(noise.slice())).not.toBe('');
    expect(random === undefined ? null : await fileLink(random.slice())).toBeNull();
  });
});

describe('hostile links', () => {
  const told = async (key: string): Promise<string> => {
    try {
      await openCarried(key);
      return '';
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      return error.issue.code;
    }
  };

  it('of any text are opened or refused with a sentence', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('btf1:', 'bytes1:', 'btf2:'),
        fc.string(),
        async (kind, text) => {
          await told(kind + text);
        },
      ),
    );
  });

  it('of a version to come say so', async () => {
    expect(await told('btf7:AAAA')).toBe('link.version');
  });

  it('with one character changed, left out or cut off are refused', async () => {
    const t = table(int('int', 4), struct('s', 8, [at(1, 0, 'first'), at(1, 32, 'second')]));
    const link = await typesLink(t, typeId(2), 0, QUIET);
    const key = link?.key ?? '';
    for (let i = 'btf1:'.length; i < key.length; i++) {
      const other = key[i] === 'A' ? 'B' : 'A';
      const changed = key.slice(0, i) + other + key.slice(i + 1);
      // The last character of a key has bits that are not used.
      if (i < key.length - 1) expect(await told(changed), changed).toBe('link.malformed');
      expect(await told(key.slice(0, i))).toBe('link.malformed');
    }
  });

  it('that swell are stopped', async () => {
    const bomb = deflateRawSync(new Uint8Array(1 << 25));
    const text = toBase64Url(Uint8Array.from([0, 0, 0, ...bomb]));
    expect(text.length).toBeLessThan(64_000);
    expect(await told(`btf1:${text}`)).toBe('link.malformed');
    expect(await told(`bytes1:${text}`)).toBe('link.malformed');
    expect(await told(`bytes1:${'A'.repeat(64_001)}`)).toBe('link.too-long');
  });

  it('of any bytes at all give types or a refusal', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        try {
          const { records } = readTypes(bytes);
          expect(records.length).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(Malformed);
        }
      }),
      { numRuns: runs(2000) },
    );
  });

  it('of types with a few bytes changed give types or a refusal', () => {
    const t = tableInFile(sampleBytes('exec_trace.bpf.o'));
    const task = t && findTypeKey(t, { kind: 'struct', name: 'task_struct', ordinal: 0 });
    if (t === null || task === null) throw new Error('no task_struct');
    expect(membersOf(t, task).length).toBeGreaterThan(2);
    const good = writeTypes(carriedTypes(t, chooseCarried(t, task, 9)));
    const change = fc.tuple(fc.nat(good.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const bytes = good.slice();
        for (const [place, value] of changes) bytes[place] = value;
        try {
          carriedBlob(readTypes(bytes));
        } catch (error) {
          expect(error).toBeInstanceOf(Malformed);
        }
      }),
      { numRuns: runs(2000) },
    );
  });
});
