import type { DetailProps } from './DataArticle.tsx';
import { ExternDetail } from './ExternDetail.tsx';
import { type FoundData, isExtern } from './found-data.ts';
import { MapDetail } from './MapDetail.tsx';
import { DataSummary, SectionDetail } from './SectionDetail.tsx';
import { VariableDetail } from './VariableDetail.tsx';

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
        bytes={bytes}
      />
    );
  }
  return <ExternDetail key={key} {...rest} group={group} entry={entry} />;
}
