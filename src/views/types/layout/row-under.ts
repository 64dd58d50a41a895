/** Row of the box that an event's target is or lies in; null where there is none. */
export function rowUnder(target: EventTarget): number | null {
  return numberUnder(target, 'data-box');
}

/** Row whose sign for unfolding the target is; null where it is none. */
export function toggleUnder(target: EventTarget): number | null {
  return numberUnder(target, 'data-toggle');
}

function numberUnder(target: EventTarget, attribute: string): number | null {
  if (!(target instanceof Element)) return null;
  const text = target.closest(`[${attribute}]`)?.getAttribute(attribute) ?? null;
  return text === null ? null : Number(text);
}
