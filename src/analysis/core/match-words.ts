/** Why a candidate is not the one that is meant, in words. Names in them are raw text. */

import { typeExpression } from '#analysis/types/type-name.ts';
import { counted } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { arrayData, intData, kindFlagOf, kindOf, sizeOrTypeOf, vlenOf } from '#model/type-table.ts';
import { kindWord } from './access-text.ts';
import type { MatchFault, Mismatch, Miss } from './trace.ts';

/** The types that ids of a step speak of: the object's, and those that the candidate is in. */
export type Sides = { readonly local: TypeTable; readonly target: TypeTable };

/** What is not there or does not fit: a part of a sentence, which names the target's side. */
export function missWords(miss: Miss, sides: Sides): string {
  switch (miss.why) {
    case 'not-composite':
      return `${there(sides, miss.type)} has no members, and so no ${miss.name}`;
    case 'no-member':
      return `${there(sides, miss.type)} has no member ${miss.name}`;
    case 'incompatible':
      return `the member ${miss.name} of ${there(sides, miss.type)} has a different kind: ${mismatchWords(miss.mismatch, sides)}`;
    case 'not-array':
      return `${there(sides, miss.type)} is not an array, so it has no element ${miss.index}`;
    case 'outside':
      return `${there(sides, miss.type)} has ${counted(miss.nelems, 'element')}, and none with the number ${miss.index}`;
    case 'not-enum':
      return `${there(sides, miss.type)} is no enum`;
    case 'no-enumerator':
      return `${there(sides, miss.type)} has no enumerator ${miss.name}`;
    case 'types':
      return mismatchWords(miss.mismatch, sides);
  }
}

/** Which two types do not go together, where in the types that were asked for, and by which rule. */
export function mismatchWords(mismatch: Mismatch, sides: Sides): string {
  const { path } = mismatch;
  const where = path.length === 0 ? '' : `at the member ${path.join('.')}, `;
  return `${where}${ruleWords(mismatch, sides)}`;
}

function ruleWords({ rule, local, target, name }: Mismatch, sides: Sides): string {
  const here = typeExpression(sides.local, local);
  const other = there(sides, target);
  switch (rule) {
    case 'kind':
      return `${here} is ${kindOfSide(sides.local, local)} here, and ${other} is ${kindOfSide(sides.target, target)} there`;
    case 'name':
      return `${here} here has another name than ${other} there`;
    case 'int-bit-offset':
      return `${here} or ${other} is an integer with a bit offset of its own`;
    case 'int-size':
    case 'enum-size':
      return `${here} has ${counted(sizeOrTypeOf(sides.local, local), 'byte')} here, and ${other} has ${sizeOrTypeOf(sides.target, target)} there`;
    case 'int-sign':
      return `${here} is ${signWord(sides.local, local)} here, and ${other} is ${signWord(sides.target, target)} there`;
    case 'nelems':
      return `${here} has ${counted(arrayData(sides.local, local).nelems, 'element')} here, and ${other} has ${arrayData(sides.target, target).nelems} there`;
    case 'params':
      return `the function has ${counted(vlenOf(sides.local, local), 'parameter')} here, and ${vlenOf(sides.target, target)} there`;
    case 'more-enumerators':
      return `${here} has ${counted(vlenOf(sides.local, local), 'enumerator')} here, and ${other} only ${vlenOf(sides.target, target)} there`;
    case 'enumerator':
      return `${other} has no enumerator ${name}`;
    case 'more-members':
      return `${here} has ${counted(vlenOf(sides.local, local), 'member')} here, and ${other} only ${vlenOf(sides.target, target)} there`;
    case 'member':
      return name === ''
        ? `${other} has no anonymous member to compare with`
        : `${other} has no member ${name}`;
    case 'fwd-kind':
      return `${here} is ${unionWord(sides.local, local)} here, and ${other} is ${unionWord(sides.target, target)} there`;
    case 'unexpected-kind':
      return `libbpf has no rule for ${kindOfSide(sides.local, local)} (${here})`;
    case 'endless':
      return `${here} and ${other} are arrays of themselves`;
  }
}

/** What stops the comparison for good. */
export function faultOfMatchWords(fault: MatchFault['fault']): string {
  switch (fault) {
    case 'too-deep':
      return 'the types are nested deeper than libbpf’s limit';
    case 'no-size':
      return 'the type in the target has no size that libbpf can use';
    case 'too-much-work':
      return 'the types are too deeply nested to compare';
    case 'kind':
      return 'there is no such relocation kind';
  }
}

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

/** Of a forward declaration kind_flag says what it declares. */
function unionWord(t: TypeTable, id: TypeId): string {
  const word = kindWord(kindOf(t, id));
  if (word !== 'fwd') return `a ${word}`;
  return kindFlagOf(t, id) ? 'a declared union' : 'a declared struct';
}
