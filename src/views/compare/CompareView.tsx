import { ArrowLeftRight, Check, FolderOpen, GitCompareArrows } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { compareKernels, kernelInfo } from '#analysis/atlas/kernel-name.ts';
import { visible } from '#bytes/text.ts';
import { type Selection, sameSelection } from '#model/selection.ts';
import type { TypeTable } from '#model/type-table.ts';
import { chooseOther } from '#store/address/compare.ts';
import { comparedWith } from '#store/address/compared-with.ts';
import { keyOf } from '#store/address/file-keys.ts';
import { type Active, useActive } from '#store/session/hooks.ts';
import {
  activeFile,
  type FileId,
  type OpenFile,
  session,
  typesOf,
  useSession,
} from '#store/session/session.ts';
import { Button, IconButton } from '#ui/Button.tsx';
import { FileInput, Segmented } from '#ui/inputs.tsx';
import { Menu, type MenuItem } from '#ui/Menu.tsx';
import { EmptyState, Toolbar } from '#ui/Panel.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './CompareView.module.css';
import type { CompareSide } from './compared-pair.ts';
import { DuplicatesPart } from './DuplicatesPart.tsx';
import { chooseBefore, openOther, openWantedOther, useOtherFile } from './other-file.ts';
import { compareSettings, compareState } from './state.ts';
import { TypesPart } from './TypesPart.tsx';
import { WholePart } from './WholePart.tsx';

/** Compares the types of this file with those of another file: one type, or all types. */
export function CompareView() {
  const active = useActive();
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

function Comparison({ active, types }: { readonly active: Active; readonly types: TypeTable }) {
  const { id, model, selection } = active;
  const other = useOtherFile(id);
  const { show: asked } = compareState.useOf(id);
  const { key: wanted } = comparedWith.useOf(id);
  const { listedAt } = compareSettings.useOf(id);
  const mode = compareMode(asked, selection, listedAt, other !== null);
  const otherKey = other === null ? null : keyOf(other);
  // The hash of a file is computed only after the file has been opened.
  useEffect(() => {
    if (otherKey !== null) comparedWith.set({ key: otherKey });
  }, [otherKey]);
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
          <NoOther wanted={wanted} />
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
      {mode === 'duplicates' ? null : (
        <div className="row wrap gap-2 shrink">
          <BeforePicker id={id} other={other} />
          <IconButton
            label="Swap before and after"
            icon={ArrowLeftRight}
            disabled={other === null || other.id === id}
            onClick={() => (other === null ? undefined : chooseBefore(other, other))}
          />
          <OtherPicker id={id} other={other} />
          {other !== null && isNewer(model.name, other.name) ? (
            <span className="row gap-1 small soft">
              Before is the newer kernel.
              <Button size="small" onClick={() => chooseBefore(other, other)}>
                Put versions in order
              </Button>
            </span>
          ) : null}
        </div>
      )}
    </Toolbar>
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

/** Shows that there is no other file to compare with, and buttons to choose one. */
function NoOther({ wanted }: { readonly wanted: string | null }) {
  const isMissing = useWanted(wanted);
  if (wanted !== null && !isMissing) {
    return <EmptyState title="Opening the other file" />;
  }
  const itself = () => {
    const file = activeFile(session.getState());
    if (file !== null) chooseOther(file);
  };
  return (
    <EmptyState
      icon={<GitCompareArrows size={28} aria-hidden />}
      title={wanted === null ? 'Nothing to compare with' : 'The other file is not open'}
      text={
        wanted === null
          ? 'Open a second kernel, module or object: its types are compared with those of this file. Two types of this file can also be compared.'
          : 'The link compares with a file that this page does not have. Open it, or choose another.'
      }
      actions={
        <>
          <Button onClick={itself}>Compare two types of this file</Button>
          <Button onClick={() => compareState.set({ show: 'duplicates' })}>Show duplicates</Button>
        </>
      }
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

/** Shows a menu to choose the file on the side "before", which becomes the active file. */
function BeforePicker({ id, other }: { readonly id: FileId; readonly other: OpenFile | null }) {
  const files = useSession((state) => state.files);
  const name = visible(files.find((file) => file.id === id)?.name ?? '');
  return (
    <Menu
      trigger={
        <Button className={styles.button} isMenu title={name}>
          <span className="muted regular">Before</span>
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
function OtherPicker({ id, other }: { readonly id: FileId; readonly other: OpenFile | null }) {
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const files = useSession((state) => state.files);
  const more: MenuItem = {
    id: 'open',
    label: 'Open another file…',
    icon: <FolderOpen size={14} aria-hidden />,
    onSelect: () => input.current?.click(),
  };
  const open = async (file: File) => {
    const why = await openOther(file);
    setProblem(why === null ? null : `${visible(file.name)} cannot be compared: ${why}.`);
  };
  return (
    <div className={styles.picker}>
      <Menu
        trigger={
          <Button className={styles.button} isMenu>
            <span className="muted regular">After</span>
            <span className={styles.name}>
              {other === null ? 'choose a file' : <bdi>{otherName(other, id)}</bdi>}
            </span>
          </Button>
        }
        groups={[itemsOf(files, other?.id ?? null, chooseOther, id), [more]]}
      />
      <FileInput
        ref={input}
        label="File to compare with"
        onFiles={([file]) => {
          if (file !== undefined) void open(file);
        }}
      />
      {problem === null ? null : (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

/** Returns a menu item for each open file that has types. Kernels are in version order. */
function itemsOf(
  files: readonly OpenFile[],
  chosen: FileId | null,
  choose: (file: OpenFile) => void,
  itself: FileId | null = null,
): MenuItem[] {
  const sorted = files.toSorted((a, b) =>
    compareKernels(kernelInfo(a.name).name, kernelInfo(b.name).name),
  );
  return sorted.flatMap((file) => {
    const types = typesOf(file);
    if (types === null) return [];
    return [
      {
        id: `${file.id}`,
        label: `${otherName(file, itself)} · ${countOf(types.count, 'type')}`,
        icon: file.id === chosen ? <Check size={14} aria-hidden /> : null,
        onSelect: () => choose(file),
      },
    ];
  });
}

function otherName(file: OpenFile, id: FileId | null): string {
  return file.id === id ? `${visible(file.name)} (itself)` : visible(file.name);
}
