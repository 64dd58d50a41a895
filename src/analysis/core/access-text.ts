/** A CO-RE access as text: in C, and as libbpf's log writes it (`bpf_core_format_spec`). Raw names in both. */

import { stripped } from '#analysis/strip.ts';
import { typeExpression } from '#analysis/type-name.ts';
import type { TypeId } from '#model/ids.ts';
import { kindOf, nameOf, type TypeTable } from '#model/type-table.ts';
import type { AccessStep } from './access-path.ts';
import { kindWord } from './access-words.ts';
import { coreKind, coreKindName } from './core-kinds.ts';

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

/** `struct foo.a.b[2] (0:1:2 @ offset 8)`, `enum e::VAL = 1`, `struct s`. */
export function accessSpec(
  t: TypeTable,
  root: TypeId,
  kind: number,
  steps: readonly AccessStep[],
): string {
  const head = `${kindWord(kindOf(t, root))} ${nameOf(t, root) || '<anon>'}`;
  const [first] = steps;
  switch (coreKind(kind)?.group) {
    case 'enum':
      return first === undefined ? head : `${head}::${first.name} = ${first.enumValue}`;
    case 'field':
      return `${head}${fieldPath(steps)} (${fieldPlace(steps)})`;
    default:
      return head;
  }
}

/** libbpf formats into 256 bytes, the last of which is NUL. */
const LOG_LIMIT = 255;

/**
 * The line of libbpf's log from the kind on: `<byte_off> [5] struct foo.a (0:0 @ offset 0)`.
 * Cut at 255 bytes, as there; `spec` of the path is whole.
 */
export function accessSpecLine(path: {
  readonly kind: number;
  readonly root: TypeId;
  readonly spec: string;
}): string {
  const line = `<${coreKindName(path.kind)}> [${path.root}] ${path.spec}`;
  const bytes = new TextEncoder().encode(line);
  return bytes.length <= LOG_LIMIT ? line : new TextDecoder().decode(bytes.subarray(0, LOG_LIMIT));
}

function fieldPath(steps: readonly AccessStep[]): string {
  return steps
    .map((step) => {
      switch (step.means) {
        case 'member':
          return `.${step.name}`;
        case 'array-element':
          return `[${step.index}]`;
        case 'element-of-pointer':
          return step.index > 0 ? `[${step.index}]` : '';
        default:
          return '';
      }
    })
    .join('');
}

function fieldPlace(steps: readonly AccessStep[]): string {
  // libbpf counts bits in 32 bits.
  const bitOffset = BigInt.asUintN(32, steps.at(-1)?.bitOffset ?? 0n);
  const bit = bitOffset % 8n;
  const raw = steps.map((step) => step.index).join(':');
  return `${raw} @ offset ${bitOffset / 8n}${bit === 0n ? '' : `.${bit}`}`;
}
