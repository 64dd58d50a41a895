import type { ComponentType, ReactNode } from 'react';
import type { LogOverview } from '#analysis/verifier/log-overview.ts';
import { drawnName } from '#bytes/text.ts';
import {
  type BoundKernel,
  type BoundProgram,
  logPlace,
  useBoundKernel,
  useBoundProgram,
} from '#store/kernels/log-binding.ts';
import { logPlaceState } from '#store/kernels/log-place.ts';
import { usePaneFile } from '#store/session/panes.ts';
import { logOf, type OpenFile } from '#store/session/session.ts';
import { BindingBar } from './BindingBar.tsx';
import { PartMenu } from './PartMenu.tsx';

/** The log of a view: its current line and part, and what the part is of. */
export type ShownLog = {
  readonly file: OpenFile;
  readonly log: LogOverview;
  readonly line: number;
  readonly part: number;
  readonly bound: BoundProgram | null;
  readonly kernel: BoundKernel | null;
  /** Bars with program, kernel and part. */
  readonly head: ReactNode;
  /** Makes a line, counted from 0, the current one. */
  readonly choose: (line: number) => void;
};

type LogFrameProps = { readonly panes: ComponentType<ShownLog> };

/** Shows panes of the log in the current pane of the page. */
export function LogFrame({ panes }: LogFrameProps) {
  const file = usePaneFile();
  const log = logOf(file);
  return file === null || log === null ? null : <Frame file={file} log={log} panes={panes} />;
}

function Frame({ file, log, panes: Panes }: LogFrameProps & Pick<ShownLog, 'file' | 'log'>) {
  const { line, part } = logPlace(file, log);
  const bound = useBoundProgram(file.id, part);
  const kernel = useBoundKernel(file.id);
  const choose = (next: number) => logPlaceState.set({ line: next }, file.id);
  const head = (
    <>
      <BindingBar file={file} part={part} program={bound} kernel={kernel} />
      <PartMenu log={log} part={part} onChoose={choose} />
    </>
  );
  return (
    <>
      <h1 className="visually-hidden">{drawnName(file.name)}</h1>
      <Panes {...{ file, log, line, part, bound, kernel, head, choose }} />
    </>
  );
}
