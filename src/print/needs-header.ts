/**
 * A C header with just the types and members that an object's CO-RE relocations
 * name: enough to compile the same accesses again, without a vmlinux.h.
 *
 * In: the local types and what `coreNeeds` found. Each struct carries
 * `preserve_access_index`, so offsets and sizes here need not be those of any
 * kernel; kinds, names and signs are what CO-RE compares, and they are kept, as
 * are flavours. What C cannot spell is left out and counted in a comment.
 */
import { type MatchedSpec, markSpec } from '#analysis/core-needs/mark-spec.ts';
import type { CoreNeeds } from '#analysis/core-needs/needs.ts';
import { TypeMarks } from '#analysis/core-needs/type-marks.ts';
import { stripped } from '#analysis/types/strip.ts';
import { emit, TextOut } from '#analysis/types/text-out.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { definitionsOf, type HeaderTypes, inOrder } from './needs-header-order.ts';
import { definitionText, typedefText } from './needs-header-types.ts';
import { isSpellable } from './needs-header-words.ts';

/** Characters; beyond it the header is cut, which only a hostile file comes to. */
const MAX_LENGTH = 1 << 24;

/** The header's text. Never throws. Names in it are C identifiers, so it can be shown as it is. */
export function needsHeader(t: TypeTable, needs: CoreNeeds): string {
  const header = headerTypes(t, needs);
  const definitions = inOrder(header, definitionsOf(header));
  const out = new TextOut(MAX_LENGTH);
  out.write('#pragma once\n\n');
  const body = new TextOut(MAX_LENGTH);
  for (const definition of definitions) {
    emit(definitionText(header, definition, body), body);
    body.write('\n');
  }
  for (const root of typedefRoots(t, needs)) emit(typedefText(header, root, body), body);
  for (const name of header.forward) out.write(`${name};\n`);
  if (header.forward.size > 0) out.write('\n');
  out.write(body.toString());
  if (header.leftOut > 0)
    out.write(`/* ${header.leftOut} names that C cannot spell are left out. */\n`);
  return `${out.toString().trimEnd()}\n`;
}

function headerTypes(t: TypeTable, needs: CoreNeeds): HeaderTypes {
  const marks = new TypeMarks(t);
  const enumerators = new Map<TypeId, Set<number>>();
  for (const { root, paths } of needs.types) {
    for (const { group, path } of paths) {
      const raw = path.steps.map((step) => step.index);
      const spec: MatchedSpec = { kind: path.kind, root, raw };
      markSpec(t, marks, spec);
      if (group === 'enum' && path.error === null) addEnumerator(t, enumerators, root, raw[0] ?? 0);
    }
  }
  return {
    types: t,
    marks,
    enumerators,
    spelled: new Set(),
    forward: new Set(),
    open: new Set(),
    leftOut: 0,
  };
}

function addEnumerator(
  t: TypeTable,
  enumerators: Map<TypeId, Set<number>>,
  root: TypeId,
  index: number,
): void {
  const id = stripped(t, root);
  const wanted = enumerators.get(id) ?? new Set();
  enumerators.set(id, wanted.add(index));
}

/** Roots that are typedefs: a kernel is searched for a typedef of that name. Each name once. */
function typedefRoots(t: TypeTable, needs: CoreNeeds): TypeId[] {
  const roots = new Map<string, TypeId>();
  for (const { root, name } of needs.types) {
    if (kindOf(t, root) !== BtfKind.TYPEDEF || !isSpellable(name)) continue;
    if (!roots.has(name)) roots.set(name, root);
  }
  return [...roots.values()];
}
