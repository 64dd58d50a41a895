import { FolderOpen, Table2 } from 'lucide-react';
import { useRef } from 'react';
import type { Active } from '#store/hooks.ts';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { FileInput } from '#ui/FileInput.tsx';
import { type KernelFiles, useKernelFiles } from '#views/core/parts/use-kernel-files.ts';
import styles from './MatrixPanel.module.css';
import { MatrixTable } from './MatrixTable.tsx';
import { MatrixToolbar } from './MatrixToolbar.tsx';
import { setAllTargets, useMatrix } from './use-matrix.ts';

/** Every CO-RE relocation of the object on every chosen kernel. */
export function MatrixPanel({ active }: { readonly active: Active }) {
  const { id, model, selection } = active;
  const { choices, columns, matrix, settings } = useMatrix(id, model);
  const kernels = useKernelFiles(id);
  if (matrix === null) return null;
  const open = <OpenKernels kernels={kernels} />;
  return (
    <section className="column shrink-y tall surface" aria-labelledby="matrix-title">
      <h2 id="matrix-title" className="visually-hidden">
        CO-RE relocations on all targets
      </h2>
      {choices.length === 0 ? null : (
        <MatrixToolbar
          object={id}
          name={model.name}
          choices={choices}
          columns={columns}
          matrix={matrix}
          settings={settings}
          open={open}
        />
      )}
      <NotTargets kernels={kernels} />
      {columns.length === 0 ? (
        <NoTarget
          hasChoices={choices.length > 0}
          onAll={() => setAllTargets(id, choices, true)}
          open={open}
        />
      ) : (
        <MatrixTable
          object={id}
          columns={columns}
          matrix={matrix}
          settings={settings}
          selection={selection}
        />
      )}
    </section>
  );
}

type NoTargetProps = {
  readonly hasChoices: boolean;
  readonly onAll: () => void;
  readonly open: React.ReactNode;
};

function NoTarget({ hasChoices, onAll, open }: NoTargetProps) {
  const icon = <Table2 size={28} aria-hidden />;
  return hasChoices ? (
    <EmptyState
      icon={icon}
      title="No target selected"
      text="Select some of the open files with types under Targets."
      actions={<Button onClick={onAll}>Use all open files</Button>}
    />
  ) : (
    <EmptyState
      icon={icon}
      title="No kernel open"
      text="Open the BTF of the kernels that the program should run on, or drop the files on the page. Each becomes a column. Files stay in this tab."
      actions={open}
    />
  );
}

/** Files that were opened for the matrix and cannot be in it. */
function NotTargets({ kernels: { problems, forget } }: { readonly kernels: KernelFiles }) {
  if (problems.length === 0) return null;
  return (
    <div className={styles.place}>
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
        <ul className={styles.list}>
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      </Callout>
    </div>
  );
}

/** Opens any number of kernels, each of which becomes a column. */
function OpenKernels({ kernels }: { readonly kernels: KernelFiles }) {
  const input = useRef<HTMLInputElement>(null);
  const { open, progress } = kernels;
  return (
    <>
      <Button disabled={progress !== null} onClick={() => input.current?.click()} icon={FolderOpen}>
        {progress === null ? 'Open kernels…' : `Opening ${progress.done + 1} of ${progress.total}…`}
      </Button>
      <FileInput
        ref={input}
        label="Kernels for the matrix"
        multiple
        onFiles={(files) => void open(files)}
      />
    </>
  );
}
