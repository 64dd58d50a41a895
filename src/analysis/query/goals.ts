/** What the cells of a result name, as numbers: thousands of them cross from the worker in one piece. */
import { coreIndex, relocIndex, typeId } from '#model/ids.ts';
import { type Selection, typeSelection } from '#model/selection.ts';

/** `file` is the number of the file that was asked. */
export type QueryGoal = { readonly file: number; readonly selection: Selection };

/** Four numbers for each row: the file, what it is, and two numbers of that. */
export type QueryGoals = Uint32Array;

const WORDS = 4;
const What = { nothing: 0, type: 1, member: 2, relocation: 3, core: 4 } as const;

/** Puts a goal at the end of `words`. */
export function addGoal(words: number[], goal: QueryGoal | null): void {
  const [what, first, second] = goal === null ? NOTHING : wordsOf(goal.selection);
  words.push(goal?.file ?? 0, what, first, second);
}

type Words = readonly [what: number, first: number, second: number];

const NOTHING: Words = [What.nothing, 0, 0];

function wordsOf(selection: Selection): Words {
  switch (selection.kind) {
    case 'type': {
      const [member] = selection.memberPath;
      return member === undefined
        ? [What.type, selection.type, 0]
        : [What.member, selection.type, member];
    }
    case 'relocation':
      return [What.relocation, selection.reloc, 0];
    case 'core':
      return [What.core, selection.core, 0];
    default:
      return NOTHING;
  }
}

/** The goal of a row; null where its cell names nothing. */
export function goalAt(goals: QueryGoals | null, row: number): QueryGoal | null {
  const at = WORDS * row;
  const [file = 0, what = 0, first = 0, second = 0] = goals?.subarray(at, at + WORDS) ?? [];
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
