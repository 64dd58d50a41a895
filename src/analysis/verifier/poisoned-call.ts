/**
 * Numbers of functions that libbpf calls in the place of what it could not resolve, which the
 * verifier refuses. Source: libbpf.c, POISON_LDIMM64_MAP_BASE, POISON_CALL_KFUNC_BASE and
 * bad_core_relo of relo_core.c.
 */
import type { Fault } from './fault.ts';
import { objectMapAt } from './typed-value.ts';

/** First number of each kind: a record of CO-RE, a map by its index, a kernel function. */
export const POISON = { core: 195896080, map: 2001000000, kfunc: 2002000000, end: 2003000000 };

/** libbpf's line over the call of a map that was not created. */
const ABSENT_MAP = /^BPF map '(.{1,256})' is referenced but wasn't created$/;

/** Returns the name of the map that a poisoned call stands for; null if it stands for none. */
export function poisonedMapName({ message, messageText, binding }: Fault): string | null {
  const written = ABSENT_MAP.exec(messageText)?.[1];
  if (written !== undefined) return written;
  const number = Number(message.values[1] ?? Number.NaN);
  if (!(number >= POISON.map && number < POISON.kfunc)) return null;
  return objectMapAt(binding.object, number - POISON.map)?.name ?? null;
}
