/**
 * Finds types of a kernel or module that share a kind and a name: functions with several
 * prototypes, structs with different members. Tools that look a type up by name find only one.
 */
import { type Duplicate, DuplicateSearch, IDENTICAL } from '#analysis/compare/duplicates.ts';
import { findByNameKind } from '#analysis/kernel/kernel.ts';
import { buildReferrers, type ReferrerIndex, referrersIn } from '#analysis/types/references.ts';
import type { Issue } from '#bytes/issue.ts';
import { IssueCollector } from '#bytes/issue.ts';
import { BtfKind, kindName } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import {
  kindOf,
  lastId,
  nameOf,
  nameOffOf,
  recordSpan,
  sizeOrTypeOf,
  type TypeTable,
} from '#model/type-table.ts';
import { funcPrototype } from './func-prototype.ts';
import { prototypeDifference } from './prototype-difference.ts';

/** Maximum work of all comparisons, in compared members; a kernel needs 20,000. */
const MAX_COMPARED = 2_000_000;
/** Maximum number of pairs in one comparison. */
const MAX_PAIRS = 20_000;
/** Maximum number of types of one name that are compared with the first. */
const MAX_COPIES = 8;
const MAX_NAME_BYTES = 512;

export type SameNames = {
  readonly issues: readonly Issue[];
  /** Number of names with several FUNCs that are not identical. */
  readonly mixedFuncs: number;
};

/**
 * Returns the issues of equal names. `resolved`: names that the build of the kernel looks up, see
 * `resolvedNames`. Stops after `maxCompared` members. Yields between small steps.
 */
export function* sameNames(
  t: TypeTable,
  region: string,
  resolved: ReadonlySet<string>,
  maxCompared = MAX_COMPARED,
): Generator<void, SameNames> {
  const issues = new IssueCollector(region);
  const search = new DuplicateSearch(t, MAX_PAIRS);
  yield;
  const report = new Report(t, issues, search, resolved);
  let mixedFuncs = 0;
  for (const [first, ...others] of search.groups()) {
    // Enums without a name are grouped by their first enumerator: nothing looks them up by name.
    if (first === undefined || nameOffOf(t, first) === 0) continue;
    if (search.compared > maxCompared) return cut(issues, mixedFuncs);
    const found = others.slice(0, MAX_COPIES).map((id) => search.between(first, id));
    const isMixed = found.some(({ at }) => at !== null);
    if (isMixed && kindOf(t, first) === BtfKind.FUNC) mixedFuncs++;
    report.add(first, others.length, found);
    yield;
  }
  for (const [inBase, own] of inBaseToo(t)) {
    if (search.compared > maxCompared) return cut(issues, mixedFuncs);
    report.addInBase(inBase, search.between(inBase, own));
    yield;
  }
  return { issues: issues.issues(), mixedFuncs };
}

function cut(issues: IssueCollector, mixedFuncs: number): SameNames {
  issues.add('btf.same-name-more', () => ({
    severity: 'note',
    message: 'More types share their names, and were not compared',
    span: null,
  }));
  return { issues: issues.issues(), mixedFuncs };
}

/** Kinds of a module that are looked for in its base. Functions of equal names are usual. */
const COMPARED_WITH_BASE: readonly number[] = [BtfKind.STRUCT, BtfKind.TYPEDEF, BtfKind.ENUM];

/** Yields the types of a split table whose kind and name its base has, too. */
function* inBaseToo(t: TypeTable): Generator<readonly [inBase: TypeId, own: TypeId]> {
  const { base } = t;
  if (base === null) return;
  for (let n = t.firstId; n <= lastId(t); n++) {
    const own = typeId(n);
    const kind = kindOf(t, own);
    if (!COMPARED_WITH_BASE.includes(kind)) continue;
    const name = nameOf(t, own, MAX_NAME_BYTES);
    const inBase = name === '' ? null : findByNameKind(base, kind, name);
    if (inBase !== null) yield [inBase, own];
  }
}

class Report {
  readonly #types: TypeTable;
  readonly #issues: IssueCollector;
  readonly #search: DuplicateSearch;
  readonly #resolved: ReadonlySet<string>;
  /** Number of pairs of types that comparisons of prototypes may still read. */
  readonly #prototypes = { left: MAX_COMPARED };
  #referrers: ReferrerIndex | null = null;

