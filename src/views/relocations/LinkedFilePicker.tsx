import { Check, FolderOpen } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { visible } from '#bytes/text.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { keyOf, openByKey } from '#store/address/file-keys.ts';
import { type FileId, type OpenFile, useSession } from '#store/session/session.ts';
import { Button } from '#ui/Button.tsx';
import { FileInput } from '#ui/inputs.tsx';
import { Menu, type MenuItem } from '#ui/Menu.tsx';
import { layoutState } from '#views/parts/layout-state.ts';
import { useFileDrop } from '#views/parts/use-file-drop.ts';
import styles from './LinkedFilePicker.module.css';
import { isLinkedFile, openLinkedFile, setLinkedFile, useLinkedFile } from './linked-with.ts';

type LinkedFilePickerProps = { readonly id: FileId; readonly model: ObjectModel };

/** Shows a menu to choose the file that the linker made of the object. It takes dropped files. */
export function LinkedFilePicker({ id, model }: LinkedFilePickerProps) {
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isOver, setOver] = useState(false);
  const files = useSession((state) => state.files);
  const linked = useLinkedFile(id);
  useLinkedKey(id, linked);
  const open = async (file: File) => {
    const why = await openLinkedFile(id, model, file);
    setProblem(why === null ? null : `${visible(file.name)} cannot be used: ${why}.`);
  };
  const drop = useFileDrop(([file]) => file && void open(file), setOver);
  const choose = (file: OpenFile | null) => {
    setProblem(null);
    setLinkedFile(id, file);
  };
  const items: MenuItem[] = files
    .filter((file) => isLinkedFile(file, model))
    .map((file) => ({
      id: `${file.id}`,
      label: visible(file.name),
      icon: file.id === linked?.id ? <Check size={14} aria-hidden /> : null,
      onSelect: () => choose(file),
    }));
  const none: MenuItem = { id: 'none', label: 'No linked file', onSelect: () => choose(null) };
  const more: MenuItem = {
    id: 'open',
    label: 'Open linked file…',
    icon: <FolderOpen size={14} aria-hidden />,
    onSelect: () => input.current?.click(),
  };
  return (
    <div className={styles.picker} data-over={isOver} {...drop}>
      <Menu
        trigger={
          <Button size="small" isMenu>
            <span className="muted regular">Linked file</span>
            <span className={styles.name}>
              {linked === null ? 'choose or drop' : <bdi>{visible(linked.name)}</bdi>}
            </span>
          </Button>
        }
        groups={[items, linked === null ? [more] : [none, more]]}
      />
      <FileInput
        ref={input}
        label="Linked file"
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

/** Keeps the key of the linked file in the address, and opens the file that an address names. */
function useLinkedKey(id: FileId, linked: OpenFile | null): void {
  const { linked: wanted } = layoutState.useOf(id);
  const key = linked === null ? null : keyOf(linked);
  // The hash of a file is computed only after the file has been opened.
  useEffect(() => {
    if (key !== null) layoutState.set({ linked: key }, id);
  }, [id, key]);
  useEffect(() => {
    if (linked === null && wanted !== null) void openByKey(wanted, '', { activate: false });
  }, [linked, wanted]);
}
