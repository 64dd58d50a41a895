import { Check } from 'lucide-react';
import { useEffect } from 'react';
import { visible } from '#bytes/text.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { keyOf, openByKey } from '#store/address/file-keys.ts';
import { type FileId, type OpenFile, useSession } from '#store/session/session.ts';
import { FilePicker } from '#views/parts/FilePicker.tsx';
import { layoutState } from '#views/parts/layout-state.ts';
import { isLinkedFile, openLinkedFile, setLinkedFile, useLinkedFile } from './linked-with.ts';

type LinkedFilePickerProps = { readonly id: FileId; readonly model: ObjectModel };

/** Shows a menu to choose the file that the linker made of the object. It takes dropped files. */
export function LinkedFilePicker({ id, model }: LinkedFilePickerProps) {
  const files = useSession((state) => state.files);
  const linked = useLinkedFile(id);
  useLinkedKey(id, linked);
  const none = {
    id: 'none',
    label: 'No linked file',
    onSelect: () => setLinkedFile(id, null),
  };
  return (
    <FilePicker
      isSmall
      word="Linked file"
      name={linked?.name ?? null}
      none="choose or drop"
      items={files
        .filter((file) => isLinkedFile(file, model))
        .map((file) => ({
          id: `${file.id}`,
          label: visible(file.name),
          icon: file.id === linked?.id ? <Check size={14} aria-hidden /> : null,
          onSelect: () => setLinkedFile(id, file),
        }))}
      others={linked === null ? [] : [none]}
      openLabel="Open linked file"
      open={(file) => openLinkedFile(id, model, file)}
    />
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
