/**
 * The C of one type, as `bpftool btf dump format c` writes it.
 *
 * The rules are those of libbpf's btf_dump.c: anonymous composites in place,
 * unnamed bit-fields for padding that the compiler would not make itself, packed
 * and mode attributes where the layout asks for them. Suffixes that bpftool adds
 * to names that collide (`___2`) are a matter of the whole dump and not written.
 */

import { type DeclaratorStyle, declarator, tagKeyword } from '#analysis/declarator.ts';
import { alignOf, pointerSize, sizeOf } from '#analysis/sizes.ts';
import { type Emission, emit, TextOut } from '#analysis/text-out.ts';
import { BtfKind, kindName } from '#formats/btf/kinds.ts';
import { type TypeId, typeId, VOID } from '#model/ids.ts';
import {
  enumeratorsOf,
  isComposite,
  memberAt,
  memberCount,
  varSecinfosOf,
} from '#model/type-items.ts';
import {
  componentIdx,
  hasType,
  kindFlagOf,
  kindOf,
  nameOf,
  sizeOrTypeOf,
  type TypeTable,
  varLinkage,
  vlenOf,
} from '#model/type-table.ts';

export type CDeclarationOptions = {
  /** One level of nesting; a tab, as bpftool has it, unless given. */
  readonly indent?: string;
};

/** Characters; a struct of 65,535 members has about two million. */
const MAX_LENGTH = 1 << 23;
/** Deeper levels are not indented further; libbpf does the same. */
const MAX_INDENT = 13;

/**
 * The C of type `id`, ending in `;` (or in a comment where C has no word for it).
 * FUNC gives its prototype, VAR a declaration with its linkage, DATASEC its
 * variables with their place in the section. Cut, with a comment that says so,
 * after eight million characters. Raw text: escape it when drawn.
 */
export function cDeclaration(t: TypeTable, id: TypeId, options: CDeclarationOptions = {}): string {
  const out = new TextOut(MAX_LENGTH);
  emit(definition(new Printer(t, out, options.indent ?? '\t'), id), out);
  return out.full ? `${out}\n/* cut after ${MAX_LENGTH} characters */` : out.toString();
}

/** What all writers of one text share. */
class Printer implements DeclaratorStyle {
  readonly types: TypeTable;
  readonly out: TextOut;
  readonly form = 'declaration';
  readonly open = new Set<TypeId>();
  readonly #indent: string;

  constructor(types: TypeTable, out: TextOut, indent: string) {
    this.types = types;
    this.out = out;
    this.#indent = indent;
  }

  readonly anonymous = (id: TypeId, level: number) => body(this, id, level);

  /** The start of a new line at a nesting `level`. */
  lineStart(level: number): string {
    return `\n${this.#indent.repeat(Math.min(level, MAX_INDENT))}`;
  }
}

function* definition(p: Printer, id: TypeId): Emission {
  const { types: t, out } = p;
  const name = nameOf(t, id);
  const kind = kindOf(t, id);
  switch (kind) {
    case BtfKind.STRUCT:
    case BtfKind.UNION:
    case BtfKind.ENUM:
    case BtfKind.ENUM64:
      yield body(p, id, 0);
      out.write(';');
      break;
    case BtfKind.TYPEDEF:
      out.write('typedef ');
      // Old GCC wrote this one as a typedef of void.
      if (name === '__gnuc_va_list' && sizeOrTypeOf(t, id) === VOID) {
        out.write(`__builtin_va_list ${name};`);
      } else {
        yield statement(p, typeId(sizeOrTypeOf(t, id)), name);
      }
      break;
    case BtfKind.FUNC:
      out.write(linkageWord(vlenOf(t, id)));
      yield statement(p, typeId(sizeOrTypeOf(t, id)), name);
      break;
    case BtfKind.VAR:
      yield variable(p, id);
      break;
    case BtfKind.DATASEC:
      yield section(p, id);
      break;
    case BtfKind.DECL_TAG:
      out.write(tagComment(t, id));
      break;
    default:
      if (kind > BtfKind.ENUM64 || !hasType(t, id)) yield declarator(p, id, '');
      else yield statement(p, id, '');
  }
}

function* statement(p: Printer, id: TypeId, name: string): Emission {
  yield declarator(p, id, name);
  p.out.write(';');
}

/** Storage class for a linkage of FUNC or VAR: 0 static, 1 global, 2 extern. */
function linkageWord(linkage: number): string {
  const words = ['static ', '', 'extern '];
  return words[linkage] ?? `/* linkage ${linkage} */ `;
}

function* variable(p: Printer, id: TypeId): Emission {
  const { types: t, out } = p;
  const linkage = varLinkage(t, id);
  if (linkage === 1) out.write('/* linkage: global */ ');
  out.write(linkageWord(linkage));
  yield statement(p, typeId(sizeOrTypeOf(t, id)), nameOf(t, id));
}

function* section(p: Printer, id: TypeId): Emission {
  const { types: t, out } = p;
  out.write(`/* section ${nameOf(t, id)}: ${sizeOrTypeOf(t, id)} bytes */`);
  for (const { type, offset, size } of varSecinfosOf(t, id)) {
    out.write(`\n/* offset ${offset}, ${size} bytes */ `);
    if (kindOf(t, type) === BtfKind.VAR) yield variable(p, type);
    else yield statement(p, type, '');
    if (out.full) return;
  }
}

