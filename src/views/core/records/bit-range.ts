/** Where bits begin and end, in words. */
import { drawnName } from '#bytes/text.ts';
import { grouped } from '#ui/grouped.ts';

/** `byte 8`, `byte 8.3` within a byte, as libbpf writes it. */
export function placeText(bitOffset: number): string {
  const bit = bitOffset % 8;
  return `byte ${grouped((bitOffset - bit) / 8)}${bit === 0 ? '' : `.${bit}`}`;
}

/** `byte 8 to byte 12`; the end is the first place behind. */
export function bitRange({
  bitOffset,
  bitSize,
}: {
  readonly bitOffset: number;
  readonly bitSize: number;
}): string {
  return `${placeText(bitOffset)} to ${placeText(bitOffset + bitSize)}`;
}

/** `pid`, `a hole`. Fit to be drawn. */
export function partName({ kind, name }: { readonly kind: string; readonly name: string }): string {
  if (kind === 'hole') return 'a hole';
  if (kind === 'padding') return 'padding';
  return name === '' ? 'an anonymous member' : drawnName(name);
}