  constructor(
    types: TypeTable,
    issues: IssueCollector,
    search: DuplicateSearch,
    resolved: ReadonlySet<string>,
  ) {
    this.#types = types;
    this.#issues = issues;
    this.#search = search;
    this.#resolved = resolved;
  }

  /** Adds a group of `others` types, and `first`, of which the first ones were compared. */
  add(first: TypeId, others: number, found: readonly Duplicate[]): void {
    const t = this.#types;
    const kind = kindOf(t, first);
    const differing =
      kind === BtfKind.FUNC ? this.#mixed(first, found) : found.filter(({ at }) => at !== null);
    // The parameters of a weak function have other names than those of the strong one.
    if (differing.length === 0 && found.some(({ at }) => at !== null)) return;
    const name = nameOf(t, first, MAX_NAME_BYTES);
    const what = `${others + 1} ${kindName(kind)}s`;
    const listed = [first, ...found.map(({ id }) => id)].map((id) => `[${id}]`).join(', ');
    const unlisted = others - found.length;
    const ids = unlisted > 0 ? `${listed} and ${unlisted} more` : listed;
    const span = recordSpan(t, first);
    if (differing.length === 0) {
      if (!found.every(({ why }) => why === IDENTICAL)) return;
      this.#issues.add('btf.not-deduplicated', () => ({
        severity: 'note',
        message: `${what} named ${name} are identical: ${ids}`,
        span,
        advice: 'The BTF was not deduplicated: pahole and btf__dedup of libbpf keep one of them.',
      }));
      return;
    }
    const isResolved = this.#resolved.has(name) && kind !== BtfKind.FUNC;
    const code = isResolved ? 'btf.same-name-resolved' : `btf.same-name.${kindName(kind)}`;
    this.#issues.add(code, () => ({
      severity: isResolved ? 'warning' : 'note',
      message:
        kind === BtfKind.FUNC
          ? `${what} named ${name} have different prototypes: ${ids}`
          : `${what} named ${name} differ: ${ids}`,
      span,
      found: differing.map((one) => this.#difference(first, one)).join('; '),
      advice: [
        kind === BtfKind.FUNC ? FUNC_ADVICE : this.#users([first, ...found.map(({ id }) => id)]),
        ...(kind === BtfKind.STRUCT || kind === BtfKind.UNION ? [CORE_ADVICE] : []),
        ...(isResolved ? [`resolve_btfids takes the first, [${first}], for BTF_ID.`] : []),
      ].join(' '),
    }));
  }

  /** Returns the functions with another prototype, each with the first difference as its text. */
  #mixed(first: TypeId, found: readonly Duplicate[]): readonly Duplicate[] {
    const t = this.#types;
    const proto = (id: TypeId) => typeId(sizeOrTypeOf(t, id));
    return found.flatMap((one) => {
      if (one.at === null) return [];
      const why = prototypeDifference(t, proto(first), proto(one.id), this.#prototypes);
      return why === null ? [] : [{ ...one, why }];
    });
  }

  /** Adds a type of a module that differs from the one of its name in the base. */
  addInBase(inBase: TypeId, own: Duplicate): void {
    if (own.at === null) return;
    const t = this.#types;
    const kind = kindName(kindOf(t, own.id));
    const name = nameOf(t, own.id, MAX_NAME_BYTES);
    this.#issues.add(`btf.differs-from-base.${kind}`, () => ({
      severity: 'note',
      message: `${kind} ${name} [${own.id}] differs from [${inBase}] of the base`,
      span: recordSpan(t, own.id),
      found: this.#difference(inBase, own),
      advice: `${this.#users([own.id])} CO-RE takes that of vmlinux, not that of a module.`,
    }));
  }

  #difference(first: TypeId, { id, path, why }: Duplicate): string {
    const t = this.#types;
    if (kindOf(t, first) !== BtfKind.FUNC) {
      const where = path.length === 0 ? '' : `${path.join('.')}: `;
      const line = path.length === 0 ? this.#search.lineChange(first, id) : null;
      const more = line === null || line === why ? '' : `, ${line}`;
      return `[${id}] ${where}${why}${more}`;
    }
    return `[${first}] ${prototypeOf(t, first)}; [${id}] ${prototypeOf(t, id)}; first difference: ${why}`;
  }

  #users(ids: readonly TypeId[]): string {
    this.#referrers ??= buildReferrers(this.#types);
    const users = ids.map((id) => usersOf(this.#types, this.#referrers, id));
    const [first = NO_USERS] = users;
    const both = [...first.names].filter((user) => users.every(({ names }) => names.has(user)));
    const lists = ids.map((id, i) => `[${id}] is used by ${listText(users[i] ?? NO_USERS)}`);
    const isShared = ids.length > 1 && both.length > 0;
    const isCut = users.some((one) => one.isCut);
    const shared = isShared ? `; all of them by ${listText({ names: new Set(both), isCut })}` : '';
    return `${lists.join('; ')}${shared}.`;
  }
}

