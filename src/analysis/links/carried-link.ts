/** What a link carries in its parameter `file=`: types (`btf1:…`) or a whole file (`bytes1:…`). */
import { Malformed } from '#bytes/issue.ts';
import { decodeText } from '#bytes/text.ts';
import { BtfKind, CLASSIC_MAX_VLEN } from '#formats/btf/kinds.ts';
import { BtfWriter } from '#formats/btf/write.ts';
import type { BtfName, BtfRecord } from '#formats/btf/write-records.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { type CarriedTypes, carriedTypes } from './carried-records.ts';
import { type CarriedChoice, chooseCarried } from './carry-choice.ts';
import { broken } from './columns.ts';
import { MAX_CARRIED_LENGTH, packed, unpacked } from './packed.ts';
import { readTypes, writeTypes } from './type-codec.ts';

const TYPES = 'btf1:';
const FILE = 'bytes1:';

/** Maximum bytes of the types of a link after inflation: hundreds of times a usual link. */
const MAX_TYPES_BYTES = 1 << 20;
/** Maximum bytes of a whole file in a link after inflation. */
const MAX_FILE_BYTES = 1 << 23;

export type TypesLink = {
  /** Value of the parameter `file=` of the link. */
  readonly key: string;
  /** Number of types in the link, including types that are only declared. */
  readonly typeCount: number;
  readonly declaredCount: number;
  /** Number of pointed-to types that the link carries with their members. */
  readonly pointeeCount: number;
};

/** Returns a link to `root` with as many whole pointed-to types as fit in `maxLength`, or null. */
export async function typesLink(
  t: TypeTable,
  root: TypeId,
  maxLength: number,
  signal: AbortSignal,
): Promise<TypesLink | null> {
  const linkOf = async (pointees: number) => {
    signal.throwIfAborted();
    return await linkOfChoice(t, chooseCarried(t, root, pointees));
  };
  const smallest = await linkOf(0);
  if (smallest === null) return null;
  // Finds how many pointed-to types fit: doubles the number, then bisects.
  let best = smallest;
  let tooMany = 1;
  for (;;) {
    const link = await linkOf(tooMany);
    if (link === null || link.key.length > maxLength) break;
    best = link;
    // Fewer types than asked for: all pointed-to types are whole.
    if (link.pointeeCount < tooMany) return best;
    tooMany *= 2;
  }
  for (let fits = best.pointeeCount; tooMany - fits > 1; ) {
    const middle = (fits + tooMany) >> 1;
    const link = await linkOf(middle);
    if (link !== null && link.key.length <= maxLength) {
      best = link;
      fits = middle;
    } else {
      tooMany = middle;
    }
  }
  return best;
}

async function linkOfChoice(t: TypeTable, choice: CarriedChoice): Promise<TypesLink | null> {
  if (choice.isCut) return null;
  const types = carriedTypes(t, choice);
  if (types.records.length === 0) return null;
  const key = TYPES + (await packed(writeTypes(types)));
  if (key.length > MAX_CARRIED_LENGTH) return null;
  return {
    key,
    typeCount: types.records.length,
    declaredCount: declaredCount(types),
    pointeeCount: choice.pointees,
  };
}

/** Returns the value of `file=` for a whole file; null if the file is too large for a link. */
export async function fileLink(bytes: Uint8Array<ArrayBuffer>): Promise<string | null> {
  if (bytes.length > MAX_FILE_BYTES) return null;
  const key = FILE + (await packed(bytes));
  return key.length <= MAX_CARRIED_LENGTH ? key : null;
}

export type Carried =
  | {
      readonly kind: 'types';
      /** Name of the type that the link shows, as raw text. */
      readonly name: string;
      /** BTF blob of the link; its first type is the type that the link shows. */
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly typeCount: number;
      readonly declaredCount: number;
    }
  | { readonly kind: 'file'; readonly bytes: Uint8Array<ArrayBuffer> };

/** Returns what the value of `file=` carries. Throws `Malformed` with a sentence for the user. */
export async function openCarried(key: string): Promise<Carried> {
  if (key.startsWith(TYPES)) {
    const types = readTypes(await unpacked(key.slice(TYPES.length), MAX_TYPES_BYTES));
    return {
      kind: 'types',
      name: nameOfFirst(types),
      bytes: carriedBlob(types),
      typeCount: types.records.length,
      declaredCount: declaredCount(types),
    };
  }
  if (key.startsWith(FILE)) {
    return { kind: 'file', bytes: await unpacked(key.slice(FILE.length), MAX_FILE_BYTES) };
  }
  throw new Malformed({
    code: 'link.version',
    region: 'link',
    message: 'This link needs a newer version of btfscope',
    span: null,
  });
}

function nameOfFirst({ records: [first], names }: CarriedTypes): string {
  const index = first?.name;
  const name = typeof index === 'number' ? names[index] : undefined;
  return name === undefined ? '' : decodeText(name);
}

function declaredCount({ records }: CarriedTypes): number {
  return records.filter(
    (record) =>
      record.kind === BtfKind.FWD || ('enumerators' in record && record.enumerators.length === 0),
  ).length;
}

/** Returns the BTF blob of `types`. Throws `Malformed` if a field does not fit into BTF. */
export function carriedBlob({ endian, records, names }: CarriedTypes): Uint8Array<ArrayBuffer> {
  const maxVlen = records.reduce((max, record) => Math.max(max, vlenOf(record)), 0);
  const encoding = maxVlen > CLASSIC_MAX_VLEN ? 'wide' : 'classic';
  const writer = new BtfWriter({ endian, encoding });
  try {
    const offsets = names.map((name) => writer.addString(name));
    for (const record of records) writer.addType(withNames(record, offsets));
    return writer.finish();
  } catch (error) {
    if (error instanceof RangeError) throw broken();
    throw error;
  }
}

/** Returns the `vlen` of a record, which is the linkage for a FUNC. */
function vlenOf(record: BtfRecord): number {
  if (record.kind === BtfKind.FUNC) return record.linkage;
  if ('members' in record) return record.members.length;
  if ('enumerators' in record) return record.enumerators.length;
  if ('params' in record) return record.params.length;
  if ('secinfos' in record) return record.secinfos.length;
  if ('values' in record) return record.values.length;
  if ('locations' in record) return record.locations.length;
  if ('sites' in record) return record.sites.length;
  return 0;
}

type Named = { readonly name?: BtfName };

/** Returns the record with name indices replaced by string offsets. */
function withNames(record: BtfRecord, offsets: readonly number[]): BtfRecord {
  const offset = ({ name }: Named) => (typeof name === 'number' ? (offsets[name] ?? 0) : 0);
  const named = <T extends Named>(item: T) => ({ ...item, name: offset(item) });
  const head = named(record);
  if ('members' in head) return { ...head, members: head.members.map(named) };
  if ('enumerators' in head) return { ...head, enumerators: head.enumerators.map(named) };
  if ('params' in head) return { ...head, params: head.params.map(named) };
  return head;
}
