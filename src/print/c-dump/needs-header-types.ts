/**
 * Definitions and declarators of a header of needs.
 *
 * Typedefs and modifiers are seen through, as CO-RE does. What stands behind a
 * pointer is named but not defined; where it has no name, it is void. Text that
 * stands inside other text is yielded, so that depth is not on the call stack.
 */
import { isSpellable, tagKeyword } from '#analysis/types/declarator.ts';
import { stripped } from '#analysis/types/strip.ts';
import type { Emission } from '#analysis/types/text-out.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import {
  type Enumerator,
  enumeratorsOf,
  isComposite,
  type Member,
  membersOf,
  paramsOf,
} from '#model/type-items.ts';
import {
  arrayData,
  kindOf,
  nameOf,
  refOf,
  sizeOrTypeOf,
  type TypeTable,
} from '#model/type-table.ts';
import { floatWord, intWord } from './names.ts';
import type { Definition, HeaderTypes } from './needs-header.ts';

const PRESERVE = '__attribute__((preserve_access_index))';

/** `struct foo { … };` with the members that are marked, or `enum foo { … };`. */
export function* definitionText(header: HeaderTypes, { tag, ids }: Definition): Emission {
  const { out } = header;
  const [first] = ids;
  if (first === undefined) return;
  out.write(`${tag} {\n`);
  if (isComposite(kindOf(header.types, first))) {
    const names = new Set<string>();
    writeFiller(header, ids, 1);
    for (const id of ids) yield members(header, id, 1, names);
    out.write(`} ${PRESERVE};\n`);
  } else {
    for (const id of ids) writeEnumerators(header, id, 1);
    out.write(`}${packed(header.types, first)};\n`);
  }
}

/** `typedef struct { … } foo_t;` */
export function* typedefText(header: HeaderTypes, root: TypeId): Emission {
  const { types: t, out } = header;
  const declared = declare(header, typeId(sizeOrTypeOf(t, root)), nameOf(t, root));
  if (declared === null) {
    header.leftOut += 1;
    return;
  }
  out.write('typedef ');
  yield declaration(header, declared, 0, PRESERVE);
  out.write(';\n\n');
}

function* members(header: HeaderTypes, id: TypeId, level: number, names: Set<string>): Emission {
  const { types: t, out } = header;
  /** Bytes of the bit-field before; 0 for another member, null for none. */
  let unit: number | null = null;
  for (const member of membersOf(t, id)) {
    if (!header.marks.hasMember(id, member.index) || names.has(member.name)) continue;
    const declared = declareMember(header, member);
    if (declared === null) {
      header.leftOut += 1;
      continue;
    }
    if (member.name !== '') names.add(member.name);
    const before: number | null = unit;
    unit = member.bitfieldSize === 0 ? 0 : sizeOrTypeOf(t, stripped(t, member.type));
    // clang refuses relocations of a bit-field that shares its unit with another size.
    if (unit > 0 && before !== null && before !== unit) {
      indent(header, level);
      out.write(`${unitOf(declared)} : 0;\n`);
    }
    indent(header, level);
    yield declaration(header, declared, level, '');
    out.write(';\n');
  }
}

/** clang fails on structs that are empty all through; a bit-field without a name is no member to CO-RE. */
function writeFiller(header: HeaderTypes, ids: readonly TypeId[], level: number): void {
  const { types: t, marks, out } = header;
  const isEmpty = ids.every(
    (id) => !membersOf(t, id).some((member) => marks.hasMember(id, member.index)),
  );
  if (!isEmpty || ids.every((id) => sizeOrTypeOf(t, id) === 0)) return;
  indent(header, level);
  out.write('unsigned char : 8;\n');
}

function declareMember(header: HeaderTypes, member: Member): Declared | null {
  const { name, bitfieldSize, type } = member;
  if (name !== '' && !isSpellable(name)) return null;
  return declare(header, type, bitfieldSize === 0 ? name : `${name} : ${bitfieldSize}`);
}

/** The type whose unit a bit-field begins; an enum cannot be written in that place. */
function unitOf({ base }: Declared): string {
  return typeof base !== 'string' || base.startsWith('enum ') || base === '_Bool'
    ? 'unsigned int'
    : base;
}

/** A base, and the name with its stars and brackets. */
type Declared = {
  /** Text, or an anonymous type that is spelled out in place. */
  readonly base: string | TypeId;
  readonly declarator: string;
};

function* declaration(
  header: HeaderTypes,
  { base, declarator }: Declared,
  level: number,
  attribute: string,
): Emission {
  const { out } = header;
  if (typeof base === 'string') {
    out.write(spaced(base, declarator));
    return;
  }
  if (header.open.has(base)) {
    // It holds itself, which C cannot say.
    out.write(spaced(`${tagKeyword(header.types, base)} {}`, declarator));
    return;
  }
  header.open.add(base);
  const kind = kindOf(header.types, base);
  out.write(`${tagKeyword(header.types, base)} {\n`);
  if (isComposite(kind)) {
    writeFiller(header, [base], level + 1);
    yield members(header, base, level + 1, new Set());
  } else writeEnumerators(header, base, level + 1);
  indent(header, level);
  header.open.delete(base);
  const behind = isComposite(kind) ? attribute : packed(header.types, base).trim();
  out.write(spaced(`}${behind === '' ? '' : ` ${behind}`}`, declarator));
}

function spaced(base: string, declarator: string): string {
  return declarator === '' ? base : `${base} ${declarator}`;
}

/** Levels of pointers, arrays and prototypes in one declarator. Beyond it, void takes the place of the rest. */
const MAX_LEVELS = 24;

/**
 * How `name` is declared as `type`; null for what has no value in C. A prototype
 * inside a prototype, `nested`, is not spelled out: each could hold a thousand more.
 */
