/**
 * Rules of the first pass that several kinds share. `where` is the function of
 * kernel/bpf/btf.c that has the rule for the kind at hand.
 */

import type { BlobTypes } from './blob-types.ts';
import { META_RULES } from './kernel-rules.ts';
import { isIdentifier } from './name-rules.ts';
import type { Report } from './report.ts';

/** BTF_MAX_TYPE. */
export const MAX_TYPE_ID = 0xfffff;

/** vlen is 0. */
export function requireNoVlen(r: BlobTypes, report: Report, id: number, where: string): void {
  const vlen = r.vlen(id);
  if (vlen === 0) return;
  report.kernel(
    META_RULES.vlen,
    where,
    r.vlenPlace(id),
    () => `vlen of ${r.label(id)} is ${vlen}.`,
  );
}

/** kind_flag is 0. */
export function requireNoKindFlag(r: BlobTypes, report: Report, id: number, where: string): void {
  if (!r.kindFlag(id)) return;
  const sentence = () => `${r.label(id)} has kind_flag set.`;
  report.kernel(META_RULES.kindFlag, where, r.kindPlace(id), sentence);
}

/** The third word is a type id in the range that the kernel has; `notVoid`: and is not 0. */
export function requireTypeId(
  r: BlobTypes,
  report: Report,
  id: number,
  where: string,
  notVoid: boolean,
): void {
  const type = r.sizeOrType(id);
  if (type <= MAX_TYPE_ID && !(notVoid && type === 0)) return;
  const sentence = () => `${r.label(id)} names type ${type}.`;
  report.kernel(META_RULES.typeId, where, r.place(id, 8), sentence);
}

/** The name offset is 0. */
export function requireNoName(r: BlobTypes, report: Report, id: number, where: string): void {
  if (r.nameOff(id) === 0) return;
  const sentence = () => `${r.label(id)} has a name, at string offset ${r.nameOff(id)}.`;
  report.kernel(META_RULES.noName, where, r.place(id, 0), sentence);
}

/** There is a name, and it is an identifier. */
export function requireIdentifier(r: BlobTypes, report: Report, id: number, where: string): void {
  const nameOff = r.nameOff(id);
  const { bytes, start } = r.string(nameOff);
  if (nameOff !== 0 && isIdentifier(bytes, start)) return;
  const sentence = () => `The name of ${r.label(id)} is no identifier.`;
  report.kernel(META_RULES.identifier, where, r.place(id, 0), sentence);
}

/** Is the name the empty string, wherever it stands? */
export function isEmptyName(r: BlobTypes, id: number): boolean {
  const { bytes, start } = r.string(r.nameOff(id));
  return (bytes[start] ?? 0) === 0;
}

/** A name, if there is one, is an identifier. */
export function requireNameOrNone(r: BlobTypes, report: Report, id: number, where: string): void {
  const nameOff = r.nameOff(id);
  if (nameOff === 0 || isIdentifierAt(r, nameOff)) return;
  const sentence = () => `The name of ${r.label(id)} is no identifier.`;
  report.kernel(META_RULES.identifier, where, r.place(id, 0), sentence);
}

/** Does an identifier stand at the string offset? False where there is no such string. */
export function isIdentifierAt(r: BlobTypes, nameOff: number): boolean {
  const { bytes, start } = r.string(nameOff);
  return isIdentifier(bytes, start);
}
