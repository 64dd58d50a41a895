/**
 * The value that an instruction with a CO-RE record must hold as long as the
 * local types are the truth: what the compiler wrote, and what libbpf looks for
 * before it patches.
 */
import type { Endian } from '#bytes/span.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { AccessPath } from './access-path.ts';
import { localSpec } from './spec.ts';
import { specValue } from './spec-value.ts';
import { faultWords } from './value-words.ts';

export type LocalValue = {
  /** As an unsigned 64-bit number; null where libbpf finds none. */
  readonly value: bigint | null;
  /** Why there is none, in words. */
  readonly error: string | null;
  /** Does libbpf refuse the program when the instruction holds another value? */
  readonly validate: boolean;
};

/** `endian` is that of the program, which decides how bit-fields are shifted. Never throws. */
export function localValue(
  t: TypeTable,
  path: AccessPath,
  kind: number,
  endian: Endian,
): LocalValue {
  if (path.error !== null) return { value: null, error: path.error.message, validate: false };
  const found = specValue({ ...localSpec(t, path), kind }, endian);
  return 'fault' in found
    ? { value: null, error: faultWords(found.fault), validate: false }
    : { value: found.value, error: null, validate: found.validate };
}
