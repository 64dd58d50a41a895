/** Stores what the cells of a result column link to (their goals) in one array. */
import { ENTRY_KINDS } from '#analysis/atlas/atlas-names.ts';
import { append } from '#bytes/arrays.ts';
import { getOrCreate } from '#bytes/cache.ts';
import type { EntryKindName } from '#formats/atlas/entry.ts';
import { coreIndex, relocIndex, typeId } from '#model/ids.ts';
import { type Selection, typeSelection } from '#model/selection.ts';

/** A definition in one kernel of an atlas. Texts are not escaped. */
export type EntryGoal = {
  readonly kind: EntryKindName;
  readonly name: string;
  /** Name of the member, enumerator or parameter; null for the whole definition. */
  readonly item: string | null;
  readonly kernel: string;
};

/** A selection in a queried file, or a definition of an atlas. `file` is the file's index. */
export type QueryGoal = { readonly file: number } & (
  | { readonly selection: Selection }
  | { readonly entry: EntryGoal }
);

/** `words` has five numbers per row: file, kind of goal, three ids (atlas: indices of `names`). */
export type QueryGoals = { readonly words: Uint32Array; readonly names: readonly string[] };

const WORDS = 5;
const GoalKind = { nothing: 0, type: 1, member: 2, relocation: 3, core: 4, entry: 5 } as const;

type Words = readonly [kind: number, first: number, second: number, third: number];

const NO_GOAL: Words = [GoalKind.nothing, 0, 0, 0];

/** Collects the goals of a result column, one row after the other. */
export class GoalList {
  readonly #words: number[] = [];
  readonly #names = new Map<string, number>([['', 0]]);

  add(goal: QueryGoal | null): void {
    this.#words.push(goal?.file ?? 0);
    append(this.#words, this.#wordsOf(goal));
  }

  get all(): QueryGoals {
    return { words: Uint32Array.from(this.#words), names: [...this.#names.keys()] };
  }

  #wordsOf(goal: QueryGoal | null): Words {
    if (goal === null) return NO_GOAL;
    if ('selection' in goal) return selectionWords(goal.selection);
    const { kind, name, item, kernel } = goal.entry;
    const entryKind = GoalKind.entry + ENTRY_KINDS.indexOf(kind);
    return [entryKind, this.#number(name), this.#number(item ?? ''), this.#number(kernel)];
  }

  #number(name: string): number {
    return getOrCreate(this.#names, name, () => this.#names.size);
  }
}

function selectionWords(selection: Selection): Words {
  switch (selection.kind) {
    case 'type': {
      const [member] = selection.memberPath;
      return member === undefined
        ? [GoalKind.type, selection.type, 0, 0]
        : [GoalKind.member, selection.type, member, 0];
    }
    case 'relocation':
      return [GoalKind.relocation, selection.reloc, 0, 0];
    case 'core':
      return [GoalKind.core, selection.core, 0, 0];
    default:
      return NO_GOAL;
  }
}

/** Returns the goal of the cell in a row, or null. */
export function goalAt(goals: QueryGoals | null, row: number): QueryGoal | null {
  if (goals === null) return null;
  const words = goals.words.subarray(WORDS * row, WORDS * (row + 1));
  const [file = 0, goalKind = 0, first = 0, second = 0, third = 0] = words;
  const kind = ENTRY_KINDS[goalKind - GoalKind.entry];
  if (kind !== undefined) {
    const [name = '', item = '', kernel = ''] = [first, second, third].map((n) => goals.names[n]);
    return { file, entry: { kind, name, item: item === '' ? null : item, kernel } };
  }
  switch (goalKind) {
    case GoalKind.type:
      return { file, selection: typeSelection(typeId(first)) };
    case GoalKind.member:
      return { file, selection: typeSelection(typeId(first), [second]) };
    case GoalKind.relocation:
      return { file, selection: { kind: 'relocation', reloc: relocIndex(first) } };
    case GoalKind.core:
      return { file, selection: { kind: 'core', core: coreIndex(first), step: null } };
    default:
      return null;
  }
}
