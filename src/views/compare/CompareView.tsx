import { ArrowLeftRight, Check, GitCompareArrows } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { compareKernels, kernelInfo } from '#analysis/atlas/kernel-name.ts';
import type { LogOverview } from '#analysis/verifier/log-overview.ts';
import { drawnName, visible } from '#bytes/text.ts';
import { type Selection, sameSelection } from '#model/selection.ts';
import type { TypeTable } from '#model/type-table.ts';
import { chooseOther } from '#store/address/compare.ts';
import { comparedWith } from '#store/address/compared-with.ts';
import { keyOf } from '#store/address/file-keys.ts';
import { type Active, useActive } from '#store/session/hooks.ts';
import { usePaneFile } from '#store/session/panes.ts';
import {
  activeFile,
  type FileId,
  logOf,
  type OpenFile,
  session,
  typesOf,
  useSession,
} from '#store/session/session.ts';
import { Button, IconButton } from '#ui/Button.tsx';
import { Segmented } from '#ui/inputs.tsx';
import { Menu, type MenuItem } from '#ui/Menu.tsx';
import { EmptyState, Toolbar } from '#ui/Panel.tsx';
import { FilePicker } from '#views/parts/FilePicker.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './CompareView.module.css';
import type { CompareSide } from './compared-pair.ts';
import { DuplicatesPart } from './DuplicatesPart.tsx';
import { LogsPart } from './LogsPart.tsx';
import {
  chooseBefore,
  isComparable,
  openOther,
  openWantedOther,
  useOtherFile,
} from './other-file.ts';
import { compareSettings, compareState } from './state.ts';
import { TypesPart } from './TypesPart.tsx';
import { WholePart } from './WholePart.tsx';

/** Compares this file with another one: its types, or the walks of two logs. */
export function CompareView() {
  const active = useActive();
  const file = usePaneFile();
  const log = logOf(file);
  if (file !== null && log !== null) return <LogComparison key={file.id} file={file} log={log} />;
  if (active === null) return null;
  const { types } = active.model;
  return types === null ? (
    <EmptyState
      icon={<GitCompareArrows size={28} aria-hidden />}
      title="This file has no types to compare"
      text="Types are in the section .BTF. Open a kernel, a module or an object that has one."
    />
  ) : (
    <Comparison key={active.id} active={active} types={types} />
  );
}

/** Returns the other file and its wanted key; keeps the key in the address. React hook. */
function useOther(id: FileId) {
  const other = useOtherFile(id);
  const { key: wanted } = comparedWith.useOf(id);
  const otherKey = other === null ? null : keyOf(other);
  // The hash of a file is computed only after the file has been opened.
  useEffect(() => {
    if (otherKey !== null) comparedWith.set({ key: otherKey });
  }, [otherKey]);
  return { other, wanted };
}

type LogComparisonProps = { readonly file: OpenFile; readonly log: LogOverview };

function LogComparison({ file, log }: LogComparisonProps) {
  const { other, wanted } = useOther(file.id);
  const otherLog = logOf(other);
  return (
    <div className={styles.view}>
      <h1 className="visually-hidden">{drawnName(file.name)}</h1>
      <Toolbar label="Comparison">
        <SidePickers id={file.id} name={file.name} other={other} words={['First', 'Second']} />
      </Toolbar>
      <div className="shrink shrink-y">
        {other === null || otherLog === null ? (
          <NoOther
            wanted={wanted}
            text="Open a second log: of another kernel or compiler, or from before a change. Both are aligned by source line."
          />
        ) : (
          <LogsPart key={other.id} first={{ file, log }} second={{ file: other, log: otherLog }} />
        )}
      </div>
    </div>
  );
}

