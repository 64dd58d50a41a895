/** What this worker's file can put into a link: some of its types, or all of it. */
import { fileLink, type TypesLink, typesLink } from '#analysis/links/carried-link.ts';
import type { ByteSource } from '#bytes/source.ts';
import { typeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';

export type LinkParams = {
  readonly type: number;
  /** Characters that what the link carries may have, where it can be less. */
  readonly maxLength: number;
};

/** Larger files are not even tried: deflated to a tenth, they would still be no link. */
const MAX_FILE_BYTES = 640_000;

/** A link's key of a type; null where it is too large for one. */
export async function linkToType(
  types: TypeTable,
  { type, maxLength }: LinkParams,
  signal: AbortSignal,
): Promise<TypesLink | null> {
  return await typesLink(types, typeId(type), maxLength, signal);
}

/** A link's key of the whole file as it was dropped; null where it is too large for one. */
export async function linkToFile(source: ByteSource): Promise<string | null> {
  if (source.size > MAX_FILE_BYTES) return null;
  return await fileLink((await source.read(0, source.size)).slice());
}