function tagComment(t: TypeTable, id: TypeId): string {
  const target = typeId(sizeOrTypeOf(t, id));
  const index = componentIdx(t, id);
  const part = kindOf(t, target) === BtfKind.FUNC ? 'parameter' : 'member';
  const place = index < 0 ? '' : `, ${part} ${index}`;
  const word = tagKeyword(t, target) || (hasType(t, target) ? kindName(kindOf(t, target)) : 'type');
  const attribute = `__attribute__((btf_decl_tag("${nameOf(t, id)}")))`;
  return `/* ${attribute} on ${word} ${nameOf(t, target) || `[${target}]`}${place} */`;
}

/** `struct name {…}` or `enum name {…}` without the semicolon. */
function* body(p: Printer, id: TypeId, level: number): Emission {
  if (isComposite(kindOf(p.types, id))) yield compositeBody(p, id, level);
  else writeEnum(p, id, level);
}

function head(p: Printer, id: TypeId): void {
  const name = nameOf(p.types, id);
  p.out.write(tagKeyword(p.types, id) + (name === '' ? '' : ` ${name}`));
}

function* compositeBody(p: Printer, id: TypeId, level: number): Emission {
  const { types: t, out } = p;
  const isStruct = kindOf(t, id) === BtfKind.STRUCT;
  const packed = isStruct && isPacked(t, id);
  const size = sizeOrTypeOf(t, id);
  const vlen = memberCount(t, id);
  head(p, id);
  out.write(' {');
  let bitOffset = 0;
  let afterBitfield = false;
  for (let i = 0; i < vlen && !out.full; i++) {
    const member = memberAt(t, id, i);
    if (member === null) break;
    const { bitfieldSize } = member;
    const isBitfield = bitfieldSize !== 0;
    const align = packed ? 1 : alignOf(t, member.type);
    pad(p, level + 1, bitOffset, member.bitOffset, align, afterBitfield && isBitfield);
    out.write(p.lineStart(level + 1));
    yield declarator(p, member.type, member.name, level + 1);
    out.write(isBitfield ? `: ${bitfieldSize};` : ';');
    bitOffset = member.bitOffset + (isBitfield ? bitfieldSize : bitsOf(t, member.type));
    afterBitfield = isBitfield;
  }
  if (isStruct) pad(p, level + 1, bitOffset, size * 8, alignOf(t, id), false);
  if (vlen > 0 || size > 0) out.write(p.lineStart(level));
  out.write('}');
  if (packed) out.write(' __attribute__((packed))');
}

function bitsOf(t: TypeTable, id: TypeId): number {
  return Number(sizeOf(t, id) ?? 0n) * 8;
}

/** Does the layout contradict natural alignment, so that it must have been packed? */
function isPacked(t: TypeTable, id: TypeId): boolean {
  let maxAlign = 1;
  for (let i = 0; i < memberCount(t, id); i++) {
    const member = memberAt(t, id, i);
    if (member === null) break;
    const align = alignOf(t, member.type);
    const aligned = align === 0 || member.bitOffset % (8 * align) === 0;
    if (member.bitfieldSize === 0 && !aligned) return true;
    maxAlign = Math.max(maxAlign, align);
  }
  return sizeOrTypeOf(t, id) % maxAlign !== 0;
}

const roundUp = (n: number, unit: number) => Math.ceil(n / unit) * unit;

/**
 * Fills the bits from `from` to `to` with unnamed bit-fields, as far as the
 * compiler would not leave them free by itself: `long: 0` where only an alignment
 * has to be forced, then whole units of the widest type that fits, then the rest
 * in the narrowest type that holds it.
 */
function pad(
  p: Printer,
  level: number,
  from: number,
  to: number,
  nextAlign: number,
  inBitfield: boolean,
): void {
  if (from >= to) return;
  const units: readonly (readonly [name: string, bits: number])[] = [
    ['long', pointerSize(p.types) * 8],
    ['int', 32],
    ['short', 16],
    ['char', 8],
  ];
  const field = (name: string, bits: number) => `${p.lineStart(level)}${name}: ${bits};`;
  const [name, unit] = units.find(([, bits]) => roundUp(from, bits) <= to) ?? ['char', 8];
  const start = roundUp(from, unit);
  let at = from;
  if (start > from && start <= to) {
    const exact = start === to && roundUp(from, Math.max(1, nextAlign) * 8) !== start;
    const restFits = start !== to && to - start <= start - from;
    if (inBitfield || exact || restFits) p.out.write(field(name, inBitfield ? start - from : 0));
    at = start;
  }
  p.out.writeRepeated(field(name, unit), Math.floor((to - at) / unit));
  const rest = (to - at) % unit;
  const narrow = units.findLast(([, bits]) => bits >= rest);
  if (rest > 0 && narrow !== undefined) p.out.write(field(narrow[0], rest));
}

/** Without `mode` attributes for enums of 1 or 8 bytes, which libbpf writes from 1.2 on. */
function writeEnum(p: Printer, id: TypeId, level: number): void {
  const { types: t, out } = p;
  const wide = kindOf(t, id) === BtfKind.ENUM64;
  const suffix = wide ? (kindFlagOf(t, id) ? 'LL' : 'ULL') : '';
  head(p, id);
  const enumerators = enumeratorsOf(t, id);
  // A forward declaration, as clang writes it.
  if (enumerators.length === 0) return;
  out.write(' {');
  for (const { name, value } of enumerators) {
    out.write(p.lineStart(level + 1));
    out.write(`${name} = ${value}${suffix},`);
    if (out.full) return;
  }
  out.write(p.lineStart(level));
  out.write('}');
}
