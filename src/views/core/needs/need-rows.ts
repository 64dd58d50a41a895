/** What an object needs as rows of a list: each type, and under it what is asked of it. */
import { coreKindName } from '#analysis/core/core-kinds.ts';
import type { CoreNeeds, NeededPath, NeededType } from '#analysis/core-needs/needs.ts';
import type { Selection } from '#model/selection.ts';

export type NeedRow =
  | { readonly row: 'type'; readonly type: NeededType }
  | { readonly row: 'path'; readonly type: NeededType; readonly path: NeededPath };

/** Rows that have `text` in a name, in any case. A type stays above each of its paths that pass. */
export function needRows({ types }: CoreNeeds, text: string): NeedRow[] {
  const wanted = text.trim().toLowerCase();
  const rows: NeedRow[] = [];
  for (const type of types) {
    const isWhole = type.name.toLowerCase().includes(wanted);
    const paths = type.paths.filter((path) => isWhole || wordsOf(path).includes(wanted));
    if (paths.length === 0) continue;
    rows.push({ row: 'type', type });
    for (const path of paths) rows.push({ row: 'path', type, path });
  }
  return rows;
}

function wordsOf({ text, programs, sections, kinds }: NeededPath): string {
  const asks = kinds.map(({ kind }) => coreKindName(kind));
  return [text, ...programs, ...sections, ...asks].join(' ').toLowerCase();
}

/** `byte_off, field_exists ×3` */
export function kindsText({ kinds }: Pick<NeededPath, 'kinds'>): string {
  return kinds
    .map(({ kind, count }) =>
      count === 1 ? coreKindName(kind) : `${coreKindName(kind)} ×${count}`,
    )
    .join(', ');
}

/** Who asks: functions, or the sections of a file without symbols. Raw text. */
export function askersText({
  programs,
  sections,
}: Pick<NeededPath, 'programs' | 'sections'>): string {
  return (programs.length > 0 ? programs : sections).join(', ');
}

/** Fields, types and enumerators that are asked for. */
export function pathCount({ types }: CoreNeeds): number {
  return types.reduce((sum, type) => sum + type.paths.length, 0);
}

/** The row that the selection is about; null where none is. */
export function rowOfSelection(rows: readonly NeedRow[], selection: Selection): number | null {
  const index = rows.findIndex((row) => {
    if (selection.kind === 'core') {
      return row.row === 'path' && row.path.records.includes(selection.core);
    }
    return selection.kind === 'type' && row.row === 'type' && row.type.root === selection.type;
  });
  return index < 0 ? null : index;
}