const FUNC_ADVICE =
  'An fentry, fexit, fmod_ret or LSM program is checked against the first of them. pahole 1.25 and later leave such functions out with the feature consistent_func.';
const CORE_ADVICE =
  'CO-RE tries all of them, and fails where they give different values: "relocation decision ambiguity".';

const MAX_TEXT = 160;

function prototypeOf(t: TypeTable, func: TypeId): string {
  return funcPrototype(t, typeId(sizeOrTypeOf(t, func)), nameOf(t, func, MAX_TEXT));
}

const MAX_USERS = 512;
/** Maximum number of types through which the users of a type are searched. */
const MAX_SEEN = 20_000;
const SHOWN_USERS = 4;

/** Names of the types that use a type; `isCut` if there may be more. */
type Users = { readonly names: ReadonlySet<string>; readonly isCut: boolean };
const NO_USERS: Users = { names: new Set(), isCut: false };

function listText({ names, isCut }: Users): string {
  if (names.size === 0) return isCut ? 'many types without a name' : 'no named type';
  const shown = [...names].slice(0, SHOWN_USERS).join(', ');
  const more = names.size - SHOWN_USERS;
  if (more <= 0) return shown;
  return `${shown} and ${isCut ? 'at least ' : ''}${more} more`;
}

/** Returns the types that contain `id` or point to it, through types without a name. */
function usersOf(t: TypeTable, index: ReferrerIndex | null, id: TypeId): Users {
  const names = new Set<string>();
  if (index === null) return NO_USERS;
  const seen = new Set<number>([id]);
  const queue: number[] = [id];
  let isCut = false;
  for (let at = 0; at < queue.length && !isCut; at++) {
    for (const user of referrersIn(index, typeId(queue[at] ?? 0))) {
      if (seen.has(user)) continue;
      isCut = seen.size >= MAX_SEEN || names.size >= MAX_USERS;
      if (isCut) break;
      seen.add(user);
      const name = nameOf(t, typeId(user), MAX_TEXT);
      if (name === '' && kindOf(t, typeId(user)) !== BtfKind.DATASEC) queue.push(user);
      else if (name !== '') names.add(`${kindWord(kindOf(t, typeId(user)))}${name}`);
    }
  }
  return { names, isCut };
}

function kindWord(kind: number): string {
  return kind === BtfKind.STRUCT || kind === BtfKind.UNION
    ? `${kindName(kind).toLowerCase()} `
    : '';
}

/**
 * Names that the build of each kernel looks up in its BTF, by the macros BTF_SOCK_TYPE_xxx and
 * BTF_TRACING_TYPE_xxx. Source: include/linux/btf_ids.h.
 */
export const RESOLVED_NAMES: ReadonlySet<string> = new Set([
  ...['inet_sock', 'inet_connection_sock', 'inet_request_sock', 'inet_timewait_sock'],
  ...['request_sock', 'sock', 'sock_common', 'socket', 'tcp_sock', 'tcp_request_sock'],
  ...['tcp_timewait_sock', 'tcp6_sock', 'udp_sock', 'udp6_sock', 'unix_sock', 'mptcp_sock'],
  ...['task_struct', 'file', 'vm_area_struct'],
]);
