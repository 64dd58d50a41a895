import { useMemo } from 'react';
import { type FunctionRange, functionsRun } from '#analysis/objects/functions.ts';
import { sectionIndex, symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionCount } from '#model/sections.ts';
import type { Selection } from '#model/selection.ts';
import { type Active, useActive } from '#store/hooks.ts';
import { select, showView } from '#store/navigation.ts';
import { activeFile, type OpenFile, useSession, type ViewName } from '#store/session.ts';
import { viewsOf } from '#store/views-of.ts';
import { grouped } from '#ui/grouped.ts';
import { useRun } from '#views/parts/use-run.ts';
import { BtfIdsCard, KindsCard, MapsCard } from './BtfCards.tsx';
import { FileMap } from './FileMap.tsx';
import { HeadersCard } from './HeadersCard.tsx';
import { Identity } from './Identity.tsx';
import styles from './OverviewView.module.css';
import { ProgramsCard } from './ProgramsCard.tsx';
import { SectionsCard } from './SectionsCard.tsx';
import { hasLooseSymbols, SymbolsCard } from './SymbolsCard.tsx';

/** A file at a glance: what it is, how much is in it, where it lies, and what runs. */
export function OverviewView() {
  const active = useActive();
  const file = useSession(activeFile);
  return active === null || file === null ? null : <Overview active={active} file={file} />;
}

function Overview({ active, file }: { readonly active: Active; readonly file: OpenFile }) {
  const { model, selection } = active;
  const functions = useRun(functionsRun(model))?.list ?? null;
  const tiles = useMemo(() => tilesOf(model, functions), [model, functions]);
  const isElf = model.format === 'elf';
  return (
    <div className={styles.scroller}>
      <div className={styles.page}>
        <Identity file={file} model={model} />
        <NumberTiles tiles={tiles} />
        <FileMap model={model} selection={selection} />
        <div className={styles.columns}>
          <div className={styles.main}>
            {isElf ? (
              <ProgramsCard model={model} functions={functions} selection={selection} />
            ) : null}
            {isElf ? <MapsCard id={active.id} model={model} selection={selection} /> : null}
            {isElf ? <BtfIdsCard model={model} selection={selection} /> : null}
            <HeadersCard model={model} selection={selection} />
          </div>
          {model.types === null ? null : (
            <div className={styles.side}>
              <KindsCard types={model.types} />
            </div>
          )}
        </div>
        {model.sections.count === 0 ? null : <SectionsCard model={model} selection={selection} />}
        {hasLooseSymbols(model) ? <SymbolsCard model={model} selection={selection} /> : null}
      </div>
    </div>
  );
}

/** How much there is of what; each number leads to where it is shown. */
function NumberTiles({ tiles }: { readonly tiles: readonly Tile[] }) {
  return (
    <ul className={styles.tiles} aria-label="Numbers">
      {tiles.map((tile) => (
        <li key={tile.id} className={styles.item}>
          <button type="button" className={styles.tile} onClick={() => go(tile)}>
            <span className={styles.count} data-zero={tile.count === 0}>
              {tile.count === null ? '…' : grouped(tile.count)}
            </span>{' '}
            <span className="small soft">{tile.count === 1 ? tile.singular : tile.plural}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function go({ selection, view }: Tile) {
  if (selection === null) showView(view);
  else select(selection, view);
}

/** The numbers at the top of the overview, each with the place that it leads to. */

type Tile = {
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
