import { Check, ChevronDown, FolderOpen } from 'lucide-react';
import { useRef, useState } from 'react';
import { visible } from '#bytes/text.ts';
import { chooseOther, openOther } from '#store/compare.ts';
import { typesOf } from '#store/core-target.ts';
import { type FileId, type OpenFile, useSession } from '#store/session.ts';
import { Button } from '#ui/Button.tsx';
import { Menu, type MenuItem } from '#ui/Menu.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './OtherPicker.module.css';

type OtherPickerProps = {
  readonly id: FileId;
  readonly other: OpenFile | null;
};

/** Which open file stands after, and a way to open one more. */
export function OtherPicker({ id, other }: OtherPickerProps) {
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
          <Button className={styles.button}>
            <span className={styles.term}>After</span>
            <span className={styles.name}>
              {other === null ? 'choose a file' : <bdi>{otherName(other, id)}</bdi>}
            </span>
            <ChevronDown size={14} aria-hidden />
          </Button>
        }
        groups={[files.flatMap((file) => itemOf(file, id, other)), [more]]}
      />
      <input
        ref={input}
        type="file"
        tabIndex={-1}
        className="visually-hidden"
        aria-label="File to compare with"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file !== undefined) void open(file);
          // The same file may be chosen again.
          event.target.value = '';
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

function itemOf(file: OpenFile, id: FileId, other: OpenFile | null): MenuItem[] {
  const types = typesOf(file);
  if (types === null) return [];
  return [
    {
      id: `${file.id}`,
      label: `${otherName(file, id)} · ${countOf(types.count, 'type')}`,
      icon: file.id === other?.id ? <Check size={14} aria-hidden /> : null,
      onSelect: () => chooseOther(file),
    },
  ];
}

function otherName(file: OpenFile, id: FileId): string {
  return file.id === id ? `${visible(file.name)} (itself)` : visible(file.name);
}
