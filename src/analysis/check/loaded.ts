/**
 * The BTF of an object as libbpf gives it to the kernel, and what it changed.
 *
 * Compilers leave blanks that the kernel refuses: sizes of sections, places of
 * variables, extern linkage. libbpf fills them in when it opens an object.
 * What is told here is what `bpf_object__open` does; that it leaves out what an
 * old kernel does not know, and makes hidden functions static, comes later.
 *
 * Source: libbpf 1.8, libbpf.c: bpf_object_open, in its order.
 */
import { datasecsOf } from '#analysis/types/datasecs.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { Rewrite } from './loaded-copy.ts';
import { rewriteDatasecs } from './loaded-datasecs.ts';
import { copyForLoader } from './loaded-dummy.ts';
import { KSYMS, rewriteExterns } from './loaded-externs.ts';
import { loaderSymbols } from './loaded-symbols.ts';

export type Loaded = {
  /** As the kernel would get it: a copy, also where nothing was rewritten. */
  readonly blob: Uint8Array;
  readonly rewrites: readonly Rewrite[];
  /** How many more there are than `rewrites` lists. */
  readonly moreRewrites: number;
  /** Why libbpf stops half-way and loads nothing, in a sentence; null where it does not. */
  readonly stopped: string | null;
};

/** What libbpf makes of the BTF of an ELF object; null where there is none, or only split BTF, which it loads as it is. */
export function asLoaded({
  types,
  sections,
  symbols,
}: Pick<ObjectModel, 'types' | 'sections' | 'symbols'>): Loaded | null {
  if (types === null || types.split) return null;
  const ksyms = datasecsOf(types).get(KSYMS) ?? null;
  const found = loaderSymbols(sections, symbols);
  if (found === null) {
    const stopped = 'The file has no symbol table.';
    return { blob: types.blob.slice(), rewrites: [], moreRewrites: 0, stopped };
  }
  const { copy, dummy } = copyForLoader(types, ksyms);
  const stopped =
    rewriteExterns(copy, found.externs, dummy) ??
    rewriteDatasecs(copy, { sections, symbols, variables: found.variables });
  return { blob: copy.table.blob, rewrites: copy.rewrites, moreRewrites: copy.more, stopped };
}
