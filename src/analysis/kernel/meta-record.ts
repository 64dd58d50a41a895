/** A record in the kernel's first pass, with the rules that several kinds share. */
import type { BlobTypes } from './blob-types.ts';
import { type KernelRule, META_RULES } from './rules.ts';
import type { Place, Report } from './verdict.ts';

/** Highest type id: BTF_MAX_TYPE. */
export const MAX_TYPE_ID = 0xfffff;

/** Record `id` of `r`. `where` is the function of kernel/bpf/btf.c that checks its kind. */
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

  /** Name of the record for a sentence: `[6] STRUCT task`. */
  get label(): string {
    return this.r.label(this.id);
  }

  /** Reports a broken rule. A number as `place` is the byte offset of a word of the record. */
  broken(rule: KernelRule, place: Place | number, sentence: () => string): void {
    const at = typeof place === 'number' ? this.r.place(this.id, place) : place;
    this.#report.kernel(rule, this.#where, at, sentence);
  }

  /** Checks that vlen is 0. */
  noVlen(): void {
    const vlen = this.r.vlen(this.id);
    if (vlen === 0) return;
    const place = this.r.vlenPlace(this.id);
    this.broken(META_RULES.vlen, place, () => `vlen of ${this.label} is ${vlen}.`);
  }

  /** Checks that kind_flag is 0. */
  noKindFlag(): void {
    if (!this.r.kindFlag(this.id)) return;
    const place = this.r.kindPlace(this.id);
    this.broken(META_RULES.kindFlag, place, () => `${this.label} has kind_flag set.`);
  }

  /** Checks that the type id is at most `MAX_TYPE_ID`, and not 0 if `notVoid` is true. */
  typeId(notVoid: boolean): void {
    const type = this.r.sizeOrType(this.id);
    if (type <= MAX_TYPE_ID && !(notVoid && type === 0)) return;
    this.broken(META_RULES.typeId, 8, () => `${this.label} names type ${type}.`);
  }

  /** Checks that the name offset is 0. */
  noName(): void {
    const nameOff = this.r.nameOff(this.id);
    const sentence = () => `${this.label} has a name, at string offset ${nameOff}.`;
    if (nameOff !== 0) this.broken(META_RULES.noName, 0, sentence);
  }

  /** Checks that the name is an identifier. */
  identifier(): void {
    if (this.r.nameOff(this.id) === 0) this.#noIdentifier();
    else this.nameOrNone();
  }

  /** Checks that the name is empty or an identifier. */
  nameOrNone(): void {
    const nameOff = this.r.nameOff(this.id);
    if (nameOff !== 0 && !isIdentifierAt(this.r, nameOff)) this.#noIdentifier();
  }

  #noIdentifier(): void {
    this.broken(META_RULES.identifier, 0, () => `The name of ${this.label} is no identifier.`);
  }

  /** Checks that the name is printable and not empty. */
  sectionName(): void {
    const { bytes, start } = this.r.string(this.r.nameOff(this.id));
    if (this.r.nameOff(this.id) !== 0 && isSectionName(bytes, start)) return;
    const sentence = () => `The name of ${this.label} is not a section name.`;
    this.broken(META_RULES.sectionName, 0, sentence);
  }

  /** Checks that the name is not empty. */
  text(rule: KernelRule): void {
    const { bytes, start } = this.r.string(this.r.nameOff(this.id));
    if ((bytes[start] ?? 0) === 0) this.broken(rule, 0, () => `${this.label} has no text.`);
  }

  /** Checks that the linkage is static or global. */
  linkage(rule: KernelRule, place: Place, linkage: number): void {
    if (linkage <= 1) return;
    const text = linkage === 2 ? '2, extern' : `${linkage}`;
    this.broken(rule, place, () => `The linkage of ${this.label} is ${text}.`);
  }
}

/** Returns true if the string at `nameOff` is an identifier. */
export function isIdentifierAt(r: BlobTypes, nameOff: number): boolean {
  const { bytes, start } = r.string(nameOff);
  return isIdentifier(bytes, start);
}

/** Maximum bytes of a name: KSYM_NAME_LEN. */
const MAX_NAME = 512;

/**
 * Returns true for an identifier. It may have dots and Latin-1 letters (lib/ctype.c). Source:
 * kernel/bpf/btf.c, btf_name_valid_identifier.
 */
export function isIdentifier(bytes: Uint8Array, start: number): boolean {
  const first = bytes[start] ?? 0;
  if (!isNameByte(first) || isDigit(first)) return false;
  return endsWithin(bytes, start, isNameByte);
}

/** Returns true for one or more printable characters. Source: btf_name_valid_section. */
export function isSectionName(bytes: Uint8Array, start: number): boolean {
  return isPrintable(bytes[start] ?? 0) && endsWithin(bytes, start, isPrintable);
}

function endsWithin(bytes: Uint8Array, start: number, ok: (byte: number) => boolean): boolean {
  for (let at = start; at < start + MAX_NAME; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === 0) return true;
    if (!ok(byte)) return false;
  }
  return (bytes[start + MAX_NAME] ?? 0) === 0;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function isNameByte(byte: number): boolean {
  const lower = byte | 0x20;
  if (lower >= 0x61 && lower <= 0x7a) return true;
  if (byte === 0x5f || byte === 0x2e || isDigit(byte)) return true;
  // Latin-1 letters begin at 0xc0; 0xd7 is × and 0xf7 is ÷.
  return byte >= 0xc0 && byte !== 0xd7 && byte !== 0xf7;
}

function isPrintable(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || byte >= 0xa0;
}
