import { useMemo } from 'react';
import { type FunctionRange, functionsRun } from '#analysis/objects/functions.ts';
import { sectionIndex, symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionCount } from '#model/sections.ts';
import type { Selection } from '#model/selection.ts';
import { type Active, useActive } from '#store/hooks.ts';
import { select, showView } from '#store/navigation.ts';
import { activeFile, type OpenFile, useSession, type ViewName, viewsOf } from '#store/session.ts';
import { grouped } from '#ui/grouped.ts';
import { useRun } from '#views/parts/use-run.ts';
import { BtfIdsCard, KindsCard } from './BtfCards.tsx';
import { FileMap } from './FileMap.tsx';
import { HeadersCard } from './HeadersCard.tsx';
import { Identity } from './Identity.tsx';
import styles from './OverviewView.module.css';
import { MapsCard, ProgramsCard } from './ProgramsCard.tsx';
import { hasLooseSymbols, SectionsCard, SymbolsCard } from './SectionsCard.tsx';

/** A file at a glance: what it is, how much is in it, where it lies, and what runs. */
export function OverviewView() {
  const active = useActive();
  const file = useSession(activeFile);
  return active === null || file === null ? null : <Overview active={active} file={file} />;
}

function Overview({ active, file }: { readonly active: Active; readonly file: OpenFile }) {
  const { model } = active;
  const functions = useRun(functionsRun(model))?.list ?? null;
  const tiles = useMemo(() => tilesOf(model, functions), [model, functions]);
  const isElf = model.format === 'elf';
  return (
    <div className={styles.scroller}>
      <div className={styles.page}>
        <Identity file={file} model={model} />
        <NumberTiles tiles={tiles} />
        <FileMap {...active} />
        <div className={styles.columns}>
          <div className={styles.main}>
            {isElf ? (
              <>
                <ProgramsCard {...active} functions={functions} />
                <MapsCard {...active} />
                <BtfIdsCard {...active} />
              </>
            ) : null}
            <HeadersCard {...active} />
          </div>
          {model.types === null ? null : (
            <div className={styles.side}>
              <KindsCard types={model.types} />
            </div>
          )}
        </div>
        {model.sections.count === 0 ? null : <SectionsCard {...active} />}
        {hasLooseSymbols(model) ? <SymbolsCard {...active} /> : null}
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
    singular: string,
    view: ViewName,
    selection: Selection | null = null,
    plural = `${singular}s`,
  ) => tiles.push({ id, count, singular, plural, view, selection });

  const { types } = model;
  const views = viewsOf(model);
  if (types !== null || (model.format !== 'btf' && views.includes('types'))) {
    add('types', types?.count ?? 0, 'type', 'types');
  }
  if (model.format === 'btf') {
    if (types === null) return tiles;
    const at = types.fileOffset ?? 0;
    const [start, end] = [at + types.strStart, at + types.strEnd];
    const bytes: Selection = { kind: 'bytes', start, end };
    add('strings', end - start, 'byte of names', 'bytes', bytes, 'bytes of names');
    return tiles;
  }
  add('functions', functions?.length ?? null, 'function', 'code');
  add('relocations', model.relocations.count, 'relocation', 'relocations');
  if (views.includes('core')) add('core', model.ext.core.count, 'CO-RE relocation', 'core');
  add('sections', sectionCount(model.sections), 'section', 'bytes');
  add('symbols', model.symbols.count, 'symbol', 'bytes', symbolsOf(model));
  return tiles;
}

/** The symbol table, or the first symbol of a file that keeps them in no section. */
function symbolsOf({ sections, symbols }: ObjectModel): Selection | null {
  const symtab = sections.type.indexOf(SHT_SYMTAB);
  if (symtab >= 0) return { kind: 'section', section: sectionIndex(symtab) };
  return symbols.count > 0 ? { kind: 'symbol', symbol: symbolIndex(0) } : null;
}
