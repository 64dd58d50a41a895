/** Compares C types for compatibility (C11 6.2.7 and 6.7.6), as far as declarations need it. */
import { append } from '#bytes/arrays.ts';
import { getOrCreate } from '#bytes/cache.ts';
import { bare, type CType } from './c-types.ts';

/** Results by pair: a long chain of types can be declared again and again. */
const known = new WeakMap<object, WeakMap<object, boolean>>();

/** Returns true if the types are compatible. Typedefs and type tags make no difference. */
export function isSameType(a: CType, b: CType): boolean {
  if (a === null || b === null || a === b) return comparesEqual(a, b);
  const results = getOrCreate(known, a, () => new WeakMap<object, boolean>());
  return getOrCreate(results, b, () => comparesEqual(a, b));
}

function comparesEqual(a: CType, b: CType): boolean {
  const left: (readonly [CType, CType])[] = [[a, b]];
  /** Types that were compared with each type: functions can take one type over and over. */
  const compared = new Map<CType, Set<CType>>();
  for (let pair = left.pop(); pair !== undefined; pair = left.pop()) {
    if (pair[0] === pair[1]) continue;
    const others = getOrCreate(compared, pair[0], () => new Set());
    if (others.has(pair[1])) continue;
    others.add(pair[1]);
    const [first, second] = [unwrapped(pair[0]), unwrapped(pair[1])];
    if (first.qualifiers !== second.qualifiers) return false;
    const [x, y] = [first.type, second.type];
    if (x === y) continue;
    if (x?.kind === 'pointer' && y?.kind === 'pointer') left.push([x.to, y.to]);
    else if (x?.kind === 'atomic' && y?.kind === 'atomic') left.push([x.of, y.of]);
    else if (x?.kind === 'array' && y?.kind === 'array') {
      if (first.dimensions.join() !== second.dimensions.join()) return false;
      left.push([first.element, second.element]);
    } else if (x?.kind === 'func' && y?.kind === 'func') {
      if (x.varargs !== y.varargs || x.params.length !== y.params.length) return false;
      left.push([x.returns, y.returns]);
      // Qualifiers of a parameter itself make no difference: C11 6.7.6.3.
      for (const [i, param] of x.params.entries())
        left.push([bare(param), bare(y.params[i] ?? null)]);
    } else return false;
  }
  return true;
}

type Unwrapped = {
  readonly type: CType;
  /** Qualifiers in alphabetical order, as one text. */
  readonly qualifiers: string;
  /** All dimensions of an array, including dimensions from a typedef of its elements. */
  readonly dimensions: readonly number[];
  readonly element: CType;
};

function unwrapped(type: CType): Unwrapped {
  const qualifiers = new Set<string>();
  let at = type;
  for (; at?.kind === 'qualified' || at?.kind === 'typedef'; at = at.of) {
    if (at.kind === 'qualified') qualifiers.add(at.by);
  }
  const dimensions: number[] = [];
  let element: CType = at;
  for (let inner: CType = at; inner?.kind === 'array'; inner = bare(element)) {
    append(dimensions, inner.dimensions);
    element = inner.of;
  }
  return { type: at, qualifiers: [...qualifiers].sort().join(' '), dimensions, element };
}
