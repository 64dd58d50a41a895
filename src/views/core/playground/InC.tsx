import type { AccessPath } from '#analysis/core/access-path.ts';
import { isEnumRoot } from '#analysis/core/playground.ts';
import {
  bitfieldReadOf,
  coreReadOf,
  declarationOf,
  expressionOf,
  kindTexts,
} from '#analysis/core/playground-text.ts';
import type { Endian } from '#bytes/span.ts';
import { drawnName, visible } from '#bytes/text.ts';
import type { TypeTable } from '#model/type-table.ts';
import { Code } from '#ui/Code.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { drawnLines } from '#views/parts/drawn-lines.ts';
import styles from './InC.module.css';
import { KindTable } from './KindTable.tsx';

/** What to write for the way in C, and what asks each kind of relocation for its last access. */
export function InC({
  types,
  paths,
  endian,
}: {
  readonly types: TypeTable;
  readonly paths: readonly AccessPath[];
  readonly endian: Endian;
}) {
  const last = paths.at(-1);
  const first = paths[0];
  if (last === undefined || first === undefined) return null;
  const isEnum = isEnumRoot(types, last.root);
  const group = isEnum ? 'enum' : 'field';
  const asks = last.error === null ? kindTexts(types, last, group) : [];
  return (
    <>
      {last.error !== null || isEnum ? null : (
        <DetailSection title="In C">
          <CText types={types} paths={paths} first={first} last={last} />
        </DetailSection>
      )}
      {asks.length === 0 ? null : (
        <DetailSection
          title={isEnum ? 'What asks for the enumerator' : 'What asks for the field'}
          aside={
            paths.length > 1 ? `with ${drawnName(declarationOf(types, last.root))}` : undefined
          }
        >
          <KindTable types={types} path={last} texts={asks} endian={endian} />
        </DetailSection>
      )}
    </>
  );
}

function CText({
  types,
  paths,
  first,
  last,
}: {
  readonly types: TypeTable;
  readonly paths: readonly AccessPath[];
  readonly first: AccessPath;
  readonly last: AccessPath;
}) {
  const expression = expressionOf(paths);
  if (expression === null) {
    return (
      <p className={styles.note}>
        An anonymous member has no name to write. Go on to one of its members.
      </p>
    );
  }
  const read = coreReadOf(paths);
  const bits = bitfieldReadOf(last);
  const lines = [declarationOf(types, first.root), `${expression};`];
  if (read !== null) lines.push(`${read};`);
  if (bits !== null && paths.length === 1) lines.push(`${bits};`);
  const text = lines.map(visible).join('\n');
  return (
    <Code label="C expression" text={text}>
      {drawnLines(text)}
    </Code>
  );
}
