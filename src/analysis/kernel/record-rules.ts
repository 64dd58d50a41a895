/** A record in the first pass: the rules that several kinds share, and the report of a broken one. */
import type { BlobTypes } from './blob-types.ts';
import { type KernelRule, META_RULES } from './kernel-rules.ts';
import type { Place, Report } from './verdict.ts';

/** BTF_MAX_TYPE. */
export const MAX_TYPE_ID = 0xfffff;

/** Record `id` of `r`; `where` is the function of kernel/bpf/btf.c that has the rules of its kind. */
export class MetaRecord {
  readonly r: BlobTypes;
  readonly id: number;
  readonly #where: string;
  readonly #report: Report;

  constructor(r: BlobTypes, report: Report, id: number, where: string) {
    this.r = r;
    this.id = id;
    this.#where = where;
    this.#report = report;
  }

  /** `[6] STRUCT task`. */
  get label(): string {
    return this.r.label(this.id);
  }

  /** Tells that `rule` is broken at `place`, or at the word at that many bytes of the record. */
  broken(rule: KernelRule, place: Place | number, sentence: () => string): void {
    const at = typeof place === 'number' ? this.r.place(this.id, place) : place;
    this.#report.kernel(rule, this.#where, at, sentence);
  }

  /** vlen is 0. */
  noVlen(): void {
    const vlen = this.r.vlen(this.id);
    if (vlen === 0) return;
    const place = this.r.vlenPlace(this.id);
    this.broken(META_RULES.vlen, place, () => `vlen of ${this.label} is ${vlen}.`);
  }

  /** kind_flag is 0. */
  noKindFlag(): void {
    if (!this.r.kindFlag(this.id)) return;
    const place = this.r.kindPlace(this.id);
    this.broken(META_RULES.kindFlag, place, () => `${this.label} has kind_flag set.`);
  }

  /** The third word is a type id in the range that the kernel has; `notVoid`: and is not 0. */
  typeId(notVoid: boolean): void {
    const type = this.r.sizeOrType(this.id);
    if (type <= MAX_TYPE_ID && !(notVoid && type === 0)) return;
    this.broken(META_RULES.typeId, 8, () => `${this.label} names type ${type}.`);
  }

  /** The name offset is 0. */
  noName(): void {
    const nameOff = this.r.nameOff(this.id);
    const sentence = () => `${this.label} has a name, at string offset ${nameOff}.`;
    if (nameOff !== 0) this.broken(META_RULES.noName, 0, sentence);
  }

  /** There is a name, and it is an identifier. */
  identifier(): void {
    if (this.r.nameOff(this.id) === 0) this.#noIdentifier();
    else this.nameOrNone();
  }

  /** A name, if there is one, is an identifier. */
  nameOrNone(): void {
    const nameOff = this.r.nameOff(this.id);
    if (nameOff !== 0 && !isIdentifierAt(this.r, nameOff)) this.#noIdentifier();
  }

  #noIdentifier(): void {
    this.broken(META_RULES.identifier, 0, () => `The name of ${this.label} is no identifier.`);
  }

  /** There is a name, and all of it can be printed. */
  sectionName(): void {
    const { bytes, start } = this.r.string(this.r.nameOff(this.id));
    if (this.r.nameOff(this.id) !== 0 && isSectionName(bytes, start)) return;
    const sentence = () => `The name of ${this.label} is not a section name.`;
    this.broken(META_RULES.sectionName, 0, sentence);
  }

  /** Checks that the name is not the empty string. */
  text(rule: KernelRule): void {
    const { bytes, start } = this.r.string(this.r.nameOff(this.id));
    if ((bytes[start] ?? 0) === 0) this.broken(rule, 0, () => `${this.label} has no text.`);
  }

  /** The linkage at `place` is static or global. */
  linkage(rule: KernelRule, place: Place, linkage: number): void {
    if (linkage <= 1) return;
    const text = linkage === 2 ? '2, extern' : `${linkage}`;
    this.broken(rule, place, () => `The linkage of ${this.label} is ${text}.`);
  }
}

/** Returns whether an identifier is at the string offset. */
export function isIdentifierAt(r: BlobTypes, nameOff: number): boolean {
  const { bytes, start } = r.string(nameOff);
  return isIdentifier(bytes, start);
}

/**
 * Which names the kernel takes. Source: kernel/bpf/btf.c, the functions
 * btf_name_valid_identifier and btf_name_valid_section, with the letters of
 * lib/ctype.c, which are those of Latin-1. Strings are bytes.
 */

/** KSYM_NAME_LEN: the characters that a name may have. */
const NAME_LIMIT = 512;

/** An identifier, dots included, at `start` of `bytes`; it ends at NUL or at the end of `bytes`. */
export function isIdentifier(bytes: Uint8Array, start: number): boolean {
  const first = bytes[start] ?? 0;
  if (!isNameByte(first) || isDigit(first)) return false;
  return endsWithin(bytes, start, isNameByte);
}

/** A section name: any printable characters, at least one. */
export function isSectionName(bytes: Uint8Array, start: number): boolean {
  return isPrintable(bytes[start] ?? 0) && endsWithin(bytes, start, isPrintable);
}

function endsWithin(bytes: Uint8Array, start: number, ok: (byte: number) => boolean): boolean {
  for (let at = start; at < start + NAME_LIMIT; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === 0) return true;
    if (!ok(byte)) return false;
  }
  return (bytes[start + NAME_LIMIT] ?? 0) === 0;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function isNameByte(byte: number): boolean {
  const lower = byte | 0x20;
  if (lower >= 0x61 && lower <= 0x7a) return true;
  if (byte === 0x5f || byte === 0x2e || isDigit(byte)) return true;
  // Latin-1 letters, without the signs for times and divided by.
  return byte >= 0xc0 && byte !== 0xd7 && byte !== 0xf7;
}

function isPrintable(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || byte >= 0xa0;
}
