/** The label of the field or type of a CO-RE record, which is equal for all kinds; a matrix groups by it. */

import { coreKind } from '#analysis/core/core-kinds.ts';
import type { CoreObjectRecord } from '#analysis/core/core-records.ts';
import { type AccessPath, walkAccess } from '#analysis/core/parse-spec.ts';
import { namedType } from '#analysis/core/spec.ts';
import { getOrCreate, memoized } from '#bytes/cache.ts';
import type { TypeTable } from '#model/type-table.ts';

/** Many records share an access: of the same types they have the same label. */
const labels = memoized((_: TypeTable) => new Map<string, string>());

/**
 * `struct foo.a.b[2]`, `enum e::VALUE`, `struct foo`; with the access string where it
 * leads nowhere. `t` are the types of the record's object. Raw names.
 */
export function fieldLabel(t: TypeTable, record: CoreObjectRecord): string {
  const { root, accessStr, kind } = record;
  const access = `${root} ${coreKind(kind)?.group ?? kind} ${accessStr}`;
  return getOrCreate(labels(t), access, () => labelOf(t, record));
}

function labelOf(t: TypeTable, { root, accessStr, kind }: CoreObjectRecord): string {
  const path = walkAccess(t, root, accessStr, kind);
  const head = namedType(t, root);
  return path.error === null ? `${head}${stepsText(path)}` : `${head} (${accessStr})`;
}

function stepsText({ steps }: AccessPath): string {
  let text = '';
  for (const [i, { means, index, name }] of steps.entries()) {
    if (means === 'member') text += `.${name}`;
    else if (means === 'enumerator') text += `::${name}`;
    else if (means === 'array-element' || (means === 'element-of-pointer' && index > 0)) {
      text += `[${index}]`;
    }
    // An anonymous member has a text only at the end.
    else if (means === 'anonymous-member' && i === steps.length - 1) text += '.<anon>';
  }
  return text;
}
