import { Check, ChevronDown, FolderOpen } from 'lucide-react';
import { useRef } from 'react';
import { visible } from '#bytes/text.ts';
import { lastId } from '#model/type-table.ts';
import { type ChosenTarget, typesOf } from '#store/core-target.ts';
import { setCoreTarget } from '#store/core-view.ts';
import { type FileId, type OpenFile, useSession } from '#store/session.ts';
import { Button } from '#ui/Button.tsx';
import { Menu, type MenuItem } from '#ui/Menu.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './TargetPicker.module.css';

/** Which open file the object is relocated against, and a way to open one more. */
export function TargetPicker({
  object,
  chosen,
  onOpen,
}: {
  readonly object: FileId;
  readonly chosen: ChosenTarget | null;
  /** Opens a file and makes it the target. */
  readonly onOpen: (file: File) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const files = useSession((state) => state.files);
  const targets = files.flatMap((file) => targetItem(object, file, chosen));
  const none: MenuItem = {
    id: 'none',
    label: 'No target: only what the compiler wrote',
    icon: chosen === null ? <Check size={14} aria-hidden /> : null,
    onSelect: () => setCoreTarget(object, null),
  };
  const more: MenuItem = {
    id: 'open',
    label: 'Open a kernel’s BTF…',
    icon: <FolderOpen size={14} aria-hidden />,
    onSelect: () => input.current?.click(),
  };
  return (
    <div className={styles.picker}>
      <Menu
        trigger={
          <Button className={styles.button}>
            <span className={styles.term}>Target</span>
            <TargetName chosen={chosen} />
            <ChevronDown size={14} aria-hidden />
          </Button>
        }
        groups={[[none], targets, [more]]}
      />
      <input
        ref={input}
        type="file"
        tabIndex={-1}
        className="visually-hidden"
        aria-label="Kernel BTF to relocate against"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file !== undefined) onOpen(file);
          // The same file may be chosen again.
          event.target.value = '';
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
