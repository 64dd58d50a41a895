/**
 * What a person did to a graph, one after another, as the parameter `open` of an
 * address: type keys apart by commas, each with a sign for what was done.
 *
 *   struct:mm_struct     expanded            -struct:file     folded
 *   =struct:sock         all rows shown      <struct:rq       shown though it is a referrer
 *   ~ptr:~123            a type that edges pass is a node    @struct:task_struct   the root
 *
 * The drawing is a function of the list: replayed in order, each step leaves what
 * stood where it stood. So a link gives the picture that was sent.
 */
import { findTypeKey, formatTypeKey, parseTypeKey, typeKeyOf } from '#analysis/types/type-key.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';

const SIGNS = {
  expand: '',
  fold: '-',
  rows: '=',
  referrer: '<',
  passed: '~',
  root: '@',
} as const;

export type GraphVerb = keyof typeof SIGNS;
export type GraphAction = { readonly verb: GraphVerb; readonly type: TypeId };

/** More than anyone does by hand, and little enough for an address. */
const MAX_ACTIONS = 64;
const MAX_LENGTH = 4000;

const VERBS = new Map<string, GraphVerb>([
  ['-', 'fold'],
  ['=', 'rows'],
  ['<', 'referrer'],
  ['~', 'passed'],
  ['@', 'root'],
]);

const foundKeys = new WeakMap<TypeTable, Map<string, TypeId | null>>();

/** Looks the keys of `open` up. Total: what is no key, or names no type here, is left out. */
export function parseOpen(types: TypeTable, open: string): GraphAction[] {
  const actions: GraphAction[] = [];
  for (const token of open.slice(0, MAX_LENGTH).split(',').slice(0, MAX_ACTIONS)) {
    const verb = VERBS.get(token.charAt(0)) ?? 'expand';
    const type = findKey(types, token.slice(SIGNS[verb].length));
    if (type !== null) actions.push({ verb, type });
  }
  return actions;
}

/** A walk over all types for each key, so what was found is kept. */
function findKey(types: TypeTable, text: string): TypeId | null {
  const known = foundKeys.get(types) ?? new Map<string, TypeId | null>();
  foundKeys.set(types, known);
  const found = known.get(text);
  if (found !== undefined) return found;
  const key = parseTypeKey(text);
  const type = key === null ? null : findTypeKey(types, key);
  if (known.size < 4 * MAX_ACTIONS) known.set(text, type);
  return type;
}

/** The `open` with one more action at its end; of an action and its reverse nothing stays. */
export function withAction(types: TypeTable, open: string, action: GraphAction): string {
  const token = tokenOf(types, action);
  const tokens = open === '' ? [] : open.split(',');
  if (action.verb === 'root') {
    return [token, ...tokens.filter((one) => !one.startsWith('@'))].join(',');
  }
  const reverse = reverseOf(types, action);
  if (reverse !== null && tokens.at(-1) === reverse) return tokens.slice(0, -1).join(',');
  const rest = tokens.filter((one) => one !== token);
  return bounded([...rest, token]).join(',');
}

/** The `open` without what `action` added to it. */
export function withoutAction(types: TypeTable, open: string, action: GraphAction): string {
  const token = tokenOf(types, action);
  return open
    .split(',')
    .filter((one) => one !== token)
    .join(',');
}

/** The oldest go first when there is no room, the root stays. */
function bounded(tokens: readonly string[]): string[] {
  const kept = [...tokens];
  while (kept.length > MAX_ACTIONS || kept.join(',').length > MAX_LENGTH) {
    const oldest = kept.findIndex((token) => !token.startsWith('@'));
    if (oldest < 0) break;
    kept.splice(oldest, 1);
  }
  return kept;
}

function reverseOf(types: TypeTable, { verb, type }: GraphAction): string | null {
  if (verb === 'fold') return tokenOf(types, { verb: 'expand', type });
  return verb === 'expand' ? tokenOf(types, { verb: 'fold', type }) : null;
}

function tokenOf(types: TypeTable, { verb, type }: GraphAction): string {
  return SIGNS[verb] + formatTypeKey(typeKeyOf(types, type));
}

/**
 * The parameter `open` that shows these types expanded, the first one as the root:
 * `setViewParam('graph', 'open', openParamOf(types, ids))`. Ids of no type are left out.
 */
export function openParamOf(types: TypeTable, ids: readonly number[]): string {
  const [root, ...others] = ids.map((id) => typeId(id));
  if (root === undefined) return '';
  const actions: GraphAction[] = [
    { verb: 'root', type: root },
    ...[root, ...others].map((type) => ({ verb: 'expand', type }) as const),
  ];
  return bounded(actions.map((action) => tokenOf(types, action))).join(',');
}
