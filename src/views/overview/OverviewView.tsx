import { useMemo } from 'react';
import { functionsRun } from '#analysis/objects/functions.ts';
import { type Active, useActive } from '#store/hooks.ts';
import { activeFile, type OpenFile, useSession } from '#store/session.ts';
import { useRun } from '#views/parts/use-run.ts';
import { BtfIdsCard } from './BtfIdsCard.tsx';
import { FileMap } from './FileMap.tsx';
import { HeadersCard } from './HeadersCard.tsx';
import { Identity } from './Identity.tsx';
import { KindsCard } from './KindsCard.tsx';
import { MapsCard } from './MapsCard.tsx';
import { NumberTiles } from './NumberTiles.tsx';
import styles from './OverviewView.module.css';
import { ProgramsCard } from './ProgramsCard.tsx';
import { SectionsCard } from './SectionsCard.tsx';
import { SymbolsCard } from './SymbolsCard.tsx';
import { hasLooseSymbols } from './symbol-rows.ts';
import { tilesOf } from './tiles.ts';

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
