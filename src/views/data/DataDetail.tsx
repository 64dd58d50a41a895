import type { Active } from '#store/hooks.ts';
import type { Data } from './data-entries.ts';
import { ExternDetail } from './ExternDetail.tsx';
import { type FoundData, isExtern } from './found-data.ts';
import { MapDetail } from './MapDetail.tsx';
import { DataSummary, SectionDetail } from './SectionDetail.tsx';
import { VariableDetail } from './VariableDetail.tsx';

export type DetailProps = {
  readonly active: Active;
  readonly data: Data;
  /** Should the focus come here, since what had it is gone? Only on a narrow screen. */
  readonly isFocused: boolean;
  readonly onBack: () => void;
};

/** Everything about what is selected of the data; of all of it where nothing is. */
export function DataDetail({ found, ...rest }: DetailProps & { readonly found: FoundData | null }) {
  if (found === null) return <DataSummary {...rest} />;
  const { group, entry, bytes } = found;
  if (entry === null) return <SectionDetail {...rest} group={group} bytes={bytes} />;
  const key = `${group.name}:${entry.name}`;
  if (entry.kind === 'map') return <MapDetail key={key} {...rest} map={entry.map} />;
  if (entry.kind === 'variable' && !isExtern(entry)) {
    return (
      <VariableDetail
        key={`${key}@${entry.variable.byteOffset}`}
        {...rest}
        entry={entry}
        variable={entry.variable}
        bytes={bytes}
      />
    );
  }
  return <ExternDetail key={key} {...rest} group={group} entry={entry} />;
}
