/** Tests the layout of graphs: contents, positions, and stability of positions. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { nameOf, type TypeTable } from '#model/type-table.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  enumeration,
  func,
  funcProto,
  fwd,
  int,
  modifier,
  ptr,
  struct,
  type TypeRecord,
  typedef,
  union,
} from '#testing/btf-types.ts';
import { runs } from '#testing/runs.ts';
import { tableOf } from '#testing/type-table.ts';
import { type GraphAction, withAction } from './grow.ts';
import { DIRECTIONS } from './links.ts';
import { BOX_WIDTH, HEADER_HEIGHT } from './measures.ts';
import {
  BOX_STATES,
  type GraphPicture,
  type GraphRequest,
  layoutGraph,
  type Scene,
  sceneOf,
} from './scene.ts';

const ASK: Omit<GraphRequest, 'selected'> = {
  depth: 1,
  open: '',
  hide: null,
  path: [],
  forced: [],
};

const t = tableOf(
  btfBlob({
    types: [
      int('int', 4), // 1
      struct('list', 16, [
        { name: 'next', type: 3, bitOffset: 0 },
        { name: 'prev', type: 3, bitOffset: 64 },
      ]),
      ptr(2),
      struct('', 8, [
        { name: 'kind', type: 5, bitOffset: 0 },
        { name: 'back', type: 8, bitOffset: 0 },
      ]),
      enumeration('kind', [['A', 0]]), // 5
      typedef('obj_t', 7),
      struct('', 8, [{ name: 'links', type: 9, bitOffset: 0 }]),
      ptr(10),
      array(3, 1, 16),
      modifier('const', 11), // 10
      struct('root', 64, [
        { name: 'n', type: 1, bitOffset: 0, bitfieldSize: 3 },
        { name: '', type: 4, bitOffset: 64 },
        { name: 'inner', type: 4, bitOffset: 128 },
        { name: 'obj', type: 6, bitOffset: 192 },
        { name: 'run', type: 13, bitOffset: 256 },
        { name: 'opaque', type: 15, bitOffset: 320 },
      ]),
      funcProto(3, [
        ['self', 8],
        ['n', 1],
      ]),
      ptr(12),
      fwd('hidden', 'union'),
      ptr(14), // 15
      func('start', 12),
    ],
  }).bytes,
);

const draw = (types: TypeTable, selected: number, more: Partial<typeof ASK> = {}): Scene =>
  sceneOf(types, layoutGraph(types, { ...ASK, selected, ...more }));

const edges = (scene: Scene): string[] =>
  Array.from({ length: scene.linkCount }, (_, i) => {
    const { from, to, row, text, direction } = scene.link(i);
    const { rows } = scene.box(from).text;
    const label = `${rows[row]?.name ?? ''} ${text}`.trim();
    return `${scene.box(from).type} ${label} > ${scene.box(to).type} ${direction}`;
  });

const types = (scene: Scene): number[] =>
  Array.from({ length: scene.boxCount }, (_, i) => scene.box(i).type);

describe('contents of a graph', () => {
  it('writes pointers, arrays, modifiers and typedefs on edges, and takes anonymous members in', () => {
    expect(edges(draw(t, 11))).toEqual([
      '11 kind > 5 forward',
      '11 back const * > 11 self',
      '11 obj > 6 forward',
      '11 opaque * > 14 forward',
    ]);
  });

  it('goes on from what it found, as deep as it is asked to', () => {
    const scene = draw(t, 11, { depth: 2 });
    expect(types(scene)).toEqual([11, 5, 6, 14, 2]);
    expect(edges(scene)).toContain('6 links * [16] > 2 forward');
    expect(edges(draw(t, 11, { depth: 3 }))).toContain('2 next * > 2 self');
  });

  it('shows bit-fields and scalars in the row', () => {
    const [row] = draw(t, 11).box(0).text.rows;
    expect(row).toMatchObject({ path: [0], name: 'n', bits: ':3', type: 'int', isScalar: true });
  });

  it('shows functions only when it is asked to', () => {
    expect(types(draw(t, 11))).not.toContain(12);
    expect(types(draw(t, 11, { hide: 'none' }))).toContain(12);
    expect(types(draw(t, 11, { hide: 'struct,enum,func' }))).toEqual([11, 14]);
    expect(edges(draw(t, 16))).toEqual([
      '16 returns * > 2 forward',
      '16 self const * > 11 forward',
    ]);
  });

  it.each([
    ['a pointer', 15, [14]],
    ['a scalar', 1, []],
    ['an enum', 5, []],
    ['an id that does not exist', 99, []],
    ['void', 0, []],
  ])('begins at %s', (_what, root, expected) => {
    expect(types(draw(t, root))).toEqual([root, ...expected]);
  });

  it('stops at the limit and reports it', () => {
    const all = layoutGraph(t, { ...ASK, selected: 11, depth: 2 });
    expect([all.boxes.type.length, all.truncated]).toEqual([5, false]);
    const few = layoutGraph(t, { ...ASK, selected: 11, depth: 2 }, 3);
    expect([few.boxes.type.length, few.truncated]).toEqual([3, true]);
  });
});

describe('what a person does', () => {
  const act = (...actions: Parameters<typeof withAction>[2][]) =>
    actions.reduce((open, action) => withAction(t, open, action), '');
  const obj = typeId(6);

  it('expands one type, and collapses it with the types that only it reaches', () => {
    const expanded = act({ verb: 'expand', type: obj });
    expect(expanded).toBe('typedef:obj_t');
    expect(types(draw(t, 11, { open: expanded }))).toEqual([11, 5, 6, 14, 2]);
    const folded = act({ verb: 'expand', type: obj }, { verb: 'fold', type: obj });
    expect(folded).toBe('');
    const scene = draw(t, 11, { depth: 2, open: act({ verb: 'fold', type: obj }) });
    expect(types(scene)).toEqual([11, 5, 6, 14]);
    expect(scene.box(2)).toMatchObject({ state: 'folded', more: 1 });
  });

  it('makes what an edge passes a node', () => {
    const open = act({ verb: 'passed', type: typeId(15) });
    const scene = draw(t, 11, { open });
    expect(edges(scene)).toEqual([
      '11 kind > 5 forward',
      '11 back const * > 11 self',
      '11 obj > 6 forward',
      '11 opaque > 15 forward',
      '15  > 14 level',
    ]);
  });

  it('puts a referrer before what it refers to', () => {
    const scene = draw(t, 2, { open: act({ verb: 'referrer', type: obj }) });
    const index = scene.indexOf(6) ?? -1;
    expect(scene.box(index).column).toBe(-1);
    expect(scene.box(index).x + BOX_WIDTH).toBeLessThan(scene.box(0).x);
    expect(edges(scene)).toContain('6 links * [16] > 2 forward');
  });

  it('stays at the root that was named while the selection is in its graph', () => {
    const open = act({ verb: 'root', type: typeId(11) });
    expect(layoutGraph(t, { ...ASK, selected: 5, open }).root).toBe(11);
    expect(layoutGraph(t, { ...ASK, selected: 2, open })).toMatchObject({
      root: 2,
      request: { open: '' },
    });
  });

  it('gives a forced member a row in place of another, at the same height', () => {
    const many = tableOf(
      btfBlob({
        types: [
          int('int', 4),
          struct(
            'many',
            400,
            Array.from({ length: 100 }, (_, i) => ({ name: `m${i}`, type: 1, bitOffset: 32 * i })),
          ),
        ],
      }).bytes,
    );
    const plain = draw(many, 2).box(0);
    const forced = sceneOf(
      many,
      layoutGraph(many, { ...ASK, selected: 2, forced: [{ type: 2, path: [77] }] }),
    ).box(0);
    expect(plain.text.rows.map(({ name }) => name)).not.toContain('m77');
    expect(forced.text.rows.map(({ name }) => name)).toContain('m77');
    expect([forced.height, forced.text.rest]).toEqual([plain.height, plain.text.rest]);
    const all = draw(many, 2, { open: withAction(many, '', { verb: 'rows', type: typeId(2) }) });
    expect([all.box(0).text.rows.length, all.box(0).text.rest]).toEqual([100, 0]);
  });
});

const MOST = 60;
const anyId = fc.oneof({ weight: 12, arbitrary: fc.nat(MOST) }, fc.constantFrom(99, 0xffffffff));
const anyMembers = fc
  .array(anyId, { maxLength: 22 })
  .map((ids) => ids.map((type, i) => ({ name: `m${i}`, type, bitOffset: 64 * i })));
const anyType: fc.Arbitrary<TypeRecord> = fc.oneof(
  fc.constant(int('int', 4)),
  anyId.map(ptr),
  anyId.map((id) => typedef('t', id)),
  anyId.map((id) => modifier('const', id)),
  anyId.map((id) => array(id, 1, 4)),
  { weight: 14, arbitrary: anyMembers.map((members) => struct('s', 64, members)) },
  anyMembers.map((members) => union('u', 64, members)),
  anyMembers.map((members) => struct('', 64, members)),
  fc.constant(enumeration('e', [['A', 1]])),
);
/** Type 1 contains many types, so that columns are several boxes wide. */
const anyTable = fc
  .array(anyType, { minLength: 20, maxLength: MOST, size: 'max' })
  .map((records) => {
    const held = records.map((_, i) => ({ name: `r${i}`, type: i + 2, bitOffset: 0 }));
    const root = struct('root', 64, held.slice(0, records.length / 2));
    return tableOf(btfBlob({ types: [root, ...records] }).bytes);
  });
