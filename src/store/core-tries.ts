/** Questions about one object and one target that no list of records has an answer for. */
import type { CoreObject, CoreObjectRecord } from '#analysis/core/core-object.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';
import type { Issue } from '#bytes/issue.ts';
import type { Progress } from '#bytes/progress.ts';
import type { Endian } from '#bytes/span.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { Methods } from '#worker/protocol.ts';
import { coreObject } from './core-results.ts';
import { clientOf } from './files.ts';
import type { FileId } from './session.ts';

/** An access that no instruction makes, asked in several kinds. */
export type TriedAccess = {
  readonly types: TypeTable;
  /** Byte order of the program, which decides how bit-fields are shifted. */
  readonly endian: Endian;
  readonly root: TypeId;
  /** `enum bpf_core_relo_kind`, with the string that each kind has. */
  readonly asked: readonly { readonly kind: number; readonly accessStr: string }[];
};

/** What each of the kinds comes to on `target`, in order; null where that was cancelled or failed. */
export async function tryAccess(
  target: FileId,
  tried: TriedAccess,
  signal: AbortSignal,
): Promise<readonly CoreResult[] | null> {
  const outcome = await clientOf(target)?.call(
    'resolveCore',
    { object: objectOf(tried), fresh: true },
    { signal },
  );
  return outcome?.ok ? outcome.value : null;
}

/** Records without instructions: what they come to is decided, and nothing is patched. */
function objectOf({ types, endian, root, asked }: TriedAccess): CoreObject {
  const records = asked.map(
    ({ kind, accessStr }, index): CoreObjectRecord => ({
      index,
      kind,
      root,
      accessStr,
      sectionName: '',
      relocIndexInSection: index,
      insnOff: 0,
      func: null,
      insnLength: 0,
    }),
  );
  return { types, endian, records, insns: new Uint8Array(16 * records.length) };
}

export type MinBtfAnswer = NonNullable<Methods['minBtf']['result']>;

export type MinBtfOutcome =
  | { readonly ok: true; readonly value: MinBtfAnswer }
  | { readonly ok: false; readonly issue: Issue };

/** The minimal BTF of `target` for the relocations of `object`; null where one of them has nothing to give. */
export async function minBtfOf(
  object: FileId,
  target: FileId,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<MinBtfOutcome | null> {
  const local = await coreObject(object);
  if (local === null) return null;
  const outcome = await clientOf(target)?.call(
    'minBtf',
    { object: local, fresh: false },
    { signal, onProgress },
  );
  if (outcome === undefined) return null;
  if (!outcome.ok) return outcome;
  return outcome.value === null ? null : { ok: true, value: outcome.value };
}
