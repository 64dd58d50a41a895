/** Finds the BTF types that a relocation entry is about: of its target, and of the patched variable. */
import type { RelocationSite } from '#analysis/objects/relocation-facts.ts';
import type { RelocationTarget } from '#analysis/objects/relocation-target.ts';
import { variableAt } from '#analysis/types/datasecs.ts';
import { findTypeKey } from '#analysis/types/type-key.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { refOf, type TypeTable } from '#model/type-table.ts';

/** Returns the FUNC of the target, or the type of its variable; null if BTF has neither. */
export function typeOfTarget(
  { types }: ObjectModel,
  { name, what }: RelocationTarget,
): TypeId | null {
  if (types === null || what === 'section' || what === 'string') return null;
  const found = what === 'variable' || what === 'map' ? null : named(types, 'func', name);
  return found ?? variableType(types, named(types, 'var', name));
}

/** Section of modules that has only the variable `__this_module` (include/linux/module.h). */
const THIS_MODULE = '.gnu.linkonce.this_module';

/** Returns the type of the variable that contains a place; null if BTF does not have it. */
export function typeOfPlace(
  { types, sections }: ObjectModel,
  { section, byteOffset }: RelocationSite,
): TypeId | null {
  if (types === null) return null;
  const name = sectionName(sections, section);
  if (name === THIS_MODULE) return named(types, 'struct', 'module');
  const variable = variableAt(types, name, byteOffset);
  return variable === null ? null : variableType(types, typeId(variable.type));
}

function named(types: TypeTable, kind: string, name: string): TypeId | null {
  return findTypeKey(types, { kind, name, ordinal: 0 });
}

/** Returns the type of a VAR. */
function variableType(types: TypeTable, id: TypeId | null): TypeId | null {
  return id === null ? null : refOf(types, id);
}
