import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { Badge } from '#ui/Badge.tsx';
import { useBaseName } from './use-base-name.ts';

/** Says that a type is not of this file but of the base that its split BTF stands on; the name of that on hover. */
export function BaseMark({ types, type }: { readonly types: TypeTable; readonly type: TypeId }) {
  const name = useBaseName(types, type);
  return name === null ? null : <Badge text="base" tone="muted" label={`from ${name}`} />;
}
