/**
 * Compares the counts of a comparison with those of an independent script, which reads raw dumps of
 * both kernels.
 */
import { describe, expect, it } from 'vitest';
import { facetCounts } from '#analysis/compare/changes.ts';
import { compareTables, STATES, stateCounts } from '#analysis/compare/compare-tables.ts';
import { compareTypes, pairGraphOf } from '#analysis/compare/compare-types.ts';
import { findTypeKey, parseTypeKey } from '#analysis/types/type-key.ts';
import type { TypeTable } from '#model/type-table.ts';
import {
  atLeast,
  corpusKernels,
  isLargeCorpus,
  kernelIds,
  readCorpusFile,
} from '#testing/corpus.ts';
import { tableOf } from '#testing/type-table.ts';
import { writeRaw } from './btf-dump.ts';
import { gathered } from './byte-text.ts';
import { paholeOf } from './pahole/pahole.ts';

const MINUTE = 60_000;

type Dumped = {
  readonly kind: string;
  readonly name: string;
  /** Text of the dump after the name, without ids of other types. */
  readonly facts: string;
  readonly target: number;
  readonly items: readonly { readonly text: string; readonly type: number }[];
};

/** Parses lines such as `[12] STRUCT 'foo' size=8 vlen=1`, and the item lines after each. */
function parseDump(text: string): ReadonlyMap<number, Dumped> {
  const types = new Map<number, Dumped>();
  let items: { text: string; type: number }[] = [];
  for (const line of text.split('\n')) {
    const item = /^\t(.*)$/.exec(line)?.[1];
    if (item !== undefined) {
      const type = Number(/\btype_id=(\d+)/.exec(item)?.[1] ?? 0);
      // bpftool prints `bitfield_size` if kind_flag is set. Remove 0: it means no bit-field.
      const facts = item.replace(/ type_id=\d+/, '').replace(/ bitfield_size=0$/, '');
      items.push({ text: facts, type });
      continue;
    }
    const head = /^\[(\d+)\] (\w+) '(.*?)'(.*)$/.exec(line);
    if (head === null) continue;
    const [, id = '', kind = '', name = '', rest = ''] = head;
    const target = Number(/ (?:ret_)?type_id=(\d+)/.exec(rest)?.[1] ?? 0);
    const facts = rest.replace(/ (ret_type_id|type_id|index_type_id)=\d+/g, '');
    items = [];
    types.set(Number(id), { kind, name: name === '(anon)' ? '' : name, facts, target, items });
  }
  return types;
}

const UNNAMED = [
  'PTR',
  'CONST',
  'VOLATILE',
  'RESTRICT',
  'ARRAY',
  'FUNC_PROTO',
  'TYPE_TAG',
  'DECL_TAG',
];

class Script {
  readonly types: ReadonlyMap<number, Dumped>;
  readonly #tags = new Map<number, string[]>();
  readonly #spelled = new Map<number, string>();

  constructor(t: TypeTable) {
    const bytes = gathered((out) => {
      for (const _ of writeRaw(t, out));
    });
    this.types = parseDump(new TextDecoder().decode(bytes));
    for (const { kind, name, facts, target } of this.types.values()) {
      if (kind !== 'DECL_TAG') continue;
      this.#tags.set(target, [...(this.#tags.get(target) ?? []), `${name}${facts}`]);
    }
  }

  /** Returns the key: kind and name, or an unnamed enum's first enumerator. Null if it has none. */
  ownKey(id: number): string | null {
    const type = this.types.get(id);
    if (type === undefined || UNNAMED.includes(type.kind)) return null;
    if (type.name !== '')
      return `${type.kind}${type.kind === 'FWD' ? type.facts : ''} ${type.name}`;
    const [first] = type.kind.startsWith('ENUM') ? type.items : [];
    return first === undefined ? null : `${type.kind} of ${/'(.*?)'/.exec(first.text)?.[1]}`;
  }

  #key(id: number): string | null {
    const key = this.ownKey(id);
    return key?.replace(/^FWD fwd_kind=(\w+)/, (_, what: string) => what.toUpperCase()) ?? null;
  }

  /** Returns the text of a reference: the key of the type, or its text if it has no key. */
  #spell(id: number): string {
    if (id === 0) return 'void';
    const known = this.#spelled.get(id) ?? this.#key(id) ?? this.shallow(id);
    this.#spelled.set(id, known);
    return known;
  }

  shallow(id: number): string {
    const type = this.types.get(id);
    if (type === undefined) return `missing`;
    const { kind, name, facts, target, items } = type;
    const tags = (this.#tags.get(id) ?? []).sort().join();
    const inner = items.map(({ text, type: at }) => `${text}:${this.#spell(at)}`).join(';');
    return `${kind} ${name} ${facts} ${tags} (${this.#spell(target)}) {${inner}}`;
  }

  /** Returns the types with a key that `id` contains by value, also inside types without a key. */
  held(id: number): number[] {
    const type = this.types.get(id);
    if (type === undefined || type.kind === 'PTR') return [];
    const next = [type.target, ...type.items.map((item) => item.type)].filter((at) => at !== 0);
    return next.flatMap((at) => (this.#key(at) === null ? this.held(at) : [at]));
  }

  *keyed(): Generator<readonly [key: string, id: number]> {
    for (const id of this.types.keys()) {
      const key = this.ownKey(id);
      if (key !== null) yield [key, id];
    }
  }
}

/**
 * Returns a color per type with a key. Refines the colors until their number is stable: then equal
 * colors mean equal types at any depth.
 */
function deepColours(scripts: readonly Script[]): ReadonlyMap<number, number>[] {
  const number = new Map<string, number>();
  const colourOf = (text: string) => {
    const known = number.get(text) ?? number.size;
    number.set(text, known);
    return known;
  };
  const held = scripts.map(
    (script) => new Map(Array.from(script.keyed(), ([, id]) => [id, script.held(id)] as const)),
  );
  let colours = scripts.map(
    (script) => new Map(Array.from(script.keyed(), ([, id]) => [id, colourOf(script.shallow(id))])),
  );
  for (let count = 0; ; ) {
    number.clear();
    colours = colours.map(
      (own, i) =>
        new Map(
          Array.from(own, ([id, colour]) => {
            const inner = (held[i]?.get(id) ?? []).map((at) => own.get(at));
            return [id, colourOf(`${colour}:${inner.join()}`)] as const;
          }),
        ),
    );
    if (number.size === count) return colours;
    count = number.size;
  }
}

function byKey<T>(script: Script, read: (id: number) => T): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const [key, id] of script.keyed()) {
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [read(id)]);
    else group.push(read(id));
  }
  return groups;
}

