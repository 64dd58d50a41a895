/** The ways to look at a struct, as the address has them under `as`. */

export const TYPE_MODES = ['c', 'layout', 'what-if'] as const;
export type TypeMode = (typeof TYPE_MODES)[number];

/** The mode that the address names; `c`, which it leaves out, for any other text. */
export function typeMode(param: string | null): TypeMode {
  return TYPE_MODES.find((mode) => mode === param) ?? 'c';
}
