/** The types of a link as a BTF blob, which is then opened like any other. */
import { BtfWriter } from '#formats/btf/write.ts';
import type { BtfName, BtfRecord } from '#formats/btf/write-records.ts';
import type { CarriedTypes } from './carried-records.ts';
import { broken } from './columns.ts';

const CLASSIC_MAX_VLEN = 0xffff;

/** The blob. Throws `Malformed` where a field does not fit BTF. */
export function carriedBlob({ endian, records, names }: CarriedTypes): Uint8Array<ArrayBuffer> {
  const most = records.reduce((max, record) => Math.max(max, itemCount(record)), 0);
  const encoding = most > CLASSIC_MAX_VLEN ? 'wide' : 'classic';
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

function itemCount(record: BtfRecord): number {
  if ('members' in record) return record.members.length;
  if ('enumerators' in record) return record.enumerators.length;
  if ('params' in record) return record.params.length;
  if ('secinfos' in record) return record.secinfos.length;
  return 0;
}

type Named = { readonly name?: BtfName };

/** The record with offsets of strings in place of indexes of names. */
function withNames(record: BtfRecord, offsets: readonly number[]): BtfRecord {
  const offset = ({ name }: Named) => (typeof name === 'number' ? (offsets[name] ?? 0) : 0);
  const named = <T extends Named>(item: T) => ({ ...item, name: offset(item) });
  const head = named(record);
  if ('members' in head) return { ...head, members: head.members.map(named) };
  if ('enumerators' in head) return { ...head, enumerators: head.enumerators.map(named) };
  if ('params' in head) return { ...head, params: head.params.map(named) };
  return head;
}
