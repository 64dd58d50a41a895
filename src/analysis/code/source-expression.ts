/**
 * Names the pointer of a CO-RE access as the source does: `task->cred->uid.val` in place of
 * `p->uid.val`, from the source line (line_info) and the parameters of the function (func_info).
 */
import type { CoreRecord } from '#analysis/core/core-records.ts';
import { functionAt } from '#analysis/objects/functions.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { sectionIndex, type TypeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { paramsOf } from '#model/type-items.ts';
import { kindOf, refOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import { lineThatUses } from './source-lines.ts';

/** A variable in C, also a member or element of it: `task`, `task->cred`, `list[i].next`. */
const OPERAND = String.raw`[A-Za-z_]\w*(?:(?:->|\.)\w+|\[\w+\])*`;

/**
 * Returns `expression`, which begins with `p->`, with the pointer's name in the source; unchanged if
 * the source line has no such access, or several on different pointers.
 */
export function sourceExpression(
  model: ObjectModel,
  { root, section, insnOff }: Pick<CoreRecord, 'root' | 'section' | 'insnOff'>,
  expression: string,
): string {
  const [, member] = /^p->([A-Za-z_]\w*)/.exec(expression) ?? [];
  if (member === undefined || section < 0) return expression;
  const line = lineThatUses(model, sectionIndex(section), insnOff, member);
  if (line === null) return expression;
  const rest = expression.slice('p->'.length);
  const name =
    operandOf(line.text, patternOf(rest)) ??
    operandOf(line.text, member) ??
    parameterIn(model, root, section, insnOff, line.text);
  return name === null ? expression : `${name}${expression.slice(1)}`;
}

/** Returns the pattern of members in a source line, in which an index may be a name. */
function patternOf(members: string): string {
  return members
    .replace(/\[\d+\]/g, '[]')
    .replace(/[.[\]()]/g, '\\$&')
    .replaceAll('\\[\\]', '\\[\\w+\\]');
}

/** Returns the operand of `x->member` or of `BPF_CORE_READ(x, member)`; `member` is a pattern. */
function operandOf(text: string, member: string): string | null {
  const name = `${member}(?!\\w)`;
  const found = new Set<string>();
  const access = new RegExp(String.raw`(?<![\w.>])(${OPERAND}?)\s*->\s*${name}`, 'g');
  const macro = new RegExp(
    String.raw`CORE_READ(?:_USER)?(?:_STR)?(?:_INTO\([^,()]*,|\()\s*(${OPERAND})\s*,\s*${name}`,
    'g',
  );
  for (const pattern of [access, macro]) {
    for (const [, operand] of text.matchAll(pattern)) if (operand !== undefined) found.add(operand);
  }
  const [only = null] = found;
  return found.size === 1 ? only : null;
}

/** Returns the function's only parameter that points to `root`, if the line names it. */
function parameterIn(
  model: ObjectModel,
  root: TypeId,
  section: number,
  insnOff: number,
  text: string,
): string | null {
  const { types } = model;
  const func = functionAt(model, sectionIndex(section), insnOff);
  if (types === null || func === null || func.typeId === null) return null;
  const proto = refOf(types, func.typeId);
  if (proto === null) return null;
  const names = paramsOf(types, proto).flatMap(({ name, type }) =>
    name !== '' && pointsTo(types, type, root) ? [name] : [],
  );
  const [only] = names;
  if (only === undefined || names.length > 1) return null;
  return text.split(/\W+/).includes(only) ? only : null;
}

function pointsTo(types: TypeTable, type: TypeId, root: TypeId): boolean {
  const pointer = skipModifiers(types, type);
  if (kindOf(types, pointer) !== BtfKind.PTR) return false;
  const target = refOf(types, pointer);
  return target !== null && skipModifiers(types, target) === skipModifiers(types, root);
}
