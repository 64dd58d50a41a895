/** What every pane is given. */
import type { Changes } from '#analysis/workbench/changes.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { Pointed } from './subject.ts';

export type PaneProps = {
  readonly model: ObjectModel;
  readonly types: TypeTable;
  /** What to mark; null once the marks have faded. */
  readonly changes: Changes | null;
  readonly pointed: Pointed | null;
  readonly onPoint: (pointed: Pointed | null) => void;
};
