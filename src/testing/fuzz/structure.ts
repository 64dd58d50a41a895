/**
 * Finds the places of a file's numbers, records and names. The search has a limit, since a hostile
 * file can have any number of fields.
 */

import type { StructureField } from '#analysis/fields/field.ts';
import { childrenOf, fileField } from '#analysis/structure/structure.ts';
import type { Span } from '#bytes/span.ts';
import type { ObjectModel } from '#model/object-model.ts';

export type Structure = {
  readonly little: boolean;
  /** Places of numbers, up to eight bytes long. */
  readonly numbers: readonly Span[];
  /** Places of groups of numbers: headers, table entries, type records, members. */
  readonly records: readonly Span[];
  /** Places of texts. */
  readonly strings: readonly Span[];
};

const MAX_OWNERS = 6000;
const MAX_PARTS = 400;

/** Returns the structure of `bytes`. `model` must be the model of these bytes. */
export function structureOf(model: ObjectModel, bytes: Uint8Array): Structure {
  const numbers: Span[] = [];
  const records: Span[] = [];
  const strings: Span[] = [];
  const read = (start: number, end: number) => bytes.subarray(start, end);
  const open: StructureField[] = [fileField(model, read)];
  for (let n = 0; n < MAX_OWNERS; n++) {
    const owner = open.pop();
    if (owner === undefined) break;
    const parts = childrenOf(owner);
    const length = owner.span.end - owner.span.start;
    if (owner.value !== null && length <= 8) numbers.push(owner.span);
    else if (owner.kind === 'string') strings.push(owner.span);
    if (owner.value !== null || parts.count === 0) continue;
    if (length <= 256) records.push(owner.span);
    const step = Math.max(1, Math.floor(parts.count / MAX_PARTS));
    for (let i = 0; i < parts.count; i += step) {
      const part = parts.at(i);
      if (part !== null) open.push(part);
    }
  }
  return { little: model.endian === 'little', numbers, records, strings };
}
