/** Texts for a CO-RE access: the access in C, and a sentence per index. Names are not escaped. */
import { typeExpression } from '#analysis/types/type-name.ts';
import { bitPlace, counted } from '#bytes/text.ts';
import { kindName, RELEASED_KIND_MAX } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import type { Enumerator, Member } from '#model/type-items.ts';
import { kindOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import type { AccessStep } from './parse-spec.ts';

/** Returns a type's kind as in libbpf's log: `struct`, `func_proto`, `void`. */
export function kindWord(kind: number): string {
  if (kind === 0) return 'void';
  return kind > RELEASED_KIND_MAX ? 'unknown' : kindName(kind).toLowerCase();
}

export function rootText(t: TypeTable, root: TypeId): string {
  return `The type itself, ${typeExpression(t, root)}. The string is '0' for every relocation of a type.`;
}

export function enumeratorText(t: TypeTable, root: TypeId, enumerator: Enumerator): string {
  const { index, name, value } = enumerator;
  return `Enumerator ${index} of ${typeExpression(t, root)}, counted from 0: ${name} = ${value}.`;
}

export function pointerText(t: TypeTable, root: TypeId, index: number, size: bigint): string {
  const what = typeExpression(t, root);
  if (index === 0) return `The ${what} that the pointer points at.`;
  return `The ${what} at index ${index} of the pointer, ${index} × ${size} bytes after the first.`;
}

export function memberText(t: TypeTable, container: TypeId, member: Member): string {
  const { index, name, bitOffset, bitfieldSize } = member;
  const at = bitPlace(BigInt(bitOffset));
  const of = `Member ${index} of ${typeExpression(t, container)}, counted from 0`;
  if (name === '') {
    const what = kindWord(kindOf(t, skipModifiers(t, member.type)));
    return `${of}: an anonymous ${what} at ${at}. It has an index in the access string, but no name in C.`;
  }
  const width = bitfieldSize === 0 ? '' : `, a bit-field of ${counted(bitfieldSize, 'bit')}`;
  return `${of}: ${name}, ${typeExpression(t, member.type)}${width}, at ${at}.`;
}

export function elementText(
  t: TypeTable,
  from: { readonly name: string; readonly type: TypeId },
  elemType: TypeId,
  index: number,
  size: bigint,
): string {
  const array = from.name === '' ? typeExpression(t, from.type) : from.name;
  const bytes = size === 1n ? 'byte' : 'bytes';
  return `Element ${index} of the array ${array}: ${typeExpression(t, elemType)}, ${index} × ${size} ${bytes} from its start.`;
}

/** Returns the access as C: `p->a.b[2]`, `p[1].a`, `(*p)[3]`, `enum e::VAL`, `struct s`. */
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
  return `${operator}(anonymous ${kindWord(kindOf(t, skipModifiers(t, step.type)))})`;
}