const anyRoot = fc.oneof(fc.constant(1), fc.nat(MOST));
const anyDepth = fc.integer({ min: 1, max: 3 });
const anyAction = fc.record({
  verb: fc.constantFrom('expand', 'fold', 'rows', 'referrer', 'passed'),
  type: fc.nat(MOST).map((id) => typeId(id)),
});

const RUNS = { numRuns: runs(60) };

describe('any graph of types', () => {
  const actOn = (table: TypeTable, actions: readonly GraphAction[]) =>
    actions.reduce((open, action) => withAction(table, open, action), '');

  it('has no two boxes that overlap, and edges that end at boxes and run over none', () => {
    fc.assert(
      fc.property(
        anyTable,
        anyRoot,
        anyDepth,
        fc.array(anyAction, { maxLength: 30, size: 'max' }),
        (table, selected, depth, actions) => {
          const open = actOn(table, actions);
          const picture = layoutGraph(table, { ...ASK, selected, depth, open });
          expectApart(picture);
          expectEnds(picture);
          expectClear(picture);
        },
      ),
      RUNS,
    );
  });

  it('leaves what stood where it stood when something is expanded, shown or folded', () => {
    fc.assert(
      fc.property(anyTable, anyRoot, fc.array(anyAction), (table, selected, actions) => {
        let open = '';
        let before = layoutGraph(table, { ...ASK, selected });
        for (const action of actions.filter(({ verb }) => verb !== 'rows')) {
          open = withAction(table, open, action);
          const after = layoutGraph(table, { ...ASK, selected, open });
          expectSamePlaces(before, after);
          before = after;
        }
      }),
      RUNS,
    );
  });

  it('leaves what stood where it stood when it goes a step deeper', () => {
    fc.assert(
      fc.property(anyTable, anyRoot, fc.constantFrom(1, 2), (table, selected, depth) => {
        const before = layoutGraph(table, { ...ASK, selected, depth });
        expectSamePlaces(before, layoutGraph(table, { ...ASK, selected, depth: depth + 1 }));
      }),
      RUNS,
    );
  });
});

