/**
 * The essential name: what is left of a name without its flavour, the part from
 * the last `___` on. `task_struct___v5` and `task_struct` are one name to CO-RE.
 *
 * Rule: facts, part (a), "Essential name"; libbpf's `bpf_core_essential_name_len`.
 */

const UNDERSCORE = 0x5f;

/**
 * Length of the essential part of the name at `start` to `end` (exclusive) of
 * `codes`: bytes, or UTF-16 codes, since only underscores count.
 */
export function essentialLength(codes: ArrayLike<number>, start: number, end: number): number {
  for (let at = end - 5; at >= start; at--) {
    if (isFlavourMark(codes, at)) return at - start + 1;
  }
  return end - start;
}

/** `name` without its flavour. */
export function essentialName(name: string): string {
  const codes = Uint16Array.from({ length: name.length }, (_, i) => name.charCodeAt(i));
  return name.slice(0, essentialLength(codes, 0, codes.length));
}

/** Exactly three underscores, between two other characters. */
function isFlavourMark(codes: ArrayLike<number>, at: number): boolean {
  return (
    codes[at + 1] === UNDERSCORE &&
    codes[at + 2] === UNDERSCORE &&
    codes[at + 3] === UNDERSCORE &&
    codes[at + 4] !== UNDERSCORE &&
    codes[at] !== UNDERSCORE
  );
}
