import { FolderOpen } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '#ui/Button.tsx';
import type { KernelFiles } from './use-kernel-files.ts';

/** Opens any number of kernels, each of which becomes a column. */
export function OpenKernels({ kernels }: { readonly kernels: KernelFiles }) {
  const input = useRef<HTMLInputElement>(null);
  const { open, progress } = kernels;
  return (
    <>
      <Button disabled={progress !== null} onClick={() => input.current?.click()}>
        <FolderOpen size={14} aria-hidden />
        {progress === null ? 'Open kernels…' : `Opening ${progress.done + 1} of ${progress.total}…`}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        tabIndex={-1}
        className="visually-hidden"
        aria-label="Kernels for the matrix"
        onChange={(event) => {
          void open([...(event.target.files ?? [])]);
          // The same file may be chosen again.
          event.target.value = '';
        }}
      />
    </>
  );
}
