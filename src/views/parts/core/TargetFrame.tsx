import { Check, FolderOpen } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { visible } from '#bytes/text.ts';
import { lastId, type TypeTable } from '#model/type-table.ts';
import { type ChosenTarget, useCoreTarget } from '#store/kernels/core-results.ts';
import {
  candidatesState,
  hasRecords,
  setCoreTarget,
  useFreshCandidates,
} from '#store/kernels/core-view.ts';
import { openFiles } from '#store/session/files.ts';
import type { Active } from '#store/session/hooks.ts';
import {
  type FileId,
  fileById,
  modelOf,
  type OpenFile,
  session,
  typesOf,
  useSession,
} from '#store/session/session.ts';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { hint } from '#ui/hints.tsx';
import { Checkbox, FileInput } from '#ui/inputs.tsx';
import { Menu, type MenuItem } from '#ui/Menu.tsx';
import { ViewToolbar } from '#ui/Panel.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './TargetFrame.module.css';

type TargetFrameProps = {
  readonly active: Active;
  readonly tools?: ReactNode;
  readonly children: ReactNode;
};

/** Shows a view of an object that is relocated against one target, with the target picker. */
export function TargetFrame({ active, tools, children }: TargetFrameProps) {
  const { id, model } = active;
  const chosen = useCoreTarget(id);
  const kernels = useKernelFiles(id);
  const open = async (file: File) => {
    const [target] = await kernels.open([file]);
    if (target !== undefined) setCoreTarget(id, target);
  };
  return (
    <div className="stack tall head-and-body">
      <div>
        <ViewToolbar label="CO-RE">
          <TargetPicker object={id} chosen={chosen} onOpen={(file) => void open(file)} />
          {tools}
          {hasRecords(model) ? null : (
            <p className="small muted">This file has no CO-RE relocations.</p>
          )}
        </ViewToolbar>
        <NotTargets kernels={kernels} />
      </div>
      <div className="shrink-y">{children}</div>
    </div>
  );
}

/** Shows which files were opened as kernels but cannot be targets. */
export function NotTargets({ kernels: { problems, forget } }: { readonly kernels: KernelFiles }) {
  if (problems.length === 0) return null;
  return (
    <div className="rigid line-below pad-row">
      <Callout
        severity="warning"
        title={problems.length === 1 ? 'Not a target' : 'Some files can’t be targets'}
        isAlert
        actions={
          <Button size="small" onClick={forget}>
            Dismiss
          </Button>
        }
      >
        <ul className={styles.problems}>
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      </Callout>
    </div>
  );
}

/** Shows a button that opens kernels, for views that show an object on many. */
export function OpenKernels({ kernels }: { readonly kernels: KernelFiles }) {
  const input = useRef<HTMLInputElement>(null);
  const { open, progress } = kernels;
  return (
    <>
      <Button disabled={progress !== null} onClick={() => input.current?.click()} icon={FolderOpen}>
        {progress === null ? 'Open kernels…' : `Opening ${progress.done + 1} of ${progress.total}…`}
      </Button>
      <FileInput
        ref={input}
        label="Kernels to load on"
        multiple
        onFiles={(files) => void open(files)}
      />
    </>
  );
}

type TargetPickerProps = {
  readonly object: FileId;
  readonly chosen: ChosenTarget | null;
  /** Opens a file and chooses it as the target. */
  readonly onOpen: (file: File) => void;
};

/** Shows a menu of the open files that can be the target. Its last entry opens another file. */
function TargetPicker({ object, chosen, onOpen }: TargetPickerProps) {
  const input = useRef<HTMLInputElement>(null);
  const files = useSession((state) => state.files);
  const targets = files.flatMap((file) => targetItem(object, file, chosen));
  const none: MenuItem = {
    id: 'none',
    label: 'No target: compiled values only',
    icon: chosen === null ? <Check size={14} aria-hidden /> : null,
    onSelect: () => setCoreTarget(object, null),
  };
  const more: MenuItem = {
    id: 'open',
    label: 'Open kernel BTF…',
    icon: <FolderOpen size={14} aria-hidden />,
    onSelect: () => input.current?.click(),
  };
  return (
    <div className="shrink relative">
      <Menu
        trigger={
          <Button className={styles.button} isMenu>
            <span className="muted regular">Target</span>
            <TargetName chosen={chosen} />
          </Button>
        }
        groups={[[none], targets, [more]]}
      />
      <FileInput
        ref={input}
        label="Kernel BTF to relocate against"
        onFiles={([file]) => {
          if (file !== undefined) onOpen(file);
        }}
      />
    </div>
  );
}