function expectApart({ boxes }: GraphPicture): void {
  const { x, y, height } = boxes;
  for (let a = 0; a < x.length; a++) {
    for (let b = a + 1; b < x.length; b++) {
      const apartX = Math.abs((x[a] ?? 0) - (x[b] ?? 0)) >= BOX_WIDTH;
      const [upper, lower] = (y[a] ?? 0) <= (y[b] ?? 0) ? [a, b] : [b, a];
      const apartY = (y[upper] ?? 0) + (height[upper] ?? 0) < (y[lower] ?? 0);
      if (!apartX && !apartY) expect.fail(`boxes ${a} and ${b} overlap`);
    }
  }
}

function expectEnds({ boxes, links }: GraphPicture): void {
  for (let i = 0; i < links.from.length; i++) {
    const [from, to] = [links.from[i] ?? 0, links.to[i] ?? 0];
    const points = links.points.slice(links.starts[i], links.starts[i + 1]);
    const [startX = NaN, startY = NaN] = points;
    const [endX = NaN, endY = NaN] = points.slice(-2);
    const sides = (box: number) => [boxes.x[box] ?? 0, (boxes.x[box] ?? 0) + BOX_WIDTH];
    expect(sides(from)).toContain(startX);
    expect(sides(to)).toContain(endX);
    expect(startY).toBeGreaterThan(boxes.y[from] ?? 0);
    expect(startY).toBeLessThan((boxes.y[from] ?? 0) + (boxes.height[from] ?? 0));
    expect(endY).toBe((boxes.y[to] ?? 0) + HEADER_HEIGHT / 2);
    expect(points.every(Number.isFinite)).toBe(true);
    expect(BOX_STATES[boxes.state[from] ?? 0]).not.toBe('leaf');
    expect(DIRECTIONS[links.direction[i] ?? 9]).toBeDefined();
  }
}

