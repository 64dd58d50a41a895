/** The anatomy of the file that is looked at, over its bytes as they arrive. */
import { useMemo } from 'react';
import type { ReadBytes, StructureField } from '#analysis/structure/field.ts';
import { fieldsAt, fileField } from '#analysis/structure/structure.ts';
import type { Span } from '#bytes/span.ts';
import { bytesNow } from '#store/bytes-cache.ts';
import type { Active } from '#store/hooks.ts';
import { useSession } from '#store/session.ts';
import type { Places } from './use-places.ts';

export type FileAnatomy = {
  readonly root: StructureField;
  /** Bytes of the file that are at hand; asks for the others. */
  readonly read: ReadBytes;
  /** A new number with each piece of the file that has come. */
  readonly version: number;
};

/** Draws again when bytes have come. */
export function useAnatomy({ id, model }: Active): FileAnatomy {
  const version = useSession((state) => state.bytesVersion);
  return useMemo(() => {
    const read: ReadBytes = (start, end) => bytesNow(id, start, end);
    return { root: fileField(model, read), read, version };
  }, [id, model, version]);
}

/** The owners of the byte that the panel tells of; of a selection those that hold all of it. */
export function ownersShown(
  { model }: Active,
  { read }: FileAnatomy,
  places: Places,
): StructureField[] {
  const chain = fieldsAt(model, places.byte, read);
  return places.isHovered ? chain : holding(chain, places.lit);
}

/** The owners of `chain` that hold `span`; all of them where it is not in the first. */
function holding(chain: readonly StructureField[], span: Span | null): StructureField[] {
  const all = span === null ? [] : chain.filter((owner) => holds(owner.span, span));
  return all.length === 0 ? [...chain] : all;
}

function holds(outer: Span, inner: Span): boolean {
  return outer.start <= inner.start && outer.end >= inner.end;
}
