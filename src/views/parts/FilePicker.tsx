import { FolderOpen } from 'lucide-react';
import { useRef, useState } from 'react';
import { visible } from '#bytes/text.ts';
import { Button } from '#ui/Button.tsx';
import { FileInput } from '#ui/inputs.tsx';
import { Menu, type MenuItem } from '#ui/Menu.tsx';
import styles from './FilePicker.module.css';
import { useFileDrop } from './use-file-drop.ts';

type FilePickerProps = {
  /** What the file is for, before its name. */
  readonly word: string;
  /** Name of the chosen file, not escaped; null if none is chosen. */
  readonly name: string | null;
  /** Text while no file is chosen. */
  readonly none: string;
  /** Open files from which to choose. */
  readonly items: readonly MenuItem[];
  /** Other items, before the one that opens a file. */
  readonly others?: readonly MenuItem[];
  /** Label of the item that opens a file, and of the hidden input. */
  readonly openLabel: string;
  /** Opens a file. Resolves to the reason why it cannot be used; null if it can. */
  readonly open: (file: File) => Promise<string | null>;
  readonly isSmall?: boolean;
};

/** Shows a menu to choose an open file or to open another one. It takes dropped files. */
export function FilePicker(props: FilePickerProps) {
  const { word, name, none, items, others = [], openLabel, open, isSmall = false } = props;
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isOver, setOver] = useState(false);
  const take = async (file: File) => {
    const why = await open(file);
    setProblem(why === null ? null : `${visible(file.name)} cannot be used: ${why}.`);
  };
  const drop = useFileDrop(([file]) => file && void take(file), setOver);
  // An item that chooses a file ends the problem of another one.
  const settled = (item: MenuItem): MenuItem => ({
    ...item,
    onSelect: () => {
      setProblem(null);
      item.onSelect();
    },
  });
  const more: MenuItem = {
    id: 'open',
    label: `${openLabel}…`,
    icon: <FolderOpen size={14} aria-hidden />,
    onSelect: () => input.current?.click(),
  };
  return (
    <div className={styles.picker} data-over={isOver} {...drop}>
      <Menu
        trigger={
          <Button className={styles.button} isMenu {...(isSmall ? { size: 'small' } : {})}>
            <span className="muted regular">{word}</span>
            <span className={styles.name}>{name === null ? none : <bdi>{visible(name)}</bdi>}</span>
          </Button>
        }
        groups={[items.map(settled), [...others.map(settled), more]]}
      />
      <FileInput
        ref={input}
        label={openLabel}
        onFiles={([file]) => {
          if (file !== undefined) void take(file);
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