function declare(header: HeaderTypes, type: TypeId, name: string, nested = false): Declared | null {
  const { types: t } = header;
  let at = stripped(t, type);
  let declarator = name;
  let pointed = false;
  for (let level = 0; level < MAX_LEVELS; level++) {
    switch (kindOf(t, at)) {
      case BtfKind.PTR: {
        const to = stripped(t, typeId(sizeOrTypeOf(t, at)));
        const kind = kindOf(t, to);
        const binds =
          kind === BtfKind.ARRAY ||
          (kind === BtfKind.FUNC_PROTO && !nested && header.marks.has(to));
        declarator = binds ? `(*${declarator})` : `*${declarator}`;
        pointed = true;
        at = to;
        break;
      }
      case BtfKind.ARRAY: {
        const { elemType, nelems } = arrayData(t, at);
        declarator += `[${nelems}]`;
        at = stripped(t, elemType);
        break;
      }
      case BtfKind.FUNC_PROTO:
        if (!pointed) return null;
        if (nested || !header.marks.has(at)) return { base: 'void', declarator };
        declarator += `(${parameters(header, at)})`;
        at = stripped(t, refOf(t, at) ?? typeId(0));
        break;
      default:
        return named(header, at, declarator, pointed);
    }
  }
  return pointed ? { base: 'void', declarator: `*${name}` } : null;
}

function named(
  header: HeaderTypes,
  id: TypeId,
  declarator: string,
  pointed: boolean,
): Declared | null {
  const { types: t, marks } = header;
  const kind = kindOf(t, id);
  const base = (text: string | null): Declared | null =>
    text === null ? null : { base: text, declarator };
  switch (kind) {
    case BtfKind.INT:
      return base(intWord(t, id) ?? (pointed ? 'void' : null));
    case BtfKind.FLOAT:
      return base(floatWord(t, id) ?? (pointed ? 'void' : null));
    case BtfKind.STRUCT:
    case BtfKind.UNION:
    case BtfKind.FWD: {
      const name = nameOf(t, id);
      if (!pointed && kind === BtfKind.FWD) return null;
      if (name === '') return pointed ? base('void') : { base: id, declarator };
      if (!isSpellable(name)) return pointed ? base('void') : null;
      if (pointed) header.forward.add(tagOf(t, id));
      return base(tagOf(t, id));
    }
    case BtfKind.ENUM:
    case BtfKind.ENUM64: {
      const name = nameOf(t, id);
      if (name === '') return pointed ? base('unsigned int') : { base: id, declarator };
      // C knows no enum that is only named.
      if (!isSpellable(name) || !marks.has(id)) return base(pointed ? 'void' : null);
      return base(tagOf(t, id));
    }
    default:
      return pointed ? base('void') : null;
  }
}

function parameters(header: HeaderTypes, proto: TypeId): string {
  const texts = paramsOf(header.types, proto).map(({ type, name }, i, all) => {
    if (type === 0 && name === '' && i === all.length - 1) return '...';
    const declared = declare(header, type, '', true);
    return declared === null || typeof declared.base !== 'string'
      ? 'void *'
      : spaced(declared.base, declared.declarator);
  });
  return texts.length === 0 ? 'void' : texts.join(', ');
}

/**
 * The enumerators that are needed, and the lowest and the highest: they decide
 * the size, which loads are checked by.
 */
function writeEnumerators(header: HeaderTypes, id: TypeId, level: number): void {
  const { out } = header;
  const all = enumeratorsOf(header.types, id);
  const wanted = header.enumerators.get(id);
  const [low, high] = extremes(all);
  const named = nameOf(header.types, id) !== '' || wanted !== undefined;
  let written = 0;
  for (const one of all) {
    if (!(wanted?.has(one.index) ?? false) && one !== low && one !== high) continue;
    // Where only the size counts, the name need not be the real one.
    const name = named ? one.name : `__anon_${id}_${one.index}_${header.spelled.size}`;
    if (!isSpellable(name) || header.spelled.has(name)) {
      header.leftOut += 1;
      continue;
    }
    header.spelled.add(name);
    indent(header, level);
    out.write(`${name} = ${valueWord(one.value)},\n`);
    written += 1;
  }
  if (written > 0) return;
  const filler = `__enum_${id}_${header.spelled.size}`;
  header.spelled.add(filler);
  indent(header, level);
  out.write(`${filler},\n`);
}

function extremes(all: readonly Enumerator[]): [Enumerator | null, Enumerator | null] {
  let low: Enumerator | null = null;
  let high: Enumerator | null = null;
  for (const one of all) {
    if (low === null || one.value < low.value) low = one;
    if (high === null || one.value > high.value) high = one;
  }
  return [low, high];
}

/** What makes an enum as small as it is: nothing for one of the usual size. */
function packed(t: TypeTable, id: TypeId): string {
  return sizeOrTypeOf(t, id) < 4 ? ' __attribute__((packed))' : '';
}

/** `struct foo`, `union foo`, `enum foo`; a FWD by its sort. */
export function tagOf(t: TypeTable, id: TypeId): string {
  return `${tagKeyword(t, id)} ${nameOf(t, id)}`;
}

/** A number with the suffix that its size asks for. */
function valueWord(value: bigint): string {
  if (value === -(1n << 63n)) return '(-9223372036854775807LL - 1)';
  if (value < -(1n << 31n)) return `${value}LL`;
  if (value < 1n << 31n) return `${value}`;
  if (value < 1n << 32n) return `${value}U`;
  return value < 1n << 63n ? `${value}LL` : `${value}ULL`;
}

/** Tabs for a level of nesting, of which no more are drawn than fit a screen. */
function indent({ out }: HeaderTypes, level: number): void {
  out.writeRepeated('\t', Math.min(level, 32));
}
