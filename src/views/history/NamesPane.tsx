import { useMemo, useState } from 'react';
import type { AtlasName } from '#analysis/atlas/atlas-names.ts';
import { visible } from '#bytes/text.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { useAnswer } from '#store/session/hooks.ts';
import type { FileId } from '#store/session/session.ts';
import { Landmark } from '#ui/aria.tsx';
import { Chip } from '#ui/Badge.tsx';
import { Callout } from '#ui/Callout.tsx';
import { grouped } from '#ui/grouped.ts';
import { Checkbox } from '#ui/inputs.tsx';
import { FoundList } from '#ui/SearchBox.tsx';
import { VirtualList } from '#ui/VirtualList.tsx';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import type { Entry } from './HistoryView.tsx';
import styles from './NamesPane.module.css';

const ROW_HEIGHT = 24;
/** Maximum number of listed names. Other names are only counted. */
const MAX_NAMES = 5000;

const KINDS = {
  struct: { kind: BtfKind.STRUCT, words: 'structs' },
  union: { kind: BtfKind.UNION, words: 'unions' },
  enum: { kind: BtfKind.ENUM, words: 'enums' },
  func: { kind: BtfKind.FUNC, words: 'functions' },
  typedef: { kind: BtfKind.TYPEDEF, words: 'typedefs' },
} as const;
const KIND_NAMES = Object.keys(KINDS) as (keyof typeof KINDS)[];

export function EntryBadge({ kind }: { readonly kind: AtlasName['kind'] }) {
  return <KindBadge kind={KINDS[kind].kind} />;
}

type NamesPaneProps = {
  readonly fileId: FileId;
  readonly kernelCount: number;
  readonly entry: Entry | null;
  /** True if names are listed before a search. False on a server: names are most of an atlas. */
  readonly isListed: boolean;
  readonly onOpen: (entry: Entry) => void;
};

const UNLISTED = { total: 0, names: [], damaged: [] };

/** Shows the names of the atlas that match the filter. */
export function NamesPane({ fileId, kernelCount, entry, isListed, onOpen }: NamesPaneProps) {
  const [isWanted, setWanted] = useState(isListed);
  const [text, setText] = useState('');
  const [kind, setKind] = useState<AtlasName['kind'] | null>('struct');
  const [isChanged, setChanged] = useState(false);
  const answer = useAnswer(
    fileId,
    'atlasNames',
    { text, kind, isChanged, limit: MAX_NAMES },
    isWanted ? null : UNLISTED,
  );
  const names = answer.value?.names ?? null;
  const total = answer.value?.total ?? 0;
  const damaged = answer.value?.damaged ?? [];
  const selected = names?.findIndex(
    (listed) => listed.name === entry?.name && (entry.kind === null || entry.kind === listed.kind),
  );
  const renderRow = useMemo(
    () => (index: number) => {
      const listed = names?.[index];
      return listed === undefined ? null : <NameRow listed={listed} kernelCount={kernelCount} />;
    },
    [names, kernelCount],
  );
  const open = (index: number) => {
    const listed = names?.[index];
    if (listed !== undefined) onOpen({ kind: listed.kind, name: listed.name });
  };
  return (
    <Landmark className={styles.pane} aria-label="Names" onFocus={() => setWanted(true)}>
      <div className="grid gap-2 shrink line-below pad-row">
        <FoundList
          label="Find in all kernels"
          placeholder="Find in all kernels: task_struct"
          hint="/"
          value={text}
          onChange={setText}
          isWaiting={answer.step === 'waiting'}
          onEnter={() => open(0)}
        />
        <fieldset className="wrapping gap-1" aria-label="Kinds">
          {KIND_NAMES.map((each) => (
            <Chip
              key={each}
              tone={kind === each ? 'accent' : 'muted'}
              isPressed={kind === each}
              onClick={() => setKind(kind === each ? null : each)}
            >
              {KINDS[each].words}
            </Chip>
          ))}
        </fieldset>
        <div className="row wrap gap-2">
          <Checkbox isChecked={isChanged} onChange={setChanged}>
            Not alike in all kernels
          </Checkbox>
          <p className="at-end small muted nowrap" aria-live="polite">
            {names === null ? 'Reading names…' : isWanted ? grouped(total) : null}
          </p>
        </div>
      </div>
      <div className="shrink-y">
        {answer.step === 'failed' ? (
          <Callout severity="error" title={answer.issue.message}>
            {answer.issue.advice}
          </Callout>
        ) : null}
        {damaged.length > 0 ? (
          <Callout
            severity="warning"
            title={`The names of ${countOf(damaged.length, 'damaged block')} are missing`}
          >
            {visible(damaged[0] ?? '')}
          </Callout>
        ) : null}
        {names === null ? null : (
          <VirtualList
            label="Names"
            count={names.length}
            rowHeight={ROW_HEIGHT}
            selectedIndex={selected === undefined || selected < 0 ? null : selected}
            onSelect={open}
            renderRow={renderRow}
            emptyText={isWanted ? 'No name matches.' : 'The names are read once you look for one.'}
          />
        )}
      </div>
      {names !== null && total > names.length ? (
        <p className="small muted pretty line-above pad-row">
          The first {grouped(names.length)} are listed. Type more of the name to see others.
        </p>
      ) : null}
    </Landmark>
  );
}

type NameRowProps = { readonly listed: AtlasName; readonly kernelCount: number };

/** Shows a name, its kind, its number of forms, and how many kernels have it unless all do. */
function NameRow({ listed, kernelCount }: NameRowProps) {
  const { kind, name, kernels, forms } = listed;
  return (
    <>
      <span className={styles.badge}>
        <EntryBadge kind={kind} />
      </span>
      <span className="grow small clip">
        <Name text={name} />
      </span>
      <span className="row gap-2 rigid tiny muted">
        {forms > 1 ? <span className="accent">{forms} forms</span> : null}
        {kernels < kernelCount ? (
          <span>
            {kernels}/{kernelCount}
          </span>
        ) : null}
      </span>
    </>
  );
}
