/** The numbers at the top of the overview, each with the place that it leads to. */
import type { FunctionRange } from '#analysis/objects/functions.ts';
import { sectionIndex, symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionCount } from '#model/sections.ts';
import type { Selection } from '#model/selection.ts';
import type { ViewName } from '#store/session.ts';
import { viewsOf } from '#store/views-of.ts';

export type Tile = {
  readonly id: string;
  /** null = not counted yet. */
  readonly count: number | null;
  readonly singular: string;
  readonly plural: string;
  readonly view: ViewName;
  /** What is selected on the way, or null when the selection stays. */
  readonly selection: Selection | null;
};

const SHT_SYMTAB = 2;

/**
 * One tile for each table that a file of this format can have; a raw BTF blob has types and
 * strings only. `functions` = null where they are still looked for.
 */
export function tilesOf(model: ObjectModel, functions: readonly FunctionRange[] | null): Tile[] {
  const tiles: Tile[] = [];
  const add = (
    id: string,
    count: number | null,
    [singular, plural]: readonly [string, string],
    view: ViewName,
    selection: Selection | null = null,
  ) => tiles.push({ id, count, singular, plural, view, selection });

  const { types } = model;
  const views = viewsOf(model);
  if (types !== null || (model.format !== 'btf' && views.includes('types'))) {
    add('types', types?.count ?? 0, ['type', 'types'], 'types');
  }
  if (model.format === 'btf') {
    if (types !== null) {
      const at = types.fileOffset ?? 0;
      add('strings', types.strEnd - types.strStart, ['byte of names', 'bytes of names'], 'bytes', {
        kind: 'bytes',
        start: at + types.strStart,
        end: at + types.strEnd,
      });
    }
    return tiles;
  }
  add('functions', functions?.length ?? null, ['function', 'functions'], 'code');
  add('relocations', model.relocations.count, ['relocation', 'relocations'], 'relocations');
  if (views.includes('core'))
    add('core', model.ext.core.count, ['CO-RE relocation', 'CO-RE relocations'], 'core');
  add('sections', sectionCount(model.sections), ['section', 'sections'], 'bytes');
  const symtab = model.sections.type.indexOf(SHT_SYMTAB);
  add(
    'symbols',
    model.symbols.count,
    ['symbol', 'symbols'],
    'bytes',
    symtab >= 0
      ? { kind: 'section', section: sectionIndex(symtab) }
      : model.symbols.count > 0
        ? { kind: 'symbol', symbol: symbolIndex(0) }
        : null,
  );
  return tiles;
}