function TargetName({ chosen }: { readonly chosen: ChosenTarget | null }) {
  if (chosen === null) return <span className={styles.name}>none</span>;
  return (
    <>
      <span className={styles.name}>
        <bdi>{chosen.isItself ? 'itself' : visible(chosen.name)}</bdi>
      </span>
      <span className="small muted regular">{countOf(lastId(chosen.types), 'type')}</span>
    </>
  );
}

function targetItem(object: FileId, file: OpenFile, chosen: ChosenTarget | null): MenuItem[] {
  const types = typesOf(file);
  if (types === null) return [];
  const name = visible(file.name);
  return [
    {
      id: `${file.id}`,
      label: `${file.id === object ? `${name} (itself)` : name} · ${countOf(lastId(types), 'type')}`,
      icon: file.id === chosen?.id ? <Check size={14} aria-hidden /> : null,
      onSelect: () => setCoreTarget(object, file.id),
    },
  ];
}

export type KernelFiles = {
  /** Opens files and keeps the active file. Returns those that can be targets. */
  readonly open: (files: readonly File[]) => Promise<readonly FileId[]>;
  /** Number of files opened so far; null if no files are being opened. */
  readonly progress: { readonly done: number; readonly total: number } | null;
  /** One sentence for each file that cannot be a target. */
  readonly problems: readonly string[];
  readonly forget: () => void;
};

/** Returns functions to open kernels as targets of `object`, and their progress. */
export function useKernelFiles(object: FileId): KernelFiles {
  const [progress, setProgress] = useState<KernelFiles['progress']>(null);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const open = async (files: readonly File[]) => {
    const newProblems: string[] = [];
    const targets: FileId[] = [];
    setProblems([]);
    const total = files.length;
    setProgress({ done: 0, total });
    const ids = await openFiles(files, { activate: false }, (done) => setProgress({ done, total }));
    for (const id of ids) {
      const opened = fileById(session.getState(), id);
      // Stop if the file or the object was closed meanwhile.
      if (opened === null || fileById(session.getState(), object) === null) continue;
      if (typesOf(opened) !== null) targets.push(id);
      // An atlas itself is not a target: the menu lists its kernels with the other targets.
      else if (opened.status.step !== 'atlas') {
        newProblems.push(problemOf(opened.status.step, opened.name));
      }
    }
    setProgress(null);
    setProblems(newProblems);
    return targets;
  };
  return { open, progress, problems, forget: () => setProblems([]) };
}

function problemOf(step: string, name: string): string {
  switch (step) {
    case 'archive':
      return `${visible(name)} is an archive: open one of its members and select it.`;
    case 'ready':
      return `${visible(name)} has no BTF: no object can be judged on it, and no relocation resolved.`;
    default:
      return `${visible(name)} could not be opened.`;
  }
}

const ABOUT =
  'libbpf keeps one list of candidates per local type and reduces it to those that matched, so earlier records change later results. With this option, every record starts with the full list.';

/** Shows a switch that, unlike libbpf, finds the candidates anew for each record. */
export function FreshSwitch() {
  const fresh = useFreshCandidates();
  return (
    <Checkbox
      {...hint(ABOUT)}
      isChecked={fresh}
      onChange={(isOn) => candidatesState.set({ candidates: isOn ? 'fresh' : 'kept' })}
    >
      Reset candidates per record
    </Checkbox>
  );
}

/** An open file that has the types of a kernel. */
export type OpenKernel = {
  readonly id: FileId;
  /** Name of the file, not escaped. */
  readonly name: string;
  /** True for the file that the current view shows. */
  readonly isHere: boolean;
  readonly types: TypeTable;
};

/** Returns the open kernels. The chosen target comes first, then the file `here`. */
export function useOpenKernels(here: FileId): readonly OpenKernel[] {
  const chosen = useCoreTarget(here)?.id ?? null;
  const files = useSession((state) => state.files);
  return files
    .flatMap((file) => targetOf(file, here, chosen))
    .sort((a, b) => rank(a, chosen) - rank(b, chosen));
}

function targetOf(file: OpenFile, here: FileId, chosen: FileId | null): OpenKernel[] {
  const model = modelOf(file);
  const types = model?.types ?? null;
  if (model === null || types === null) return [];
  // An object with CO-RE records counts as a kernel only if the user chose it as target.
  if (model.ext.core.count > 0 && file.id !== chosen) return [];
  return [{ id: file.id, name: file.name, isHere: file.id === here, types }];
}

function rank({ id, isHere }: OpenKernel, chosen: FileId | null): number {
  if (id === chosen) return 0;
  return isHere ? 1 : 2;
}
