import type { AccessPath } from '#analysis/core/access-path.ts';
import { kindTexts } from '#analysis/core/playground-text.ts';
import type { Endian } from '#bytes/span.ts';
import type { TypeTable } from '#model/type-table.ts';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { KindTable } from './KindTable.tsx';

/** What asks for the type that the access begins in; nothing where C cannot name it. */
export function OfType({
  types,
  path,
  endian,
}: {
  readonly types: TypeTable;
  readonly path: AccessPath;
  readonly endian: Endian;
}) {
  const texts = kindTexts(types, path, 'type');
  if (texts.length === 0) return null;
  return (
    <DetailSection title="What asks for the type itself">
      <KindTable types={types} path={path} texts={texts} endian={endian} />
    </DetailSection>
  );
}
