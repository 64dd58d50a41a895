/** Questions about one value of a state. */
import type { Value } from '#formats/verifier-log/line.ts';

/** Returns the text of a key of a value, such as `id` or `umax`. */
export function keyOf(value: Value, key: string): string | undefined {
  for (const [name, text] of value.kv) if (name === key) return text;
  return undefined;
}

/** True if a value of this type may be NULL. */
export function isNullable(type: string): boolean {
  return type.includes('_or_null');
}

/** True if the offset of a pointer is not a constant. */
export function hasVariableOffset({ kv }: Value): boolean {
  return kv.some(([key, text]) => {
    if (key === 'var_off') return !text.endsWith('; 0x0)');
    return /^[su](?:min|max)(?:32)?$/.test(key);
  });
}

/** True for a pointer to the end of the stack or beyond it, where no length is right. */
export function isAboveFrame(value: Value | undefined): boolean {
  return value?.type === 'fp' && Number(value.off ?? 0) >= 0;
}

/** True for a pointer; false for numbers, bytes of the stack, dynptrs and iterators. */
export function isPointer({ type }: Value): boolean {
  return !/^(?:slots|scalar|inv|dynptr_\w+|iter_\w+|irq_flag)?$/.test(type);
}
