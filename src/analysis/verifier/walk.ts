/** The walked instructions of one log, in order. */
export type Walk = {
  readonly stepCount: number;
  /** Instruction of a step. */
  insnOf(step: number): number;
  /** Previous step on the path of a step; null at its start. */
  parentOf(step: number): number | null;
};
