/** How far a long piece of work is: `done` of `total` in a unit of the step's own; `total` 0 = not known. */
export type Progress = { readonly step: string; readonly done: number; readonly total: number };
