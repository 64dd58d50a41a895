import { useMemo, useState } from 'react';
import type { Active } from '#store/hooks.ts';
import { Split } from '#ui/Split.tsx';
import { DataDetail } from './DataDetail.tsx';
import { DataListPane } from './DataListPane.tsx';
import { foundData } from './found-data.ts';
import type { Data } from './use-data.ts';
import styles from './ValuesPanel.module.css';

/** The list of data and what is selected of it beside each other; on a narrow screen one of them. */
export function ValuesPanel({ active, data }: { readonly active: Active; readonly data: Data }) {
  const { model, selection } = active;
  const found = useMemo(
    () => foundData(model, data.groups, selection),
    [model, data.groups, selection],
  );
  const [wanted, setWanted] = useState<'list' | 'detail' | null>(null);
  const shown = wanted ?? (found === null ? 'list' : 'detail');
  return (
    <Split
      label="Resize the list of data"
      firstSize={30}
      minFirst={280}
      minSecond={360}
      narrow={shown === 'list' ? 'first' : 'second'}
      first={
        <DataListPane
          model={model}
          groups={data.groups}
          found={found}
          onOpen={() => setWanted('detail')}
        />
      }
      second={
        <div className={styles.detail}>
          <DataDetail
            active={active}
            data={data}
            found={found}
            isFocused={wanted === 'detail'}
            onBack={() => setWanted('list')}
          />
        </div>
      }
    />
  );
}
