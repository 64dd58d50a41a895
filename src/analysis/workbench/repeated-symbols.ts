/** Rules of C for a symbol that is declared more than once. */
import type { CType } from './c-types.ts';
import type { DeclaredFunction, ModuleSymbol } from './declared-places.ts';
import { isSameType } from './same-type.ts';

/** Returns true if a symbol of type `before` may be declared again with `type`. */
export function mayRepeat(before: CType, type: CType): boolean {
  if (isSameType(before, type)) return true;
  if (before?.kind === 'func' && type?.kind === 'func') {
    const isOpen = [before, type].some((func) => func.params.length === 0 && func.varargs);
    return isOpen && isSameType(before.returns, type.returns);
  }
  if (before?.kind !== 'array' || type?.kind !== 'array') return false;
  if (!isSameType(before.of, type.of)) return false;
  return before.dimensions[0] === -1 || type.dimensions[0] === -1;
}

/** Returns 0 for a declaration, 1 for a tentative definition, 2 for one with value or body. */
export function stage(item: ModuleSymbol): number {
  if (!item.isDefined) return 0;
  return item.what === 'variable' && !item.isInitialized ? 1 : 2;
}

/** Returns the symbol of two declarations: the fuller one, with the attributes of both. */
export function mergedSymbol(known: ModuleSymbol, item: ModuleSymbol): ModuleSymbol {
  const [more, less] = stage(item) > stage(known) ? [item, known] : [known, item];
  const isStatic = known.isStatic || item.isStatic;
  return {
    ...more,
    ...(known.what === 'function' && item.what === 'function' ? mergedFunction(known, item) : {}),
    isStatic,
    isUsed: known.isUsed || item.isUsed,
    section: more.section ?? less.section,
    declTags: [...new Set([...known.declTags, ...item.declTags])],
  } as ModuleSymbol;
}

/** Returns what a function has of both declarations, beside the attributes. */
function mergedFunction(known: DeclaredFunction, item: DeclaredFunction) {
  // ISO C 6.7.4: a declaration without `inline` makes an external definition of an inline one.
  const isExternal = known.isExternal || item.isExternal;
  const isInline = known.mayInline || item.mayInline;
  const mayInline = isInline && (known.isStatic || item.isStatic || !isExternal);
  // clang has the tags of parameters from the definition, else from the last declaration.
  return { params: known.isDefined ? known.params : item.params, isExternal, mayInline };
}
