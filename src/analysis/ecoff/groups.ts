/** Groups of related entries: Tru64 UNIX Object File Specification, 4.3.2.2 and 4.3.4. */

import { getOrCreate } from '#bytes/cache.ts';
import type { Issue } from '#bytes/issue.ts';
import type { OneOf } from '#bytes/one-of.ts';
import type { EcoffFile } from '#formats/ecoff/ecoff-file.ts';
import {
  IMMED,
  R,
  RELOCATION_SIZE,
  type Relocation,
  type RelocationTable,
  relocationAt,
} from '#formats/ecoff/relocations.ts';
import { type ExpressionState, isStackType, newExpression, stepText } from './expression.ts';
import { gpDeltas, headerGp } from './layout.ts';

export type GroupKind =
  | 'literal'
  | 'gpdisp'
  | 'gprel-high-low'
  | 'tls-high-low'
  | 'immed-gp16'
  | 'immed-gp'
  | 'immed-scn'
  | 'immed-br'
  | 'expression'
  | 'gp-range'
  | 'orphan-lituse'
  | 'orphan-gprellow'
  | 'orphan-tls_low'
  | 'orphan-immed-lo32'
  | 'expression-error';

export type Group = {
  readonly kind: GroupKind;
  /** Indexes of the group's entries in the relocation table, ascending. */
  readonly members: readonly number[];
  readonly error: string | null;
  readonly detail: GroupDetail | null;
};

export type GroupDetail = OneOf<
  'of',
  {
    /** `hasPartnerMarker`: the next entry, an ABS of old tools, marks the second instruction. */
    gpdisp: { firstVaddr: bigint; secondVaddr: bigint; hasPartnerMarker: boolean };
    'gp-range': { startVaddr: bigint; gpValue: bigint };
    branch: { branchDistance: number };
    /** `infix`: formula of each STORE entry. `left`: values that no STORE popped. */
    expression: { depthMax: number; infix: readonly string[]; left: readonly string[] };
  }
>;

type OpenGroup = {
  kind: GroupKind;
  members: number[];
  error: string | null;
  detail: GroupDetail | null;
};

/** Returns the groups of a relocation table, sorted by their first entries. */
export function groupsOf(file: EcoffFile, table: RelocationTable): readonly Group[] {
  return new Grouping(file, table).run();
}

/** Returns, by entry, the index of its group; -1 for entries without a group. */
export function groupIndexes(table: RelocationTable, groups: readonly Group[]): Int32Array {
  const indexes = new Int32Array(table.count).fill(-1);
  for (const [index, group] of groups.entries()) {
    for (const n of group.members) indexes[n] = index;
  }
  return indexes;
}

/** Returns an issue for each invalid group, located at its first entry. */
export function groupIssues(
  table: RelocationTable,
  sectionName: string,
  groups: readonly Group[],
): readonly Issue[] {
  return groups.flatMap((group) => {
    if (group.error === null) return [];
    const start = table.fileOffset + (group.members[0] ?? 0) * RELOCATION_SIZE;
    return [
      {
        severity: 'error',
        code: `ecoff.${group.kind}`,
        message: `${sectionName}: ${group.error}`,
        span: { start, end: start + RELOCATION_SIZE },
        region: `${sectionName} relocations`,
      } satisfies Issue,
    ];
  });
}

class Grouping {
  readonly #file: EcoffFile;
  readonly #table: RelocationTable;
  readonly #groups: OpenGroup[] = [];
  /** Group of the previous literal, if the next entry may be one of its uses. */
  #literal: OpenGroup | null = null;
  #gprelHigh: OpenGroup | null = null;
  #tlsHigh: OpenGroup | null = null;
  #immedHigh: OpenGroup | null = null;
  #expression: OpenGroup | null = null;
  #state: ExpressionState = newExpression();

  constructor(file: EcoffFile, table: RelocationTable) {
    this.#file = file;
    this.#table = table;
  }

  run(): readonly Group[] {
    for (let n = 0; n < this.#table.count; ) n = this.#take(n);
    this.#closeExpression();
    this.#close(this.#gprelHigh, 'GPRELHIGH without GPRELLOW');
    this.#close(this.#tlsHigh, 'TLS_HIGH without TLS_LOW');
    this.#close(this.#immedHigh, 'IMMED HI32 without LO32');
    return this.#groups;
  }

  /** Adds entry `n` to a group, with its partner if that is next. Returns the next index to add. */
  #take(n: number): number {
    const entry = relocationAt(this.#table, n);
    if (entry.rType !== R.literal && entry.rType !== R.lituse) this.#literal = null;
    switch (entry.rType) {
      case R.literal:
        this.#literal = this.#open('literal', n);
        break;
      case R.lituse:
        this.#join(this.#literal, n, 'orphan-lituse', 'LITUSE without preceding LITERAL');
        break;
      case R.gpdisp:
        return this.#gpdisp(n, entry);
      case R.gpvalue:
        this.#gpRange(n, entry);
        break;
      case R.gprelhigh:
        this.#close(this.#gprelHigh, 'GPRELHIGH without GPRELLOW');
        this.#gprelHigh = this.#open('gprel-high-low', n);
        break;
      case R.gprellow:
        this.#join(this.#gprelHigh, n, 'orphan-gprellow', 'GPRELLOW without GPRELHIGH');
        break;
      case R.tlsHigh:
        this.#close(this.#tlsHigh, 'TLS_HIGH without TLS_LOW');
        this.#tlsHigh = this.#open('tls-high-low', n);
        break;
      case R.tlsLow:
        this.#join(this.#tlsHigh, n, 'orphan-tls_low', 'TLS_LOW without TLS_HIGH');
        break;
      case R.immed:
        this.#immed(n, entry);
        break;
      default:
        if (isStackType(entry.rType)) this.#step(n, entry);
    }
    return n + 1;
  }

  #open(kind: GroupKind, n: number, detail: GroupDetail | null = null): OpenGroup {
    const group: OpenGroup = { kind, members: [n], error: null, detail };
    this.#groups.push(group);
    return group;
  }

