/**
 * Texts to copy about a member: path, macro to read the member in a BPF program, offset.
 *
 * Source: the kernel's tools/lib/bpf/bpf_core_read.h.
 */
import { hexPlace } from '#bytes/text.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { isComposite, type Member, memberAt } from '#model/type-items.ts';
import { kindOf, nameOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import { memberBits } from './member-bits.ts';
import { typeExpression } from './type-name.ts';

/** A text and its label. Names are not escaped. */
export type MemberText = {
  readonly what: 'path' | 'read' | 'offset' | 'offsetof';
  readonly text: string;
};

/**
 * Returns the texts for the member at `path`, which has member indices from `composite` down.
 * `type` is the composite or a typedef of it. A member that C cannot name has only an offset. Empty
 * if the member does not exist.
 */
export function memberTexts(
  t: TypeTable,
  type: TypeId,
  composite: TypeId,
  path: readonly number[],
): readonly MemberText[] {
  const names: string[] = [];
  let at = composite;
  let bitOffset = 0;
  let isBitfield = false;
  let last: Member | null = null;
  for (const index of path) {
    last = memberAt(t, at, index);
    if (last === null) return [];
    const bits = memberBits(t, at, last);
    bitOffset += bits.bitOffset;
    isBitfield = bits.isBitfield;
    if (last.name !== '') names.push(last.name);
    at = skipModifiers(t, last.type);
  }
  if (last === null) return [];
  const offset: MemberText = { what: 'offset', text: hexPlace(bitOffset) };
  if (last.name === '') return [offset];
  const field = names.join('.');
  const owner = nameOf(t, type);
  const texts: MemberText[] = [
    { what: 'path', text: owner === '' ? field : `${owner}.${field}` },
    { what: 'read', text: readText(field, isBitfield, kindOf(t, at)) },
    offset,
  ];
  // C has no `offsetof` of a bit-field or in an anonymous type.
  if (!isBitfield && owner !== '') {
    texts.push({ what: 'offsetof', text: `offsetof(${typeExpression(t, type)}, ${field})` });
  }
  return texts;
}

/**
 * Returns the macro that reads the member. Bit-fields have their own macro; structs and arrays are
 * read into a variable.
 */
function readText(field: string, isBitfield: boolean, kind: number): string {
  if (isBitfield) return `BPF_CORE_READ_BITFIELD_PROBED(p, ${field})`;
  if (kind === BtfKind.ARRAY || isComposite(kind)) return `BPF_CORE_READ_INTO(&value, p, ${field})`;
  return `BPF_CORE_READ(p, ${field})`;
}
