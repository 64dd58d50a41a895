/** Declarations in Go. */
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { isComposite } from '#model/type-items.ts';
import { intData, kindOf, nameOf, sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';
import { hasFlag, type SourcedTypes } from './source-types.ts';
import { type Grammar, rowText, TypeWriter } from './spelled.ts';

const GRAMMAR: Grammar = {
  nothing: '',
  statesNothing: false,
  func: 'func',
  arrow: ' ',
  colon: ' ',
  pointer: (target) => `*${target}`,
  array: (element, count) => `[${count}]${element}`,
};

/** Names that spell a type and declare none: `[]uint8`, `map[string]int`, `string`. */
const SPELLED = /^(?:[[*]|map\[|(?:<-)?chan |func\(|struct \{|interface \{|string$)/;

/** Structs that hold a value of an interface. */
const INTERFACES = new Set(['runtime.iface', 'runtime.eface']);

/** Longest chain of type definitions that have one name. */
const MAX_CHAIN = 8;

/** Returns the text of a type in a row. Not escaped. */
export const goTypeText = rowText(GRAMMAR);

/** Returns the declaration of a type, function or variable; null for other kinds. Not escaped. */
export function goDeclaration(s: SourcedTypes, id: TypeId): string | null {
  const { types: t } = s;
  const writer = new TypeWriter(s, GRAMMAR);
  const kind = kindOf(t, id);
  const name = nameOf(t, id);
  const target = typeId(sizeOrTypeOf(t, id));
  if (kind === BtfKind.FUNC) return writer.func(target, name);
  if (kind === BtfKind.VAR) return `var ${name} ${writer.type(target)}`;
  if (kind === BtfKind.DATASEC) return null;
  const defined = definedAs(t, id);
  const isSpelled = SPELLED.test(name);
  const head = isSpelled ? `// ${name} in memory:\n` : `type ${name} `;
  const held = nameOf(t, defined);
  if (INTERFACES.has(held) && held !== name && !isSpelled) {
    return `${head}interface // in memory: ${held}`;
  }
  const isSame = held === name || held === '';
  if (isComposite(kindOf(t, defined)) && isSame) return `${head}${structText(writer, defined)}`;
  if (kind === BtfKind.TYPEDEF) {
    const text = writer.type(defined);
    return text === name ? text : `${head}${text}`;
  }
  if (kind === BtfKind.INT && name.includes('.')) return `${head}${intName(t, id)}`;
  return writer.type(id);
}

/** Returns the type that a chain of type definitions of one name ends in. */
function definedAs(t: TypeTable, id: TypeId): TypeId {
  let at = id;
  for (let steps = 0; steps < MAX_CHAIN && kindOf(t, at) === BtfKind.TYPEDEF; steps++) {
    const next = typeId(sizeOrTypeOf(t, at));
    if (steps > 0 && nameOf(t, at) !== nameOf(t, id)) break;
    at = next;
  }
  return at;
}

function structText(writer: TypeWriter, id: TypeId): string {
  const lines = writer.members(id).map((member) => {
    const type = writer.type(member.type);
    return `\t${hasFlag(member, 'embedded') ? type : `${member.name} ${type}`}\n`;
  });
  return `struct {\n${lines.join('')}}`;
}

/** Returns the basic type of an integer with a name of its own: `uint8`. */
function intName(t: TypeTable, id: TypeId): string {
  const { encoding, bits } = intData(t, id);
  const BOOL = 4;
  if ((encoding & BOOL) !== 0) return 'bool';
  return `${(encoding & 1) === 0 ? 'u' : ''}int${bits}`;
}
