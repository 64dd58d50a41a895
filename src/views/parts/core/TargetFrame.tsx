import { Check, FolderOpen } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { visible } from '#bytes/text.ts';
import { lastId } from '#model/type-table.ts';
import { type ChosenTarget, useCoreTarget } from '#store/kernels/core-results.ts';
import { hasRecords, setCoreTarget } from '#store/kernels/core-view.ts';
import type { Active } from '#store/session/hooks.ts';
import { type FileId, type OpenFile, typesOf, useSession } from '#store/session/session.ts';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { FileInput } from '#ui/inputs.tsx';
import { Menu, type MenuItem } from '#ui/Menu.tsx';
import { Toolbar } from '#ui/Panel.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './TargetFrame.module.css';
import { useKernelFiles } from './use-kernel-files.ts';

type TargetFrameProps = {
  readonly active: Active;
  /** More of the toolbar. */
  readonly tools?: ReactNode;
  readonly children: ReactNode;
};

/** A view of an object that is relocated against one target, under the choice of that target. */
export function TargetFrame({ active, tools, children }: TargetFrameProps) {
  const { id, model } = active;
  const chosen = useCoreTarget(id);
  const kernels = useKernelFiles(id);
  const [problem] = kernels.problems;
  const open = async (file: File) => {
    const [target] = await kernels.open([file]);
    if (target !== undefined) setCoreTarget(id, target);
  };
  return (
    <div className="stack tall head-and-body">
      <div>
        <Toolbar label="CO-RE">
          <TargetPicker object={id} chosen={chosen} onOpen={(file) => void open(file)} />
          {tools}
          {hasRecords(model) ? null : (
            <p className="small muted">This file has no CO-RE relocations.</p>
          )}
        </Toolbar>
        {problem === undefined ? null : (
          <div className="line-below pad-row">
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
      <div className="shrink-y">{children}</div>
    </div>
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
