/** Checks a learner's answer against the open file, and explains a wrong answer. */

import type { AccessPath } from '#analysis/core/parse-spec.ts';
import { accessPathOf } from '#analysis/core/playground.ts';
import type { ReadBytes, StructureField } from '#analysis/fields/field.ts';
import { isWrittenInC } from '#analysis/paths/playground-names.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { selectionSpan } from '#analysis/selection/selection.ts';
import { fieldsAt } from '#analysis/structure/structure.ts';
import type { Span } from '#bytes/span.ts';
import { signedHex, visible } from '#bytes/text.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { type Selection, sameSelection } from '#model/selection.ts';
import { kindOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import type { NumberHelp } from './lesson.ts';

export type Answer = { readonly isRight: boolean; readonly why: string };

export const wrong = (why: string): Answer => ({ isRight: false, why });

/** Checks the selection that the learner clicked. `wanted` is the right selection. */
export function checkClick(
  model: ObjectModel,
  clicked: Selection,
  wanted: Selection,
  read: ReadBytes,
): Answer {
  const answer = selectionSpan(model, wanted);
  const span = selectionSpan(model, clicked);
  const description = span === null ? '' : `That is ${clickedWords(model, clicked, span, read)}`;
  if (sameSelection(clicked, wanted)) {
    return { isRight: true, why: description || 'That is the one.' };
  }
  if (span === null || answer === null) {
    return wrong('The selection has no bytes in this file.');
  }
  const isInside = span.start >= answer.start && span.end <= answer.end;
  if (isInside) return { isRight: true, why: description };
  const isWider = span.start <= answer.start && span.end >= answer.end;
  const hint = isWider
    ? 'The answer is a part of it; select less.'
    : directionWords(clicked, wanted, span.start < answer.start);
  return wrong(`${description} ${hint}`.trim());
}

/** Returns a sentence with the direction from the clicked selection to the right answer. */
function directionWords(clicked: Selection, wanted: Selection, isAfter: boolean): string {
  if (clicked.kind === 'relocation' && wanted.kind === 'relocation') {
    return `The answer is ${clicked.reloc < wanted.reloc ? 'below' : 'above'} it in the list.`;
  }
  if (clicked.kind === 'type' && wanted.kind === 'type' && clicked.type !== wanted.type) {
    return 'The question is about another type.';
  }
  return `The answer is ${isAfter ? 'after' : 'before'} it.`;
}

/** Describes the clicked selection in words. A relocation is described by its entry. */
function clickedWords(model: ObjectModel, clicked: Selection, span: Span, read: ReadBytes): string {
  if (clicked.kind === 'relocation') {
    const { typeName, symbolText } = relocationMeaning(model, clicked.reloc);
    const at = signedHex(model.relocations.offset[clicked.reloc] ?? 0n);
    return `the relocation at ${at} for ${visible(symbolText)} (${typeName}).`;
  }
  // Fields that contain all selected bytes.
  const chain = fieldsAt(model, span.start, read).filter((field) => field.span.end >= span.end);
  return bitWords(chain, span) ?? wordsOf(chain);
}

/** Size in bytes of the largest field that consists of named bits. */
const MAX_WORD_BYTES = 8;

/** Describes clicked bits: `kind: 4 (STRUCT), in info of [2] STRUCT foo.` Null for other bytes. */
function bitWords(chain: readonly StructureField[], { start, end }: Span): string | null {
  const owners = chain.filter(({ kind }) => kind !== 'bits');
  const word = owners.at(-1);
  if (word?.kind !== 'field') return null;
  const wordBytes = word.span.end - word.span.start;
  if (end - start === wordBytes || wordBytes > MAX_WORD_BYTES) return null;
  const parts = word.parts?.();
  if (parts === undefined) return null;
  const groups = Array.from({ length: parts.count }, (_, index) => parts.at(index)).filter(
    (part) => part?.kind === 'bits' && part.span.start < end && part.span.end > start,
  );
  if (groups.length === 0) return null;
  const used = groups.flatMap((part) =>
    part === null || part.name === '' ? [] : [bitsValue(part)],
  );
  const around = owners.at(-2);
  const place = around === undefined ? '' : ` of ${visible(around.label)}`;
  return `${used.length === 0 ? 'a part that is not used' : used.join(' and ')}, in ${visible(word.label)}${place}.`;
}

/** Returns the name, value and meaning of bits: `kind: 4 (STRUCT)`. */
function bitsValue({ label, value, meaning }: StructureField): string {
  const means = meaning === '' ? '' : ` (${visible(meaning)})`;
  return `${visible(label)}${value === null ? '' : `: ${value}`}${means}`;
}

/** Describes a clicked field: `vlen of [2] STRUCT foo: 2 (two members).` */
function wordsOf(chain: readonly StructureField[]): string {
  const owners = chain.filter(({ kind }) => kind !== 'bits');
  const innermost = owners.at(-1);
  if (innermost === undefined) return 'nothing that this file names.';
  const around = owners.at(-2);
  // If a type was clicked, the part around it is the list of all types: its name does not help.
  const isNamed = around !== undefined && !(innermost.kind === 'type' && around.kind === 'part');
  const place = isNamed ? ` of ${visible(around.label)}` : '';
  const value = innermost.value === null ? '' : `: ${innermost.value}`;
  const meaning = innermost.meaning === '' ? '' : ` (${visible(innermost.meaning)})`;
  return `${visible(innermost.label)}${place}${value}${meaning}.`;
}

/** Checks a typed access string against the access string of `wanted`. */
export function checkAccess(
  types: TypeTable,
  root: TypeId,
  wanted: AccessPath,
  typed: string,
): Answer {
  const text = typed.trim();
  if (isWrittenInC(text)) {
    return wrong('That is C. An access string is numbers with colons between.');
  }
  if (!/^\d+(:\d+)*$/.test(text)) {
    return wrong('An access string is numbers with colons between: 0:1.');
  }
  const path = accessPathOf(types, { root, accessStr: text });
  if (path.error !== null) {
    return wrong(`${text} leads nowhere: ${visible(path.error.message)}.`);
  }
  const kind = kindOf(types, skipModifiers(types, root));
  const isEnum = kind === BtfKind.ENUM || kind === BtfKind.ENUM64;
  const placeOf = isEnum ? nameOf : placeWords;
  if (text === wanted.accessStr) return { isRight: true, why: `It goes to ${placeOf(path)}.` };
  return wrong(`${text} goes to ${placeOf(path)}; the question asks for ${placeOf(wanted)}.`);
}

/** Returns the name of the enumerator that the access reaches. An enumerator has no offset. */
function nameOf({ expression }: AccessPath): string {
  return visible(expression);
}

/** Describes the reached member and its offset: `p->a.b, byte 24`. */
function placeWords({ expression, bitOffset, byteOffset, bitfieldSize }: AccessPath): string {
  const place = bitfieldSize > 0 ? `bit ${bitOffset}` : `byte ${byteOffset}`;
  return `${visible(expression)}, ${place}`;
}

const NO_HELP: NumberHelp = { unit: null, why: '', nearMisses: [] };

/** Checks a typed number of bits or bytes. It is hex if it has 0x or a digit from a to f. */
export function checkNumber(
  typed: string,
  wanted: bigint,
  { unit, why, nearMisses }: NumberHelp = NO_HELP,
): Answer {
  const text = typed.trim().replaceAll('_', '');
  const [, digits = '', typedUnit = ''] = /^(.*?)(?:\s*\b(bit|byte)s?)?$/i.exec(text) ?? [];
  const number = typedNumber(digits);
  if (number === null) return wrong('That is not a number; write 24 or 0x18.');
  if (typedUnit !== '' && unit === null) return wrong('Write the number without a unit.');
  const isBits = typedUnit.toLowerCase() === 'bit';
  const isConverted = typedUnit !== '' && isBits !== (unit === 'bit');
  if (isConverted && isBits && number % 8n !== 0n) return wrong(`${text} are not whole bytes.`);
  const value = !isConverted ? number : isBits ? number / 8n : number * 8n;
  if (value === wanted) {
    const numbers = `${wanted}, or ${signedHex(wanted)}.`;
    return { isRight: true, why: why === '' ? numbers : `${numbers} ${why}` };
  }
  const nearMiss = nearMisses.find((miss) => miss.value === value);
  if (nearMiss?.isSentence === true) return wrong(nearMiss.means);
  if (nearMiss !== undefined) return wrong(`${text} is ${nearMiss.means}.`);
  if (value === wanted * 8n) return wrong('That is 8 times the answer: bits instead of bytes?');
  if (value * 8n === wanted)
    return wrong('That is an eighth of the answer: bytes instead of bits?');
  return wrong(`${text} is too ${value < wanted ? 'small' : 'large'}.`);
}

function typedNumber(text: string): bigint | null {
  const [, sign = '', digits = ''] = /^(-?)(.*)$/.exec(text) ?? [];
  const isDecimal = /^\d+$/.test(digits);
  const isHex = /^0x[0-9a-f]+$/i.test(digits) || /^(?=.*\d)[0-9a-f]+$/i.test(digits);
  if (!isDecimal && !isHex) return null;
  const value = BigInt(isDecimal || /^0x/i.test(digits) ? digits : `0x${digits}`);
  return sign === '' ? value : -value;
}
