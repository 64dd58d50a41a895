/**
 * Checks an answer against the open file, and explains a wrong one from the file, not from the
 * lesson.
 */

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

/** Checks a selection; the right one is `wanted`. */
export function checkClick(
  model: ObjectModel,
  clicked: Selection,
  wanted: Selection,
  read: ReadBytes,
): Answer {
  const asked = selectionSpan(model, wanted);
  const got = selectionSpan(model, clicked);
  const said = got === null ? '' : `That is ${clickedWords(model, clicked, got, read)}`;
  if (sameSelection(clicked, wanted)) return { isRight: true, why: said || 'That is the one.' };
  if (got === null || asked === null) {
    return wrong('The selection has no bytes in this file.');
  }
  const isInside = got.start >= asked.start && got.end <= asked.end;
  if (isInside) return { isRight: true, why: said };
  const isWider = got.start <= asked.start && got.end >= asked.end;
  const hint = isWider
    ? 'The answer is a part of it; select less.'
    : whereElse(clicked, wanted, got.start < asked.start);
  return wrong(`${said} ${hint}`.trim());
}

/** Where to look instead; of what stands in lists, by their order. */
function whereElse(clicked: Selection, wanted: Selection, isBehind: boolean): string {
  if (clicked.kind === 'relocation' && wanted.kind === 'relocation') {
    return `The answer is ${clicked.reloc < wanted.reloc ? 'below' : 'above'} it in the list.`;
  }
  if (clicked.kind === 'type' && wanted.kind === 'type' && clicked.type !== wanted.type) {
    return 'The question is about another type.';
  }
  return `The answer is ${isBehind ? 'after' : 'before'} it.`;
}

/** What was clicked. A relocation is told by itself: its bytes are those of what it patches. */
function clickedWords(model: ObjectModel, clicked: Selection, got: Span, read: ReadBytes): string {
  if (clicked.kind === 'relocation') {
    const { typeName, symbolText } = relocationMeaning(model, clicked.reloc);
    const at = signedHex(model.relocations.offset[clicked.reloc] ?? 0n);
    return `the relocation at ${at} for ${visible(symbolText)} (${typeName}).`;
  }
  // What all of the bytes belong to.
  const chain = fieldsAt(model, got.start, read).filter(({ span }) => span.end >= got.end);
  return bitWords(chain, got) ?? wordsOf(chain);
}

/** No word of bits is longer. */
const MAX_WORD_BYTES = 8;

/** `kind: 4 (STRUCT) and kind_flag: 0, in info of [2] STRUCT foo.` Null: not a part of a word of bits. */
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

/** `kind: 4 (STRUCT)`. */
function bitsValue({ label, value, meaning }: StructureField): string {
  const means = meaning === '' ? '' : ` (${visible(meaning)})`;
  return `${visible(label)}${value === null ? '' : `: ${value}`}${means}`;
}

/** `vlen of [2] STRUCT foo: 2 (two members).` */
function wordsOf(chain: readonly StructureField[]): string {
  const owners = chain.filter(({ kind }) => kind !== 'bits');
  const innermost = owners.at(-1);
  if (innermost === undefined) return 'nothing that this file names.';
  const around = owners.at(-2);
  // A part such as the types contains everything: naming it does not help.
  const isTold = around !== undefined && !(innermost.kind === 'type' && around.kind === 'part');
  const place = isTold ? ` of ${visible(around.label)}` : '';
  const value = innermost.value === null ? '' : `: ${innermost.value}`;
  const meaning = innermost.meaning === '' ? '' : ` (${visible(innermost.meaning)})`;
  return `${visible(innermost.label)}${place}${value}${meaning}.`;
}

/** Checks a typed access string; the right one is that of `wanted`. */
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

/** An enumerator has a value, and no place. */
function nameOf({ expression }: AccessPath): string {
  return visible(expression);
}

/** `p->a.b, byte 24`. */
function placeWords({ expression, bitOffset, byteOffset, bitfieldSize }: AccessPath): string {
  const place = bitfieldSize > 0 ? `bit ${bitOffset}` : `byte ${byteOffset}`;
  return `${visible(expression)}, ${place}`;
}

const NO_HELP: NumberHelp = { unit: null, why: '', others: [] };

/** Checks a typed number: decimal, hex, hex without 0x where a letter shows it, with the unit that is asked for or the other. */
export function checkNumber(
  typed: string,
  wanted: bigint,
  { unit, why, others }: NumberHelp = NO_HELP,
): Answer {
  const said = typed.trim().replaceAll('_', '');
  const [, digits = '', saidUnit = ''] = /^(.*?)(?:\s*\b(bit|byte)s?)?$/i.exec(said) ?? [];
  const number = typedNumber(digits);
  if (number === null) return wrong('That is not a number; write 24 or 0x18.');
  if (saidUnit !== '' && unit === null) return wrong('Write the number without a unit.');
  const isBits = saidUnit.toLowerCase() === 'bit';
  const isOther = saidUnit !== '' && isBits !== (unit === 'bit');
  if (isOther && isBits && number % 8n !== 0n) return wrong(`${said} are not whole bytes.`);
  const value = !isOther ? number : isBits ? number / 8n : number * 8n;
  if (value === wanted) {
    const numbers = `${wanted}, or ${signedHex(wanted)}.`;
    return { isRight: true, why: why === '' ? numbers : `${numbers} ${why}` };
  }
  const other = others.find((known) => known.value === value);
  if (other?.isSentence === true) return wrong(other.means);
  if (other !== undefined) return wrong(`${said} is ${other.means}.`);
  if (value === wanted * 8n) return wrong('That is 8 times the answer: bits instead of bytes?');
  if (value * 8n === wanted)
    return wrong('That is an eighth of the answer: bytes instead of bits?');
  return wrong(`${said} is too ${value < wanted ? 'small' : 'large'}.`);
}

function typedNumber(text: string): bigint | null {
  const [, sign = '', digits = ''] = /^(-?)(.*)$/.exec(text) ?? [];
  const isDecimal = /^\d+$/.test(digits);
  const isHex = /^0x[0-9a-f]+$/i.test(digits) || /^(?=.*\d)[0-9a-f]+$/i.test(digits);
  if (!isDecimal && !isHex) return null;
  const value = BigInt(isDecimal || /^0x/i.test(digits) ? digits : `0x${digits}`);
  return sign === '' ? value : -value;
}
