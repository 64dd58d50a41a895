/** Declarations in Rust: structs with their fields in the order of the source, enums with data. */
import { hexText } from '#bytes/text.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { ACCESS_SHIFT } from '#model/dwarf.ts';
import { type TypeId, typeId, VOID } from '#model/ids.ts';
import { enumeratorsOf, isComposite, isEnum } from '#model/type-items.ts';
import { kindOf, nameOf, sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';
import {
  hasFlag,
  LEFT_OUT,
  otherType,
  type SourcedTypes,
  type SourceMember,
} from './source-types.ts';
import { type Grammar, rowText, TypeWriter } from './spelled.ts';

const GRAMMAR: Grammar = {
  nothing: '()',
  statesNothing: false,
  func: 'fn',
  arrow: ' -> ',
  colon: ': ',
  // A pointer without a name is inside of a reference to a slice or to a trait.
  pointer: (target) => `*const ${target}`,
  array: (element, count) => `[${element}; ${count}]`,
};

const PUBLIC = 1;
const INDENT = '    ';
/** Longest list of fields that is written on one line. */
const MAX_LINE = 80;

/** Returns the text of a type in a row. Not escaped. */
export const rustTypeText = rowText(GRAMMAR);

/** Returns the declaration of a type, function or variable; null for other kinds. Not escaped. */
export function rustDeclaration(s: SourcedTypes, id: TypeId): string | null {
  const { types: t } = s;
  const writer = new TypeWriter(s, GRAMMAR);
  const kind = kindOf(t, id);
  const name = nameOf(t, id);
  const target = typeId(sizeOrTypeOf(t, id));
  if (isEnum(kind)) {
    const type = otherType(s, id);
    const note = type === VOID ? '' : ` // ${writer.type(type)}`;
    const values = enumeratorsOf(t, id).map((each) => `${INDENT}${each.name} = ${each.value},\n`);
    return `enum ${name} {${note}\n${values.join('')}}`;
  }
  if (isComposite(kind)) return compositeText(s, writer, id, name);
  switch (kind) {
    case BtfKind.FUNC:
      return `${writer.func(target, name)};`;
    case BtfKind.VAR:
      return `static ${name}: ${writer.type(target)};`;
    case BtfKind.TYPEDEF:
      return `type ${name} = ${writer.type(target)};`;
    case BtfKind.FWD:
      return `struct ${name};`;
    case BtfKind.DATASEC:
      return null;
    default:
      return writer.type(id);
  }
}

function compositeText(s: SourcedTypes, writer: TypeWriter, id: TypeId, name: string): string {
  const { types: t } = s;
  const members = writer.members(id);
  const part = members.find((member) => isVariantPart(t, writer, member));
  if (part !== undefined) {
    const others = members.filter((member) => member !== part);
    return enumText(t, writer, name, { part, others });
  }
  const keyword = kindOf(t, id) === BtfKind.UNION ? 'union' : 'struct';
  // References to slices, tuples and trait objects have a spelling for a name.
  if (!/^[A-Za-z_{]/.test(name) || name.startsWith('dyn ')) {
    return `// ${name || 'no name'} in memory:\n${keyword}${bodyOf(writer, members)}`;
  }
  if (isTuple(members) && members.length > 0) {
    return `${keyword} ${name}${fieldsText(writer, members, true)};`;
  }
  return `${keyword} ${name}${bodyOf(writer, members)}`;
}

function bodyOf(writer: TypeWriter, members: readonly SourceMember[]): string {
  const lines = members.map((member) => `${INDENT}${fieldText(writer, member)},\n`);
  return ` {\n${lines.join('')}}`;
}

function fieldText(writer: TypeWriter, member: SourceMember): string {
  const access = member.flags >> ACCESS_SHIFT === PUBLIC ? 'pub ' : '';
  return `${access}${writer.name(member.name)}: ${writer.type(member.type)}`;
}

/** True if the members are those of a tuple: `__0`, `__1`. */
function isTuple(members: readonly SourceMember[]): boolean {
  return members.every(({ name }) => /^__\d+$/.test(name));
}

/** Returns `(u32, u8)` or ` { w: u32, h: u32 }`; nothing without members. */
function fieldsText(
  writer: TypeWriter,
  members: readonly SourceMember[],
  hasAccess: boolean,
): string {
  if (members.length === 0) return '';
  if (isTuple(members)) {
    const types = members.map((member) => {
      const access = hasAccess && member.flags >> ACCESS_SHIFT === PUBLIC ? 'pub ' : '';
      return `${access}${writer.type(member.type)}`;
    });
    return `(${types.join(', ')})`;
  }
  const fields = members.map(
    (member) => `${writer.name(member.name)}: ${writer.type(member.type)}`,
  );
  const line = ` { ${fields.join(', ')} }`;
  if (line.length <= MAX_LINE) return line;
  return ` {\n${fields.map((field) => `${INDENT}${INDENT}${field},\n`).join('')}${INDENT}}`;
}

function isVariantPart(t: TypeTable, writer: TypeWriter, { name, type }: SourceMember): boolean {
  if (name !== '' || kindOf(t, type) !== BtfKind.UNION || nameOf(t, type) !== '') return false;
  return writer
    .members(type)
    .some((each) => hasFlag(each, 'variant') || hasFlag(each, 'artificial'));
}

type EnumParts = { readonly part: SourceMember; readonly others: readonly SourceMember[] };

function enumText(
  t: TypeTable,
  writer: TypeWriter,
  name: string,
  { part, others }: EnumParts,
): string {
  const members = writer.members(part.type).map((member) => unwrapped(t, writer, member));
  const discriminant = members.find((member) => !hasFlag(member, 'variant'));
  const lines = others.map((member) => `${INDENT}${fieldText(writer, member)},\n`);
  for (const variant of members) {
    if (!hasFlag(variant, 'variant')) continue;
    const fields = fieldsText(writer, writer.members(variant.type), false);
    const value = discriminant === undefined ? '' : ` // ${valueText(variant.discriminant)}`;
    lines.push(`${INDENT}${writer.name(variant.name)}${fields},${value}\n`);
  }
  if (writer.isCut) lines.push(`${INDENT}${LEFT_OUT}\n`);
  const note =
    discriminant === undefined
      ? ''
      : ` // discriminant: ${writer.type(discriminant.type)} at byte ${discriminant.bitOffset / 8}`;
  return `enum ${name} {${note}\n${lines.join('')}}`;
}

/** Returns a member of a variant part; one that is in a struct of the same size without that. */
function unwrapped(t: TypeTable, writer: TypeWriter, member: SourceMember): SourceMember {
  if (member.name !== '' || !isWrapper(t, member.type)) return member;
  const [inner] = writer.members(member.type);
  return inner === undefined
    ? member
    : { ...inner, flags: member.flags, discriminant: member.discriminant };
}

function isWrapper(t: TypeTable, id: TypeId): boolean {
  return kindOf(t, id) === BtfKind.STRUCT && nameOf(t, id) === '';
}

/** Discriminants above this one are shown in hexadecimal: niches are near the ends of a type. */
const MAX_DECIMAL = 0xffffn;

function valueText(value: bigint | undefined): string {
  if (value === undefined) return 'otherwise';
  return value > MAX_DECIMAL ? hexText(value) : `${value}`;
}
