/** Declarations in Zig. */
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId, VOID } from '#model/ids.ts';
import { enumeratorsOf, isComposite, isEnum } from '#model/type-items.ts';
import { kindOf, nameOf, sizeOrTypeOf } from '#model/type-table.ts';
import { otherType, type SourcedTypes } from './source-types.ts';
import { type Grammar, rowText, TypeWriter } from './spelled.ts';

const GRAMMAR: Grammar = {
  nothing: 'void',
  statesNothing: true,
  func: 'fn',
  arrow: ' ',
  colon: ': ',
  pointer: (target) => `*${target}`,
  array: (element, count) => `[${count}]${element}`,
};

const INDENT = '    ';

/** Returns the text of a type in a row. Not escaped. */
export const zigTypeText = rowText(GRAMMAR);

/** Returns the declaration of a type, function or variable; null for other kinds. Not escaped. */
export function zigDeclaration(s: SourcedTypes, id: TypeId): string | null {
  const { types: t } = s;
  const writer = new TypeWriter(s, GRAMMAR);
  const kind = kindOf(t, id);
  const name = nameOf(t, id);
  const target = typeId(sizeOrTypeOf(t, id));
  // Slices, optional types and error unions have a spelling for a name.
  const isSpelled = !/^[A-Za-z_]/.test(name) || name.includes('!');
  const [head, end] = isSpelled ? [`// ${name} in memory:\n`, ''] : [`const ${name} = `, ';'];
  if (isEnum(kind)) {
    const type = otherType(s, id);
    const values = enumeratorsOf(t, id).map((each) => `${INDENT}${each.name} = ${each.value},\n`);
    const tag = type === VOID ? '' : `(${writer.type(type)})`;
    return `${head}enum${tag} {\n${values.join('')}}${end}`;
  }
  if (isComposite(kind)) {
    const fields = writer
      .members(id)
      .map((member) => `${INDENT}${member.name}: ${writer.type(member.type)},\n`);
    const keyword = kind === BtfKind.UNION ? 'union' : 'struct';
    return `${head}${keyword} {\n${fields.join('')}}${end}`;
  }
  switch (kind) {
    case BtfKind.FUNC:
      return `${writer.func(target, name)};`;
    case BtfKind.VAR:
      return `var ${name}: ${writer.type(target)};`;
    case BtfKind.TYPEDEF:
      return `${head}${writer.type(target)}${end}`;
    case BtfKind.FWD:
      return `${head}opaque {}${end}`;
    case BtfKind.DATASEC:
      return null;
    default:
      return writer.type(id);
  }
}