/** Long horizontal parts of an edge may run between boxes, but never over them. */
function expectClear({ boxes, links }: GraphPicture): void {
  for (let i = 0; i < links.from.length; i++) {
    const points = links.points.slice(links.starts[i], links.starts[i + 1]);
    for (let p = 0; p + 3 < points.length; p += 2) {
      const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = points.slice(p, p + 4);
      if (y1 !== y2) continue;
      const isOver = Array.from(boxes.type.keys()).some((box) => {
        const [x, y] = [boxes.x[box] ?? 0, boxes.y[box] ?? 0];
        const isBeside = Math.max(x1, x2) <= x || Math.min(x1, x2) >= x + BOX_WIDTH;
        return !isBeside && y1 > y && y1 < y + (boxes.height[box] ?? 0);
      });
      if (isOver) expect.fail(`edge ${i} runs over a box: ${x1} to ${x2} at ${y1}`);
    }
  }
}

function expectSamePlaces(before: GraphPicture, after: GraphPicture): void {
  const places = new Map(
    Array.from(after.boxes.type, (type, i) => [type, `${after.boxes.x[i]} ${after.boxes.y[i]}`]),
  );
  before.boxes.type.forEach((type, i) => {
    const place = places.get(type);
    if (place !== undefined) expect(place).toBe(`${before.boxes.x[i]} ${before.boxes.y[i]}`);
  });
}

describe('hostile graphs', () => {
  it('answers for a chain of 10,000 typedefs, and one that comes round', () => {
    const chain = Array.from({ length: 10_000 }, (_, i) => typedef(`t${i}`, i + 2));
    const table = tableOf(btfBlob({ types: [...chain, struct('end', 8, [])] }).bytes);
    expect(types(draw(table, 1))).toEqual([1, 10_001]);
    const round = tableOf(btfBlob({ types: [typedef('a', 2), typedef('b', 1)] }).bytes);
    expect(types(draw(round, 1))).toEqual([1]);
  });

  it('answers for structs that hold each other 10,000 deep, by value and without names', () => {
    const member = (type: number) => [{ name: '', type, bitOffset: 0 }];
    const nested = Array.from({ length: 10_000 }, (_, i) => struct('', 8, member(i + 2)));
    const table = tableOf(btfBlob({ types: [...nested, struct('end', 8, [])] }).bytes);
    expect(draw(table, 1, { depth: 3 }).boxCount).toBeLessThan(10);
  });

  it('takes time that grows with what it shows', () => {
    const table = tableOf(btfBlob({ types: tree(3000) }).bytes);
    const root = typeId(1);
    expect(nameOf(table, root)).toBe('s0');
    const picture = layoutGraph(table, { ...ASK, selected: root, depth: 3 });
    // The tree has 14 + 14² + 14³ types: the graph is cut at the maximum.
    expect(picture.boxes.type.length).toBeGreaterThan(2000);
    expectApartInColumns(picture);
  });
});

/** Returns BTF records of a tree of structs: each struct contains 14 structs by value. */
function tree(count: number): TypeRecord[] {
  return Array.from({ length: count }, (_, i) =>
    struct(
      `s${i}`,
      8,
      Array.from({ length: 14 }, (_unused, m) => ({
        name: `m${m}`,
        type: 14 * i + m + 2,
        bitOffset: 0,
      })).filter(({ type }) => type <= count),
    ),
  );
}

function expectApartInColumns({ boxes }: GraphPicture): void {
  const bottoms = new Map<number, number>();
  const order = Array.from(boxes.y.keys()).sort((a, b) => (boxes.y[a] ?? 0) - (boxes.y[b] ?? 0));
  for (const i of order) {
    const x = boxes.x[i] ?? 0;
    expect(boxes.y[i]).toBeGreaterThan(bottoms.get(x) ?? Number.NEGATIVE_INFINITY);
    bottoms.set(x, (boxes.y[i] ?? 0) + (boxes.height[i] ?? 0));
  }
}
