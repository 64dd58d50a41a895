/**
 * Compares two BTFs of one program, both as lines of bpftool's raw text, from their symbols on:
 * functions, variables and entries of sections by name, then the types that they lead to, in pairs.
 */

type Line = {
  readonly id: number;
  readonly kind: string;
  readonly name: string;
  /** Text of the record without its id; the ids of other records are in `refs`. */
  readonly text: string;
  readonly items: readonly string[];
  /** Ids in the order of the text, of the record first, then of its items. */
  readonly refs: readonly number[];
};

export type Difference = {
  /** Name of the function or variable. */
  readonly name: string;
  readonly text: string;
  /** True if only an offset in a section differs, as it does after a function more or less. */
  readonly isOffset: boolean;
};

export type Comparison = {
  readonly differences: readonly Difference[];
  /** True if the records that symbols lead to are the same, with the same ids. */
  readonly isSame: boolean;
};

const ID = /(type_id=)(\d+)/g;
/** Kinds that no other record refers to, except tags and sections. */
const SYMBOLS = ['VAR', 'FUNC'];

/**
 * Returns the differences between the BTF of a compiler and `ours`. A forward declaration equals
 * the type, since compilers write types that only code uses.
 */
export function differences(theirs: readonly string[], ours: readonly string[]): Comparison {
  const [left, right] = [recordsOf(theirs), recordsOf(ours)];
  const found: Difference[] = [];
  const pairs: { readonly a: number; readonly b: number; readonly name: string }[] = [];
  const [named, ownNamed] = [symbolsOf(left), symbolsOf(right)];
  for (const [key, symbols] of named) {
    const own = ownNamed.get(key) ?? [];
    for (const [i, { id, name }] of symbols.entries()) {
      const other = own[i];
      if (other === undefined) found.push({ name, text: `${key} is missing`, isOffset: false });
      else pairs.push({ a: id, b: other.id, name });
    }
  }
  for (const [key, symbols] of ownNamed) {
    for (const { name } of symbols.slice(named.get(key)?.length ?? 0)) {
      found.push({ name, text: `${key} is too much`, isOffset: false });
    }
  }
  append(found, pairDifferences(left, right, pairs));
  append(found, sectionDifferences(left, right, new Set(found.map(({ name }) => name))));
  const pruned = usedOf(right);
  const same =
    pruned.join('\n') === theirs.map((line) => line.replace(/ \(VAR .*$/, '')).join('\n');
  return { differences: found, isSame: found.length === 0 && same };
}

function append(all: Difference[], more: readonly Difference[]): void {
  for (const each of more) all.push(each);
}

function recordsOf(lines: readonly string[]): Line[] {
  const records: Line[] = [];
  let items: string[] = [];
  let refs: number[] = [];
  const idsIn = (line: string) => [...line.matchAll(/type_id=(\d+)/g)].map(([, id]) => Number(id));
  for (const raw of lines) {
    const line = raw.replace(/ \(VAR .*$/, '');
    const [, id, text = ''] = /^\[(\d+)\] (.*)$/s.exec(line) ?? [];
    if (id === undefined) {
      items.push(line.replace(ID, '$1'));
      for (const ref of idsIn(line)) refs.push(ref);
      continue;
    }
    const [, kind = '', name = ''] = /^(\w+) '(.*?)'/s.exec(text) ?? [];
    items = [];
    refs = idsIn(text);
    records.push({ id: Number(id), kind, name, text: text.replace(ID, '$1'), items, refs });
  }
  return records;
}

/** Returns functions and variables by kind and name, and tags by what they are on. */
function symbolsOf(records: readonly Line[]): Map<string, Line[]> {
  const symbols = new Map<string, Line[]>();
  for (const record of records) {
    if (!SYMBOLS.includes(record.kind)) continue;
    const key = `${record.kind} ${record.name}`;
    symbols.set(key, [...(symbols.get(key) ?? []), record]);
  }
  return symbols;
}

/** Returns the tags of each record, as text. */
function tagsOf(records: readonly Line[]): Map<number, string> {
  const tags = new Map<number, string>();
  for (const { kind, text, refs } of records) {
    if (kind !== 'DECL_TAG') continue;
    const [of = 0] = refs;
    tags.set(of, `${tags.get(of) ?? ''}; ${text}`);
  }
  return tags;
}

function pairDifferences(
  left: readonly Line[],
  right: readonly Line[],
  symbols: readonly { readonly a: number; readonly b: number; readonly name: string }[],
): Difference[] {
  const found: Difference[] = [];
  const [tags, ownTags] = [tagsOf(left), tagsOf(right)];
  const done = new Set<string>();
  const waiting = [...symbols].reverse();
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    const { a, b, name } = pair;
    const key = `${a} ${b}`;
    if (done.has(key)) continue;
    done.add(key);
    const [x, y] = [left[a - 1], right[b - 1]];
    if (x === undefined && y === undefined) continue;
    if (isForwardOf(x, y) || isForwardOf(y, x)) continue;
    const [theirs, mine] = [shown(x, tags), shown(y, ownTags)];
    if (theirs !== mine || x === undefined || y === undefined) {
      found.push({ name, text: `${name}: ${mine} should be ${theirs}`, isOffset: false });
      continue;
    }
    for (const [i, ref] of x.refs.entries()) waiting.push({ a: ref, b: y.refs[i] ?? 0, name });
  }
  return found;
}

function shown(record: Line | undefined, tags: ReadonlyMap<number, string>): string {
  if (record === undefined) return 'void';
  return [record.text + (tags.get(record.id) ?? ''), ...record.items].join(' ');
}

function isForwardOf(forward: Line | undefined, type: Line | undefined): boolean {
  if (forward?.kind !== 'FWD' || type === undefined) return false;
  return forward.name === type.name && /^(STRUCT|UNION)$/.test(type.kind);
}

/** Returns differences in the sections of variables. `known` has the names that differ anyway. */
function sectionDifferences(
  left: readonly Line[],
  right: readonly Line[],
  known: ReadonlySet<string>,
): Difference[] {
  const placed = (records: readonly Line[]) => {
    const places = new Map<string, { readonly section: string; readonly place: string }>();
    for (const { kind, name, refs, items } of records) {
      if (kind !== 'DATASEC') continue;
      for (const [i, ref] of refs.entries()) {
        const symbol = records[ref - 1];
        if (symbol === undefined) continue;
        places.set(symbol.name, { section: name, place: items[i]?.trim() ?? '' });
      }
    }
    return places;
  };
  const [theirs, ours] = [placed(left), placed(right)];
  const isMoved = (name: string) => theirs.get(name)?.section !== ours.get(name)?.section;
  // A variable more or less moves the others of its section.
  const changed = new Set(
    [...theirs.keys(), ...ours.keys()]
      .filter((name) => isMoved(name) || known.has(name))
      .flatMap((name) => [theirs.get(name)?.section, ours.get(name)?.section]),
  );
  return [...theirs].flatMap(([name, { section, place }]) => {
    const own = ours.get(name);
    if (own === undefined || known.has(name)) return [];
    if (own.section === section && (own.place === place || changed.has(section))) return [];
    const text = `${name}: ${own.section} ${own.place} should be ${section} ${place}`;
    return [{ name, text, isOffset: own.section === section }];
  });
}

/** Returns the lines without types that no symbol leads to, with new ids. */
function usedOf(records: readonly Line[]): string[] {
  const used = new Set<number>();
  const waiting = records
    .filter(({ kind }) => SYMBOLS.includes(kind) || kind === 'DATASEC')
    .map(({ id }) => id);
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (id === 0 || used.has(id)) continue;
    used.add(id);
    for (const ref of records[id - 1]?.refs ?? []) waiting.push(ref);
  }
  const kept = records.filter(
    ({ id, kind, refs }) => used.has(id) || (kind === 'DECL_TAG' && used.has(refs[0] ?? 0)),
  );
  const ids = new Map(kept.map(({ id }, i) => [id, i + 1]));
  return kept.flatMap(({ id, text, items, refs }) => {
    let next = 0;
    const line = (each: string) =>
      each.replace(/type_id=/g, (words) => `${words}${ids.get(refs[next++] ?? 0) ?? 0}`);
    return [`[${ids.get(id)}] ${line(text)}`, ...items.map(line)];
  });
}