function Comparison({ active, types }: { readonly active: Active; readonly types: TypeTable }) {
  const { id, model, selection } = active;
  const { other, wanted } = useOther(id);
  const { show: asked } = compareState.useOf(id);
  const { listedAt } = compareSettings.useOf(id);
  const mode = compareMode(asked, selection, listedAt, other !== null);
  const before: CompareSide = { id, name: model.name, types };
  const otherTypes = typesOf(other);
  const after: CompareSide | null =
    other === null || otherTypes === null
      ? null
      : { id: other.id, name: other.name, types: otherTypes };
  return (
    <div className={styles.view}>
      <CompareToolbar active={active} mode={mode} other={other} />
      <div className="shrink shrink-y">
        {mode === 'duplicates' ? (
          <DuplicatesPart side={before} />
        ) : after === null ? (
          <NoOther
            wanted={wanted}
            text="Open a second kernel, module or object: its types are compared with those of this file. Two types of this file can also be compared."
            actions={
              <>
                <Button onClick={compareWithItself}>Compare two types of this file</Button>
                <Button onClick={() => compareState.set({ show: 'duplicates' })}>
                  Show duplicates
                </Button>
              </>
            }
          />
        ) : mode === 'whole' ? (
          <WholePart key={after.id} before={before} after={after} />
        ) : (
          <TypesPart active={active} before={before} after={after} />
        )}
      </div>
    </div>
  );
}

type CompareToolbarProps = {
  readonly active: Active;
  readonly mode: CompareMode;
  readonly other: OpenFile | null;
};

function CompareToolbar({ active, mode, other }: CompareToolbarProps) {
  const { id, model, selection } = active;
  return (
    <Toolbar label="Comparison">
      <Segmented
        label="What to compare"
        options={COMPARE_MODES}
        value={mode}
        onChange={(next) => {
          compareSettings.set({ listedAt: selection }, id);
          compareState.set({ show: next });
        }}
      />
      {mode === 'duplicates' ? null : <SidePickers id={id} name={model.name} other={other} />}
    </Toolbar>
  );
}

type SidePickersProps = {
  readonly id: FileId;
  /** Name of the file, not escaped. */
  readonly name: string;
  readonly other: OpenFile | null;
  /** Words for the two sides. */
  readonly words?: readonly [string, string];
};

/** Shows menus to choose the files before and after, and a button that swaps them. */
function SidePickers({ id, name, other, words = ['Before', 'After'] }: SidePickersProps) {
  const [before, after] = words;
  return (
    <div className="row wrap gap-2 shrink">
      <BeforePicker id={id} other={other} word={before} />
      <IconButton
        label={`Swap ${before.toLowerCase()} and ${after.toLowerCase()}`}
        icon={ArrowLeftRight}
        disabled={other === null || other.id === id}
        onClick={() => (other === null ? undefined : chooseBefore(other, other))}
      />
      <OtherPicker id={id} other={other} word={after} />
      {other !== null && isNewer(name, other.name) ? (
        <span className="row gap-1 small soft">
          {before} is the newer kernel.
          <Button size="small" onClick={() => chooseBefore(other, other)}>
            Put versions in order
          </Button>
        </span>
      ) : null}
    </div>
  );
}

const COMPARE_MODES = { types: 'Two types', whole: 'All types', duplicates: 'Duplicates' } as const;
type CompareMode = keyof typeof COMPARE_MODES;
const MODE_NAMES = Object.keys(COMPARE_MODES) as CompareMode[];

/** Returns the part to show. Selecting a type elsewhere switches from a list to `types`. */
export function compareMode(
  asked: string | null,
  selection: Selection,
  listedAt: Selection,
  hasOther: boolean,
): CompareMode {
  const mode = MODE_NAMES.find((name) => name === asked) ?? null;
  const isTypeNew = selection.kind === 'type' && !sameSelection(selection, listedAt);
  if (mode === 'types') return 'types';
  if (mode === null) return selection.kind === 'type' || !hasOther ? 'types' : 'whole';
  return isTypeNew && listedAt.kind !== 'none' ? 'types' : mode;
}

