import { matrixState } from '#store/core-view.ts';
import type { FileId } from '#store/session.ts';
import type { TargetChoice } from './use-matrix.ts';

/** Puts one target in or takes it out; the others stay as they are. */
export function setTarget(
  object: FileId,
  choices: readonly TargetChoice[],
  target: FileId,
  isChosen: boolean,
): void {
  const said = choices.map(
    ({ id, isChosen: was }) => [id, id === target ? isChosen : was] as const,
  );
  matrixState.set({ targets: new Map(said) }, object);
}

/** Puts all in, or takes all out. */
export function setAllTargets(
  object: FileId,
  choices: readonly TargetChoice[],
  isChosen: boolean,
): void {
  matrixState.set({ targets: new Map(choices.map(({ id }) => [id, isChosen])) }, object);
}