/** Returns the number of elements of `a` that are also in `b`; equal elements count separately. */
function shared<T>(a: readonly T[], b: readonly T[]): number {
  const left = [...b];
  return a.filter((item) => {
    const at = left.indexOf(item);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  }).length;
}

function scriptCounts(a: TypeTable, b: TypeTable) {
  const before = new Script(a);
  const after = new Script(b);
  const [deepA, deepB] = deepColours([before, after]);
  const own = byKey(before, (id) => [before.shallow(id), deepA?.get(id)] as const);
  const other = byKey(after, (id) => [after.shallow(id), deepB?.get(id)] as const);
  const counts = { changed: 0, inside: 0, added: 0, removed: 0, same: 0 };
  for (const key of new Set([...own.keys(), ...other.keys()])) {
    const x = own.get(key) ?? [];
    const y = other.get(key) ?? [];
    const pairs = Math.min(x.length, y.length);
    const alike = shared(
      x.map(([shallow]) => shallow),
      y.map(([shallow]) => shallow),
    );
    const same = shared(
      x.map(([, deep]) => deep),
      y.map(([, deep]) => deep),
    );
    counts.removed += x.length - pairs;
    counts.added += y.length - pairs;
    counts.changed += pairs - alike;
    counts.inside += alike - same;
    counts.same += same;
  }
  return counts;
}

function ourCounts(a: TypeTable, b: TypeTable) {
  const work = compareTables(a, b);
  let step = work.next();
  while (!step.done) step = work.next();
  const counts = stateCounts(step.value);
  return {
    ...Object.fromEntries(STATES.map((state, i) => [state, counts[i]])),
    same: step.value.same,
  };
}

function kernel(id: string): TypeTable {
  const file = corpusKernels().find((kernel) => kernel.id === id);
  if (file === undefined) throw new Error(`the corpus has no ${id}`);
  return tableOf(readCorpusFile(file));
}

describe('counts of whole kernels equal those of a script over their dumps', () => {
  it.skipIf(!isLargeCorpus).each([
    [kernelIds.first, kernelIds.second],
    [kernelIds.second, kernelIds.third],
  ])(
    '%s and %s',
    (a, b) => {
      const [before, after] = [kernel(a), kernel(b)];
      const counts = ourCounts(before, after);
      expect(counts).toEqual(scriptCounts(before, after));
      expect(counts.same).toBeGreaterThan(20_000);
    },
    3 * MINUTE,
  );

  it(
    'a kernel and itself',
    () => {
      const original = kernel(kernelIds.first);
      const copy = kernel(kernelIds.first);
      expect(ourCounts(original, copy)).toMatchObject({
        changed: 0,
        inside: 0,
        added: 0,
        removed: 0,
      });
    },
    MINUTE,
  );
});

/** Returns the offset of each member in the text of pahole, of members with one name the first. */
function membersOfPahole(text: string): Map<string, string> {
  const members = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, left = '', offset = ''] = /^\t+([^}].*;) *\/\* +(\d+(?:: *\d+)?) /.exec(line) ?? [];
    const name = /\(\*(\w+)\)|(\w+)(?:\[\d*\])*(?::\d+)?;$/.exec(left);
    const word = name?.[1] ?? name?.[2];
    if (word !== undefined && !members.has(word)) members.set(word, offset.replace(/ /g, ''));
  }
  return members;
}

it('counts members of sk_buff as in the texts of pahole', { timeout: 5 * MINUTE }, () => {
  const key = parseTypeKey('struct:sk_buff');
  const tables = corpusKernels().map((kernel) => tableOf(readCorpusFile(kernel)));
  let counted = 0;
  for (const [i, after] of tables.entries()) {
    const before = tables[i - 1];
    if (before === undefined || key === null) continue;
    const [a, b] = [findTypeKey(before, key), findTypeKey(after, key)];
    if (a === null || b === null) continue;
    const [, added = 0, removed = 0, replaced = 0, moved = 0] = facetCounts(
      compareTypes(pairGraphOf(before, after), a, b),
    );
    const [old, now] = [membersOfPahole(paholeOf(before, a)), membersOfPahole(paholeOf(after, b))];
    expect(removed + replaced).toBe([...old.keys()].filter((name) => !now.has(name)).length);
    expect(added + replaced).toBe([...now.keys()].filter((name) => !old.has(name)).length);
    const isMoved = ([name, at]: [string, string]) => now.has(name) && now.get(name) !== at;
    expect(moved).toBe([...old].filter(isMoved).length);
    counted++;
  }
  expect(counted).toBeGreaterThanOrEqual(atLeast({ large: 7, testdata: 5 }));
});