function compareWithItself(): void {
  const file = activeFile(session.getState());
  if (file !== null) chooseOther(file);
}

type NoOtherProps = {
  readonly wanted: string | null;
  /** Text if the address names no other file. */
  readonly text: string;
  readonly actions?: ReactNode;
};

/** Shows that there is no other file to compare with. */
function NoOther({ wanted, text, actions }: NoOtherProps) {
  const isMissing = useWanted(wanted);
  if (wanted !== null && !isMissing) {
    return <EmptyState title="Opening the other file" />;
  }
  return (
    <EmptyState
      icon={<GitCompareArrows size={28} aria-hidden />}
      title={wanted === null ? 'Nothing to compare with' : 'The other file is not open'}
      text={
        wanted === null
          ? text
          : 'The link compares with a file that this page does not have. Open it, or choose another.'
      }
      actions={actions}
    />
  );
}

/** Opens the file that the address names, once. Returns true if the file cannot be opened. */
function useWanted(wanted: string | null): boolean {
  const [missing, setMissing] = useState<string | null>(null);
  useEffect(() => {
    if (wanted === null) return;
    void openWantedOther(wanted).then((isOpen) => {
      if (!isOpen) setMissing(wanted);
    });
  }, [wanted]);
  return missing === wanted;
}

/** Returns true if the kernel version in file name `a` is later than in `b`; else false. */
export function isNewer(a: string, b: string): boolean {
  const [infoA, infoB] = [kernelInfo(a), kernelInfo(b)];
  if (infoA.version === '' || infoB.version === '') return false;
  return compareKernels(infoA.name, infoB.name) > 0;
}

type PickerProps = {
  readonly id: FileId;
  readonly other: OpenFile | null;
  /** Name of the side. */
  readonly word: string;
};

/** Shows a menu to choose the file on the side "before", which becomes the active file. */
function BeforePicker({ id, other, word }: PickerProps) {
  const files = useSession((state) => state.files);
  const name = visible(files.find((file) => file.id === id)?.name ?? '');
  return (
    <Menu
      trigger={
        <Button className={styles.button} isMenu title={name}>
          <span className="muted regular">{word}</span>
          <span className={styles.name}>
            <bdi>{name}</bdi>
          </span>
        </Button>
      }
      groups={[itemsOf(files, id, (chosen) => chooseBefore(chosen, other))]}
    />
  );
}

/** Shows a menu to choose the file on the side "after". Its last item opens another file. */
function OtherPicker({ id, other, word }: PickerProps) {
  const files = useSession((state) => state.files);
  return (
    <FilePicker
      word={word}
      name={other === null ? null : otherName(other, id)}
      none="choose a file"
      items={itemsOf(files, other?.id ?? null, chooseOther, id)}
      openLabel="Open another file"
      open={openOther}
    />
  );
}

/** Returns a menu item for each file that can be compared. Kernels are in version order. */
function itemsOf(
  files: readonly OpenFile[],
  chosen: FileId | null,
  choose: (file: OpenFile) => void,
  itself: FileId | null = null,
): MenuItem[] {
  const sorted = files.toSorted((a, b) =>
    compareKernels(kernelInfo(a.name).name, kernelInfo(b.name).name),
  );
  const own = activeFile(session.getState()) ?? undefined;
  return sorted.flatMap((file) => {
    if (!isComparable(file, own)) return [];
    const count = logOf(file)?.lineCount;
    const size =
      count === undefined ? countOf(typesOf(file)?.count ?? 0, 'type') : countOf(count, 'line');
    return [
      {
        id: `${file.id}`,
        label: `${visible(otherName(file, itself))} · ${size}`,
        icon: file.id === chosen ? <Check size={14} aria-hidden /> : null,
        onSelect: () => choose(file),
      },
    ];
  });
}

/** Returns the name of a file, not escaped. */
function otherName(file: OpenFile, id: FileId | null): string {
  return file.id === id ? `${file.name} (itself)` : file.name;
}
