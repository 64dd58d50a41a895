import { ListFilter } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { MATRIX_STATES } from '#analysis/core/matrix/matrix.ts';
import { isBpf } from '#model/object-model.ts';
import { loadState } from '#store/kernels/core-view.ts';
import { useActive } from '#store/session/hooks.ts';
import { Checkbox, Segmented } from '#ui/inputs.tsx';
import { PopoverButton } from '#ui/PopoverButton.tsx';
import { FoundList } from '#ui/SearchBox.tsx';
import { StateFilter } from '#views/parts/core/StateMark.tsx';
import { FreshSwitch } from '#views/parts/core/TargetFrame.tsx';
import type { ShownLoad } from './use-load.ts';
import styles from './ViewMenu.module.css';

const GROUPING_LABELS = { program: 'Program', type: 'Root type', field: 'Field' } as const;
const SHOW_LABELS = {
  programs: { all: 'All', changed: 'Not loading', unlike: 'Kernels differ' },
  records: { all: 'All', changed: 'Not same', unlike: 'Kernels differ' },
} as const;

/** Shows the menu of filters and groupings of the table, and of the rows that it has. */
export function ViewMenu(props: ShownLoad) {
  const { settings } = props;
  const { text, show, states } = settings;
  const isFiltered = text !== '' || show !== 'all' || states.size > 0;
  return (
    <PopoverButton
      icon={ListFilter}
      text="View"
      note={isFiltered ? 'filtered' : ''}
      title="Rows and columns"
    >
      <Choices {...props} />
    </PopoverButton>
  );
}

function Choices({ object, matrix, settings }: ShownLoad) {
  const { text, show, foldsKernels, unfolded, withRecords, by } = settings;
  const model = useActive()?.model ?? null;
  const isProgram = model !== null && isBpf(model);
  const hasRecords = matrix.records.length > 0;
  const isFolded = foldsKernels && unfolded.size === 0;
  return (
    <>
      <div className={styles.part}>
        <FoundList
          label="Filter rows"
          value={text}
          onChange={(value) => loadState.set({ text: value }, object)}
        />
        <Labelled text="Rows">
          <Segmented
            label="Rows"
            options={SHOW_LABELS[withRecords ? 'records' : 'programs']}
            value={show}
            onChange={(value) => loadState.set({ show: value }, object)}
          />
        </Labelled>
        {withRecords ? null : (
          <Checkbox
            isChecked={isFolded}
            onChange={(isOn) => loadState.set({ foldsKernels: isOn, unfolded: new Set() }, object)}
          >
            Equal kernels share a column
          </Checkbox>
        )}
      </div>
      {isProgram || hasRecords ? (
        <div className={styles.part}>
          {isProgram ? (
            <Checkbox
              isChecked={withRecords}
              onChange={(isOn) => loadState.set({ withRecords: isOn }, object)}
            >
              Externs and CO-RE records
            </Checkbox>
          ) : null}
          {withRecords && hasRecords ? (
            <>
              <Labelled text="Group by">
                <Segmented
                  label="Group by"
                  options={GROUPING_LABELS}
                  value={by}
                  onChange={(value) => loadState.set({ by: value }, object)}
                />
              </Labelled>
              <States object={object} matrix={matrix} settings={settings} />
              <FreshSwitch />
            </>
          ) : null}
        </div>
      ) : null}
    </>
  );
}

/** Shows a chip for each state that CO-RE records have on some kernel. */
function States({ object, matrix, settings }: Pick<ShownLoad, 'object' | 'matrix' | 'settings'>) {
  const { states } = settings;
  const counts = useMemo(() => {
    const sums = MATRIX_STATES.map((state, i) => {
      const sum = matrix.columns.reduce((all, column) => all + (column.counts[i] ?? 0), 0);
      return [state, sum] as const;
    });
    return new Map(sums.filter(([state, sum]) => sum > 0 || states.has(state)));
  }, [matrix, states]);
  if (counts.size === 0) return null;
  return (
    <Labelled text="States">
      <StateFilter
        counts={counts}
        chosen={states}
        onChange={(chosen) => loadState.set({ states: chosen }, object)}
      />
    </Labelled>
  );
}

function Labelled({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  return (
    <div className={styles.labelled}>
      <span className={styles.label} aria-hidden>
        {text}
      </span>
      {children}
    </div>
  );
}
