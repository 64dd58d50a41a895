import { useEffect, useMemo, useState } from 'react';
import { type CodeListing, codeListing } from '#analysis/code/code-listing.ts';
import { sectionSpan } from '#analysis/code/selection.ts';
import type { SectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { bytesOf } from '#store/bytes-cache.ts';
import type { FileId } from '#store/session.ts';

type Code = { readonly of: string; readonly bytes: Uint8Array };

/** The bytes of a code section and its listing; null while they are read. */
export function useListing(
  id: FileId,
  model: ObjectModel,
  section: SectionIndex,
): { readonly bytes: Uint8Array; readonly listing: CodeListing } | null {
  const [code, setCode] = useState<Code | null>(null);
  const wanted = `${id}:${section}`;
  const span = sectionSpan(model, section);
  const start = span?.start ?? 0;
  const end = span?.end ?? 0;
  useEffect(() => {
    let isWanted = true;
    void bytesOf(id, start, end).then((bytes) => {
      if (isWanted) setCode({ of: wanted, bytes });
    });
    return () => {
      isWanted = false;
    };
  }, [id, start, end, wanted]);
  const bytes = code?.of === wanted ? code.bytes : null;
  return useMemo(
    () => (bytes === null ? null : { bytes, listing: codeListing(model, section, bytes) }),
    [model, section, bytes],
  );
}
