import type { AccessPath } from '#analysis/core/access-path.ts';
import { stripped } from '#analysis/types/strip.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import type { TypeTable } from '#model/type-table.ts';
import { EnumeratorList } from './EnumeratorList.tsx';
import { LayoutStrip } from './LayoutStrip.tsx';
import { StructMap } from './StructMap.tsx';
import { stripOf } from './strip-parts.ts';
import { structMap } from './struct-map.ts';

/** What a step of a path goes through, with the picked part lit; nothing where there is nothing to draw. */
export function StepPicture({
  types,
  path,
  at,
}: {
  readonly types: TypeTable;
  readonly path: AccessPath;
  /** Number of the step. */
  readonly at: number;
}) {
  const step = path.steps[at];
  if (step === undefined) return null;
  if (step.means === 'enumerator') return <EnumeratorList types={types} step={step} />;
  if (step.means === 'member' || step.means === 'anonymous-member') {
    const map = structMap(types, stripped(types, step.container), step.index);
    if (map !== null) {
      const base = (path.steps[at - 1]?.bitOffset ?? 0n) / 8n;
      return <StructMap map={map} title={typeExpression(types, step.container)} base={base} />;
    }
  }
  const strip = stripOf(types, step);
  return strip === null ? null : <LayoutStrip strip={strip} />;
}
