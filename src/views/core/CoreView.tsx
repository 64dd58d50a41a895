import { Check, FolderOpen, Waypoints } from 'lucide-react';
import { type ComponentType, lazy, Suspense, useRef } from 'react';
import { visible } from '#bytes/text.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { lastId } from '#model/type-table.ts';
import { type ChosenTarget, useCoreTarget } from '#store/kernels/core-target.ts';
import {
  CORE_MODE_TITLES,
  coreModesOf,
  setCoreMode,
  setCoreTarget,
  useFreshCandidates,
} from '#store/kernels/core-view.ts';
import { type Active, useActive } from '#store/session/hooks.ts';
import { type FileId, type OpenFile, typesOf, useSession } from '#store/session/session.ts';
import { type CoreMode, coreState } from '#store/session/view-state.ts';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { Checkbox } from '#ui/Checkbox.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { FileInput } from '#ui/FileInput.tsx';
import { hint } from '#ui/hints.tsx';
import { Menu, type MenuItem } from '#ui/Menu.tsx';
import { Segmented } from '#ui/Segmented.tsx';
import { Toolbar } from '#ui/Toolbar.tsx';
import { useKernelFiles } from '#views/parts/core/use-kernel-files.ts';
import { countOf } from '#views/parts/number-text.ts';
import styles from './CoreView.module.css';
import { RecordsPanel } from './RecordInspector.tsx';

/** The CO-RE relocations of the file, and their results on other kernels. */
export function CoreView() {
  const active = useActive();
  if (active === null) return null;
  return <CoreParts key={active.id} active={active} />;
}

function CoreParts({ active }: { readonly active: Active }) {
  const { id, model } = active;
  const modes = coreModesOf(model);
  const mode = shownMode(modes, coreState.useOf(id).mode);
  const chosen = useCoreTarget(id);
  if (mode === null) {
    return <EmptyState icon={<Waypoints size={28} aria-hidden />} {...noCore(model)} />;
  }
  return (
    <div className={styles.view}>
      <CoreToolbar id={id} model={model} modes={modes} mode={mode} chosen={chosen} />
      <div className="shrink-y">
        {mode === 'records' && model.ext.core.count === 0 ? (
          <EmptyState
            icon={<Waypoints size={28} aria-hidden />}
            {...noCore(model)}
            actions={<Button onClick={() => setCoreMode('load')}>Show whether it loads</Button>}
          />
        ) : mode === 'records' ? (
          <RecordsPanel {...active} chosen={chosen} />
        ) : (
          <LaterPart mode={mode} active={active} />
        )}
      </div>
    </div>
  );
}

type LaterMode = Exclude<CoreMode, 'records'>;
type Part = ComponentType<{ readonly active: Active }>;

/** Fetched when it is first shown. */
function LaterPart({ mode, active }: { readonly mode: LaterMode; readonly active: Active }) {
  const Shown = LATER[mode];
  return (
    <Suspense fallback={<p className={styles.waiting}>Loading {CORE_MODE_TITLES[mode]}…</p>}>
      <Shown active={active} />
    </Suspense>
  );
}

const later = (load: () => Promise<Part>) => lazy(async () => ({ default: await load() }));

const LATER: Readonly<Record<LaterMode, Part>> = {
  load: later(async () => (await import('#views/load/LoadPanel.tsx')).LoadPanel),
  log: later(async () => (await import('#views/log/LogPanel.tsx')).LogPanel),
  playground: later(
    async () => (await import('#views/playground/PlaygroundPanel.tsx')).PlaygroundPanel,
  ),
  needs: later(async () => (await import('#views/needs/NeedsPanel.tsx')).NeedsPanel),
};

/** The part that is shown: the one that was asked for, where the file has it, else its first. */
export function shownMode(modes: readonly CoreMode[], wanted: CoreMode): CoreMode | null {
  return modes.includes(wanted) ? wanted : (modes[0] ?? null);
}

const WHAT =
  'They tell libbpf which field, type or enumerator of the running kernel an instruction depends on. clang -g --target=bpf writes them into .BTF.ext for every access to a type with preserve_access_index, which all types of vmlinux.h have, and for BPF_CORE_READ and related macros. They are not ELF relocations: llvm-readelf -r does not show them.';

/** The title and the text of the empty view. */
export function noCore(model: ObjectModel): { readonly title: string; readonly text: string } {
  if (model.format === 'btf') {
    return {
      title: 'A BTF blob has no CO-RE relocations',
      text: `It holds types only; the relocations are in the .BTF.ext section of an object file. ${WHAT}`,
    };
  }
  return {
    title: isBpf(model)
      ? 'This object has no CO-RE relocations'
      : 'This file has no CO-RE relocations',
    text: WHAT,
  };
}

type CoreToolbarProps = {
  readonly id: FileId;
  readonly model: ObjectModel;
  readonly modes: readonly CoreMode[];
  readonly mode: CoreMode;
  readonly chosen: ChosenTarget | null;
};

/** The parts of the tab, and what the object is relocated against. */
function CoreToolbar({ id, model, modes, mode, chosen }: CoreToolbarProps) {
  const kernels = useKernelFiles(id);
  const [problem] = kernels.problems;
  const open = async (file: File) => {
    const [target] = await kernels.open([file]);
    if (target !== undefined) setCoreTarget(id, target);
  };
  const hasRecords = model.ext.core.count > 0;
  const isEmpty = mode === 'records' && !hasRecords;
  const isResolved = mode === 'load' || (mode === 'records' && chosen !== null);
  return (
    <div>
      <Toolbar label="CO-RE">
        <div className={styles.modes}>
          <Segmented
            label="CO-RE mode"
            options={Object.fromEntries(modes.map((name) => [name, CORE_MODE_TITLES[name]]))}
            value={mode}
            onChange={setCoreMode}
          />
        </div>
        {mode === 'load' || isEmpty ? null : (
          <TargetPicker object={id} chosen={chosen} onOpen={(file) => void open(file)} />
        )}
        {hasRecords && isResolved ? <FreshSwitch /> : null}
        {hasRecords || mode === 'load' || isEmpty ? null : (
          <p className="small muted">This file has no CO-RE relocations.</p>
        )}
      </Toolbar>
      {problem === undefined ? null : (
        <div className={styles.problem}>
          <Callout
            severity="warning"
            title="Not a target"
            isAlert
            actions={
              <Button size="small" onClick={kernels.forget}>
                Dismiss
              </Button>
            }
          >
            {problem}
          </Callout>
        </div>
      )}
    </div>
  );
}

const ABOUT =
  'libbpf keeps one list of candidates per local type and reduces it to those that matched, so earlier records change later results. With this option, every record starts with the full list.';

/** Resets the list of candidates for every record, which libbpf does not do. */
function FreshSwitch() {
  const fresh = useFreshCandidates();
  return (
    <Checkbox
      {...hint(ABOUT)}
      isChecked={fresh}
      onChange={(isOn) => coreState.set({ candidates: isOn ? 'fresh' : 'kept' })}
    >
      Reset candidates per record
    </Checkbox>
  );
}

type TargetPickerProps = {
  readonly object: FileId;
  readonly chosen: ChosenTarget | null;
  /** Opens a file and makes it the target. */
  readonly onOpen: (file: File) => void;
};

/** The open file that the object is relocated against, and a button to open another. */
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
    <div className={styles.picker}>
      <Menu
        trigger={
          <Button className={styles.button} isMenu>
            <span className={styles.term}>Target</span>
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
      <span className={styles.count}>{countOf(lastId(chosen.types), 'type')}</span>
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
