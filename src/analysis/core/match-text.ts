/** The reason for a mismatch of a candidate, in words. Names in it are raw text. */
import { typeExpression } from '#analysis/types/type-name.ts';
import { type Cases, caseOf } from '#bytes/one-of.ts';
import { counted } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { arrayData, intData, kindFlagOf, kindOf, sizeOrTypeOf, vlenOf } from '#model/type-table.ts';
import { kindWord } from './access-text.ts';
import type { MatchFault, Mismatch, Miss } from './trace.ts';

/** The types of the ids in a step: the object's, and those of the candidate. */
export type Sides = { readonly local: TypeTable; readonly target: TypeTable };

/** Returns the missing or wrong part as part of a sentence, which names the target's side. */
export function missText(miss: Miss, sides: Sides): string {
  return caseOf(MISS_TEXT, 'why', miss, sides);
}

const MISS_TEXT: Cases<'why', Miss, [Sides]> = {
  'not-composite': (miss, sides) =>
    `${there(sides, miss.type)} has no members, and so no ${miss.name}`,
  'no-member': (miss, sides) => `${there(sides, miss.type)} has no member ${miss.name}`,
  incompatible: (miss, sides) =>
    `the member ${miss.name} of ${there(sides, miss.type)} has a different kind: ${mismatchText(miss.mismatch, sides)}`,
  'not-array': (miss, sides) =>
    `${there(sides, miss.type)} is not an array, so it has no element ${miss.index}`,
  outside: (miss, sides) =>
    `${there(sides, miss.type)} has ${counted(miss.nelems, 'element')}, and none with the number ${miss.index}`,
  'not-enum': (miss, sides) => `${there(sides, miss.type)} is no enum`,
  'no-enumerator': (miss, sides) => `${there(sides, miss.type)} has no enumerator ${miss.name}`,
  types: (miss, sides) => mismatchText(miss.mismatch, sides),
};

/** Returns the two types of a mismatch, their places in the roots, and the rule. */
export function mismatchText(mismatch: Mismatch, sides: Sides): string {
  const { path } = mismatch;
  const where = path.length === 0 ? '' : `at the member ${path.join('.')}, `;
  return `${where}${ruleText(mismatch, sides)}`;
}

function ruleText({ rule, local, target, name }: Mismatch, sides: Sides): string {
  const here = typeExpression(sides.local, local);
  const other = there(sides, target);
  const texts: Readonly<Record<Mismatch['rule'], () => string>> = {
    kind: () =>
      `${here} is ${kindOfSide(sides.local, local)} here, and ${other} is ${kindOfSide(sides.target, target)} there`,
    name: () => `${here} here has another name than ${other} there`,
    'int-bit-offset': () => `${here} or ${other} is an integer with a nonzero bit offset`,
    'int-size': () =>
      `${here} has ${counted(sizeOrTypeOf(sides.local, local), 'byte')} here, and ${other} has ${sizeOrTypeOf(sides.target, target)} there`,
    'enum-size': () =>
      `${here} has ${counted(sizeOrTypeOf(sides.local, local), 'byte')} here, and ${other} has ${sizeOrTypeOf(sides.target, target)} there`,
    'int-sign': () =>
      `${here} is ${signWord(sides.local, local)} here, and ${other} is ${signWord(sides.target, target)} there`,
    nelems: () =>
      `${here} has ${counted(arrayData(sides.local, local).nelems, 'element')} here, and ${other} has ${arrayData(sides.target, target).nelems} there`,
    params: () =>
      `the function has ${counted(vlenOf(sides.local, local), 'parameter')} here, and ${vlenOf(sides.target, target)} there`,
    'more-enumerators': () =>
      `${here} has ${counted(vlenOf(sides.local, local), 'enumerator')} here, and ${other} only ${vlenOf(sides.target, target)} there`,
    enumerator: () => `${other} has no enumerator ${name}`,
    'more-members': () =>
      `${here} has ${counted(vlenOf(sides.local, local), 'member')} here, and ${other} only ${vlenOf(sides.target, target)} there`,
    member: () =>
      name === ''
        ? `${other} has no anonymous member to compare with`
        : `${other} has no member ${name}`,
    'fwd-kind': () =>
      `${here} is ${unionWord(sides.local, local)} here, and ${other} is ${unionWord(sides.target, target)} there`,
    'unexpected-kind': () => `libbpf has no rule for ${kindOfSide(sides.local, local)} (${here})`,
    endless: () => `${here} and ${other} are arrays of themselves`,
  };
  return texts[rule]();
}

/** The faults that end the comparison. */
export const MATCH_FAULT_TEXT: Readonly<Record<MatchFault['fault'], string>> = {
  'too-deep': 'the types are nested deeper than libbpf’s limit',
  'no-size': 'the type in the target has no size that libbpf can use',
  'too-much-work': 'comparing the types would take too long, so that libbpf’s result is not known',
  kind: 'there is no such relocation kind',
};

function there({ target }: Sides, id: TypeId): string {
  return typeExpression(target, id);
}

function kindOfSide(t: TypeTable, id: TypeId): string {
  const word = kindWord(kindOf(t, id));
  switch (word) {
    case 'void':
      return 'void';
    case 'int':
    case 'array':
    case 'enum':
    case 'enum64':
    case 'unknown':
      return `an ${word}`;
    case 'ptr':
      return 'a pointer';
    case 'fwd':
      return 'a forward declaration';
    case 'func_proto':
      return 'a function';
    default:
      return `a ${word}`;
  }
}

function signWord(t: TypeTable, id: TypeId): string {
  return (intData(t, id).encoding & 1) === 0 ? 'unsigned' : 'signed';
}

/** kind_flag of a FWD is the declared kind. */
function unionWord(t: TypeTable, id: TypeId): string {
  const word = kindWord(kindOf(t, id));
  if (word !== 'fwd') return `a ${word}`;
  return kindFlagOf(t, id) ? 'a declared union' : 'a declared struct';
}
