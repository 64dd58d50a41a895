import { useMemo, useState } from 'react';
import type { DumpEntry } from '#analysis/values/map-dump.ts';
import type { TypeId } from '#model/ids.ts';
import { Callout } from '#ui/Callout.tsx';
import { tableHeight } from '#ui/table-columns.ts';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import styles from '#views/data/detail.module.css';
import { NO_PLACES, ValueTree } from '#views/data/ValueTree.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { DumpText } from './DumpText.tsx';
import { dumpColumns } from './dump-columns.tsx';
import { type Decoder, type DumpRow, decoded } from './dump-rows.ts';
import { sizeWords } from './size-words.ts';

type DumpResultProps = {
  readonly decoder: Decoder;
  readonly value: TypeId;
  readonly keyType: TypeId | null;
  readonly entries: readonly DumpEntry[];
  readonly rows: readonly DumpRow[];
};

/** The entries of a map; one of them as a tree, all of them as bpftool prints them. */
export function DumpResult({ decoder, value, keyType, entries, rows }: DumpResultProps) {
  const [chosen, setChosen] = useState(0);
  const columns = useMemo(
    () => dumpColumns(decoder, { value, key: keyType }, rows),
    [decoder, value, keyType, rows],
  );
  const index = Math.min(chosen, rows.length - 1);
  const row = rows[index];
  return (
    <>
      <div>
        <DetailSection title="Entries" aside={countOf(entries.length, 'entry', 'entries')}>
          <div
            className={styles.frame}
            style={{ height: Math.min(240, tableHeight(rows.length, 18)) }}
          >
            <VirtualTable
              label="Entries"
              columns={columns}
              count={rows.length}
              selectedIndex={row === undefined ? null : index}
              onSelect={setChosen}
              emptyText="The dump has no entries: the map was empty."
            />
          </div>
        </DetailSection>
        {row === undefined ? null : (
          <DetailSection title={titleOf(row)}>
            <Entry key={`${value} ${index}`} decoder={decoder} type={value} bytes={row.bytes} />
          </DetailSection>
        )}
      </div>
      <DumpText decoder={decoder} value={value} keyType={keyType} entries={entries} />
    </>
  );
}

function titleOf({ entry, cpu }: DumpRow): string {
  return cpu === null ? `Value of entry ${entry}` : `Value of entry ${entry}, CPU ${cpu}`;
}

function Entry({
  decoder,
  type,
  bytes,
}: {
  readonly decoder: Decoder;
  readonly type: TypeId;
  readonly bytes: Uint8Array | null;
}) {
  const value = useMemo(() => decoded(decoder, type, bytes), [decoder, type, bytes]);
  if (value === null || bytes === null) {
    return <p className={styles.note}>The kernel gave no value for this key.</p>;
  }
  const problem = sizeWords(value, bytes.length);
  return (
    <>
      {problem === null ? null : <Callout severity="warning" title={problem} />}
      <ValueTree
        model={null}
        value={value}
        places={NO_PLACES}
        selection={null}
        selectedBytes={null}
        onBytes={() => undefined}
      />
    </>
  );
}