  #join(group: OpenGroup | null, n: number, orphan: GroupKind, error: string): void {
    if (group === null) this.#open(orphan, n).error = error;
    else group.members.push(n);
  }

  /** Closes a group of high and low halves; reports `error` if the group has only one entry. */
  #close(group: OpenGroup | null, error: string): void {
    if (group !== null && group.members.length === 1) group.error = error;
  }

  #gpdisp(n: number, entry: Relocation): number {
    const secondVaddr = BigInt.asUintN(64, entry.rVaddr + BigInt(entry.rSymndx));
    const next = relocationAt(this.#table, n + 1);
    const hasPartnerMarker =
      n + 1 < this.#table.count && next.rType === R.abs && next.rVaddr === secondVaddr;
    const group = this.#open('gpdisp', n, {
      of: 'gpdisp',
      firstVaddr: entry.rVaddr,
      secondVaddr,
      hasPartnerMarker,
    });
    if (!hasPartnerMarker) return n + 1;
    group.members.push(n + 1);
    return n + 2;
  }

  #gpRange(n: number, entry: Relocation): void {
    const gpValue = headerGp(this.#file) + BigInt(entry.rSymndx);
    this.#open('gp-range', n, { of: 'gp-range', startVaddr: entry.rVaddr, gpValue });
  }

  #immed(n: number, entry: Relocation): void {
    switch (entry.rSize) {
      case IMMED.gp16:
        this.#open('immed-gp16', n);
        return;
      case IMMED.gpHi32:
        this.#openImmed('immed-gp', n, null);
        return;
      case IMMED.scnHi32:
        this.#openImmed('immed-scn', n, null);
        return;
      case IMMED.brHi32:
        this.#openImmed('immed-br', n, { of: 'branch', branchDistance: entry.rSymndx });
        return;
      case IMMED.lo32:
        this.#join(this.#immedHigh, n, 'orphan-immed-lo32', 'IMMED LO32 without HI32');
    }
  }

  #openImmed(kind: GroupKind, n: number, detail: GroupDetail | null): void {
    this.#close(this.#immedHigh, 'IMMED HI32 without LO32');
    this.#immedHigh = this.#open(kind, n, detail);
  }

  #step(n: number, entry: Relocation): void {
    if (this.#expression === null && entry.rType !== R.opPush) {
      this.#open('expression-error', n).error = 'stack underflow';
      return;
    }
    if (this.#expression === null) this.#expression = this.#open('expression', n);
    else this.#expression.members.push(n);
    const error = stepText(this.#file, this.#state, entry);
    if (error !== null) this.#expression.error ??= error;
    if (this.#state.stack.length === 0) this.#closeExpression();
  }

  #closeExpression(): void {
    if (this.#expression === null) return;
    const { stack, depthMax, stored } = this.#state;
    this.#expression.detail = { of: 'expression', depthMax, infix: stored, left: stack };
    if (stack.length > 0) this.#expression.error ??= 'value left on stack';
    this.#expression = null;
    this.#state = newExpression();
  }
}

/** Facts of a table's entries that are equal for all layouts, cached per table. */
type TableFacts = {
  readonly groups: readonly Group[];
  /** By entry: index of its group; -1 for entries without a group. */
  readonly groupOf: Int32Array;
  /** By entry: difference between its gp and the header's gp, from GPVALUE entries. */
  readonly gpDelta: Uint32Array;
  /** High-half entry by the index of its low-half entry. */
  readonly highOf: ReadonlyMap<number, Relocation>;
};

const factsOf = new WeakMap<RelocationTable, TableFacts>();

/** Returns the facts of `table`, which must belong to `file`. */
export function tableFacts(file: EcoffFile, table: RelocationTable): TableFacts {
  return getOrCreate(factsOf, table, () => {
    const groups = groupsOf(file, table);
    return {
      groups,
      groupOf: groupIndexes(table, groups),
      gpDelta: gpDeltas(table),
      highOf: highOfLow(table, groups),
    };
  });
}

const HAS_HALVES: ReadonlySet<GroupKind> = new Set([
  ...(['gprel-high-low', 'tls-high-low', 'immed-gp', 'immed-scn', 'immed-br'] as const),
]);

function highOfLow(
  table: RelocationTable,
  groups: readonly Group[],
): ReadonlyMap<number, Relocation> {
  const highs = new Map<number, Relocation>();
  for (const group of groups) {
    if (!HAS_HALVES.has(group.kind)) continue;
    const [first = 0, ...lows] = group.members;
    const high = relocationAt(table, first);
    for (const low of lows) highs.set(low, high);
  }
  return highs;
}
