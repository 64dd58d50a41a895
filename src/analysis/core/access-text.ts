/** A CO-RE access as text: in C, and as the line of libbpf's log. Raw names in both. */

import { stripped } from '#analysis/types/strip.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import type { TypeId } from '#model/ids.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import type { AccessStep } from './access-path.ts';
import { kindWord } from './access-words.ts';
import { logLine } from './spec.ts';

/** `p->a.b[2]`, `p[1].a`, `(*p)[3]`, `enum e::VAL`, `struct s`. With no step at all the root type. */
export function accessExpression(t: TypeTable, root: TypeId, steps: readonly AccessStep[]): string {
  const [first, ...rest] = steps;
  if (first === undefined || first.means === 'type') return typeExpression(t, root);
  if (first.means === 'enumerator') return `${typeExpression(t, root)}::${first.name}`;
  const inner = rest.filter(
    (step, i) => step.name !== '' || step.means === 'array-element' || i === rest.length - 1,
  );
  const [next] = inner;
  if (first.index > 0)
    return inner.reduce((text, step) => text + member(t, step, '.'), `p[${first.index}]`);
  if (next === undefined) return '*p';
  const start =
    next.means === 'array-element' ? `(*p)${member(t, next, '')}` : `p${member(t, next, '->')}`;
  return inner.slice(1).reduce((text, step) => text + member(t, step, '.'), start);
}

function member(t: TypeTable, step: AccessStep, operator: string): string {
  if (step.means === 'array-element') return `[${step.index}]`;
  if (step.name !== '') return `${operator}${step.name}`;
  return `${operator}(anonymous ${kindWord(kindOf(t, stripped(t, step.type)))})`;
}

/**
 * The line of libbpf's log from the kind on: `<byte_off> [5] struct foo.a (0:0 @ offset 0)`.
 * Cut at 255 bytes, as there; `spec` of the path is whole.
 */
export function accessSpecLine(path: {
  readonly kind: number;
  readonly root: TypeId;
  readonly spec: string;
}): string {
  return logLine(path.kind, path.root, path.spec);
}
