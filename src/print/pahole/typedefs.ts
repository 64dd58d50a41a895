/**
 * Typedefs and enumerations, when one is asked for by itself.
 *
 * The rules: typedef__fprintf and enumeration__fprintf of pahole 1.24. It has none
 * for a typedef of a union without a name, of which it prints no members; here it
 * is written like one of a struct.
 */
import { BtfKind } from '#formats/btf/kinds.ts';
import type { Declaration } from './declaration.ts';
import { enumerationText } from './enumerations.ts';
import { MISSING, missingType } from './faults.ts';
import { boundsText } from './member-end.ts';
import { prototypeText } from './prototypes.ts';
import type { Records } from './records.ts';
import { TYPE_SPACING } from './spacing.ts';
import type { TypeNames } from './type-names.ts';

/** What is to be written for a typedef or an enumeration. */
export type Written =
  | { readonly text: string }
  /** A composite without a name, and what it declares. */
  | { readonly composite: number; readonly declares: string; readonly isElement: boolean };

/** An ENUM or ENUM64, with the typedef of it when it has no name. */
export function enumerationAlone(records: Records, id: number): string {
  const typedef = records.name(id) === null ? firstTypedefOf(records, id) : null;
  const text = enumerationText(records, id, 0, typedef === null ? '' : ` ${typedef}`);
  return `${typedef === null ? '' : 'typedef '}${text};\n`;
}

/** A TYPEDEF. */
export function typedefAlone(
  records: Records,
  names: TypeNames,
  declaration: Declaration,
  id: number,
): Written {
  const name = records.name(id) ?? '';
  const type = records.refOf(id);
  const kind = records.kind(type);
  const line = (text: string) => ({ text: `typedef ${text};\n` });
  if (type === 0) return line(`void ${name}`);
  if (kind === 0) return line(`${missingType(MISSING.typedef, type)} ${name}`);
  const keyword = records.keyword(type);
  if (keyword !== null && !records.isNamed(type)) {
    if (keyword !== 'enum') return { composite: type, declares: name, isElement: false };
    return line(enumerationText(records, type, 0, ` ${name}`));
  }
  if (kind === BtfKind.FUNC_PROTO) return line(prototypeText(records, names, type, name, false, 0));
  if (kind === BtfKind.PTR) {
    const to = records.refOf(type);
    if (records.kind(to) === BtfKind.FUNC_PROTO) {
      return line(prototypeText(records, names, to, name, true, 0));
    }
    if (to !== 0 && records.kind(to) === 0) {
      return line(`${missingType(MISSING.typedefPointee, to)} *${name}`);
    }
  }
  if (kind !== BtfKind.ARRAY) return line(`${names.of(type)} ${name}`);
  declaration.declare(type, name, TYPE_SPACING);
  const bounds = boundsText(declaration.bounds, { isFirst: false, isLast: false, inUnion: false });
  const { nested, text } = declaration;
  if (nested === 0) return line(text + bounds);
  if (records.keyword(nested) !== 'enum') {
    return { composite: nested, declares: name + bounds, isElement: true };
  }
  return line(text + enumerationText(records, nested, 0, ` ${name}`) + bounds);
}

/** The name of the first typedef of a type; null when there is none. */
export function firstTypedefOf(records: Records, id: number): string | null {
  for (let other = records.first; other <= records.last; other++) {
    if (records.kind(other) === BtfKind.TYPEDEF && records.refOf(other) === id) {
      return records.name(other);
    }
  }
  return null;
}
