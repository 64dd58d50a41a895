/** Places that the cells of a result name, packed in one array of numbers: a message takes it as a whole. */
import { ENTRY_KINDS } from '#analysis/atlas/atlas-names.ts';
import { append } from '#bytes/arrays.ts';
import type { EntryKindName } from '#formats/atlas/entry.ts';
import { coreIndex, relocIndex, typeId } from '#model/ids.ts';
import { type Selection, typeSelection } from '#model/selection.ts';

/** A definition of an atlas in one of its kernels. All texts are raw. */
export type EntryGoal = {
  readonly kind: EntryKindName;
  readonly name: string;
  /** The member, enumerator or parameter, as its history names it; null for the definition itself. */
  readonly item: string | null;
  readonly kernel: string;
};

/** `file` is the index of the queried file; the goal is a selection in it, or a definition of an atlas. */
export type QueryGoal = { readonly file: number } & (
  | { readonly selection: Selection }
  | { readonly entry: EntryGoal }
);

/** Five numbers for each row: the file, the kind of goal, and three numbers of that kind. Numbers of an atlas are indices of `names`. */
export type QueryGoals = { readonly words: Uint32Array; readonly names: readonly string[] };

const WORDS = 5;
const What = { nothing: 0, type: 1, member: 2, relocation: 3, core: 4, entry: 5 } as const;

type Words = readonly [what: number, first: number, second: number, third: number];

const NOTHING: Words = [What.nothing, 0, 0, 0];

/** Collects the goals of a column, row by row. */
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
    if (goal === null) return NOTHING;
    if ('selection' in goal) return selectionWords(goal.selection);
    const { kind, name, item, kernel } = goal.entry;
    const what = What.entry + ENTRY_KINDS.indexOf(kind);
    return [what, this.#number(name), this.#number(item ?? ''), this.#number(kernel)];
  }

  #number(name: string): number {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    this.#names.set(name, this.#names.size);
    return this.#names.size - 1;
  }
}

function selectionWords(selection: Selection): Words {
  switch (selection.kind) {
    case 'type': {
      const [member] = selection.memberPath;
      return member === undefined
        ? [What.type, selection.type, 0, 0]
        : [What.member, selection.type, member, 0];
    }
    case 'relocation':
      return [What.relocation, selection.reloc, 0, 0];
    case 'core':
      return [What.core, selection.core, 0, 0];
    default:
      return NOTHING;
  }
}

/** Returns the goal of a row; null if its cell names nothing. */
export function goalAt(goals: QueryGoals | null, row: number): QueryGoal | null {
  if (goals === null) return null;
  const at = WORDS * row;
  const [file = 0, what = 0, first = 0, second = 0, third = 0] = goals.words.subarray(
    at,
    at + WORDS,
  );
  const kind = ENTRY_KINDS[what - What.entry];
  if (kind !== undefined) {
    const [name = '', item = '', kernel = ''] = [first, second, third].map((n) => goals.names[n]);
    return { file, entry: { kind, name, item: item === '' ? null : item, kernel } };
  }
  switch (what) {
    case What.type:
      return { file, selection: typeSelection(typeId(first)) };
    case What.member:
      return { file, selection: typeSelection(typeId(first), [second]) };
    case What.relocation:
      return { file, selection: { kind: 'relocation', reloc: relocIndex(first) } };
    case What.core:
      return { file, selection: { kind: 'core', core: coreIndex(first), step: null } };
    default:
      return null;
  }
}
