/**
 * Builds BTF from a file's records, some of them mutated, under a valid header. Otherwise readers
 * would reject most mutated BTF for its header.
 */
import { concatBytes } from '#bytes/arrays.ts';
import { BTF_HEADER_SIZE } from '#formats/btf/header.ts';
import { sectionIndex, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { recordBytes, type TypeTable } from '#model/type-table.ts';
import { oddNumber, readWord, writeWord } from './byte-mutations.ts';
import type { Random } from './random.ts';

/** Limit of records in a blob; more records only take time. */
const MAX_RECORDS = 400;
const BTF_MAGIC = 0xeb9f;

/**
 * Returns a blob with the records of `t`, up to `changes` of them mutated. The strings are the
 * same.
 */
export function rebuiltBlob(t: TypeTable, random: Random, changes: number): Uint8Array {
  const little = t.endian === 'little';
  const count = Math.min(t.count, MAX_RECORDS);
  const records = Array.from({ length: count }, (_, i) =>
    recordBytes(t, typeId(t.firstId + i)).slice(),
  );
  for (let i = 0; i < changes && records.length > 0; i++) changeRecords(records, little, random);
  const types = concatBytes(records);
  const strings = t.blob.subarray(t.strStart, t.strEnd);
  const header = new Uint8Array(BTF_HEADER_SIZE);
  writeWord(header, 0, 2, little, BTF_MAGIC);
  header[2] = 1;
  writeWord(header, 4, 4, little, BTF_HEADER_SIZE);
  writeWord(header, 12, 4, little, types.length);
  writeWord(header, 16, 4, little, types.length);
  writeWord(header, 20, 4, little, strings.length);
  return concatBytes([header, types, strings]);
}

function changeRecords(records: Uint8Array[], little: boolean, random: Random): void {
  const at = random.below(records.length);
  const record = records[at] ?? new Uint8Array(0);
  switch (random.below(8)) {
    case 0:
      records.splice(at, 1);
      break;
    case 1:
      records.splice(random.below(records.length), 0, record.slice());
      break;
    case 2:
      records[at] = random.pick(records).slice();
      break;
    case 3:
      records[at] = withItems(record, little, random);
      break;
    case 4:
      // Changes the kind and kind_flag of the record.
      record[little ? 7 : 4] = random.below(20) | (random.oneIn(3) ? 0x80 : 0);
      break;
    default: {
      const word = random.below(record.length / 4);
      const isReference = random.below(3) > 0;
      const value = isReference ? random.below(records.length + 2) : oddNumber(record, random);
      // Keeps the word with kind and vlen: with another one readers mostly reject the blob.
      if (word !== 1) writeWord(record, 4 * word, 4, little, value);
    }
  }
}

/** Adds or removes an item of a record (such as a member), and updates vlen. */
function withItems(record: Uint8Array, little: boolean, random: Random): Uint8Array {
  const info = readWord(record, 4, 4, little);
  const vlen = info & 0xffff;
  const itemBytes = vlen === 0 ? 0 : (record.length - 12) / vlen;
  if (itemBytes < 4 || !Number.isInteger(itemBytes)) return record;
  const at = 12 + itemBytes * random.below(vlen);
  const item = record.slice(at, at + itemBytes);
  const added = random.oneIn(3) ? 0 : 1 + random.below(random.pick([1, 3, 40]));
  const items = Array.from({ length: added }, () => item);
  const rest = record.subarray(random.oneIn(2) && added > 0 ? at : at + itemBytes);
  const changed = concatBytes([record.subarray(0, at), ...items, rest]);
  const left = (changed.length - 12) / itemBytes;
  writeWord(changed, 4, 4, little, ((info & 0xffff0000) >>> 0) + (left & 0xffff));
  return changed;
}

/**
 * Returns the file with `blob` appended, and the section header of `.BTF` changed to point to it.
 */
export function withBlob(model: ObjectModel, bytes: Uint8Array, blob: Uint8Array): Uint8Array {
  if (model.format === 'btf') return blob;
  const { sections } = model;
  for (let i = 1; i < sections.count; i++) {
    const at = sections.headerOffset[i] ?? -1;
    if (at < 0 || sectionName(sections, sectionIndex(i)) !== '.BTF') continue;
    const padding = new Uint8Array((4 - (bytes.length % 4)) % 4);
    const file = concatBytes([bytes, padding, blob]);
    const little = model.endian === 'little';
    const width = model.addressBits / 8;
    const offsetAt = model.addressBits === 64 ? at + 24 : at + 16;
    writeWord(file, offsetAt, width, little, bytes.length + padding.length);
    writeWord(file, offsetAt + width, width, little, blob.length);
    return file;
  }
  return bytes;
}
