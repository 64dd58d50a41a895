/** An example to decode with one click: the document's where the file has its type, else one of the file's own. */
import { sizeOf } from '#analysis/types/sizes.ts';
import { findTypeKey } from '#analysis/types/type-key.ts';
import type { Endian } from '#bytes/span.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { DataGroup } from './data-entries.ts';
import type { DecodeSource } from './decode-input.ts';
import type { DecodeTypes } from './decode-state.ts';

export type DecodeExample = {
  /** What the button says. */
  readonly title: string;
  /** Where it comes from, in a sentence. Raw names in it. */
  readonly about: string;
  readonly source: DecodeSource;
  readonly text: string;
  readonly types: DecodeTypes;
};

/** Null where the file has neither the document's type nor a map with types. */
export function decodeExample(
  model: ObjectModel,
  groups: readonly DataGroup[],
): DecodeExample | null {
  return ofDocument(model) ?? ofMap(model, groups);
}

/** Source: "BTF Type Format", section 5.1 (bpftool map pretty print): the value that its dump shows. */
const OF_DOCUMENT: Readonly<Record<Endian, string>> = {
  little: '42 60 00 00  07 00 00 00  a8 00 00 00',
  big: '24 06 00 00  00 00 00 07  8a 00 00 00',
};

function ofDocument({ types, endian }: ObjectModel): DecodeExample | null {
  const tmp =
    types === null ? null : findTypeKey(types, { kind: 'struct', name: 'tmp_t', ordinal: 0 });
  if (types === null || tmp === null || sizeOf(types, tmp) !== 12n) return null;
  return {
    title: 'Example of the BTF document',
    about: 'The value of tmpmap in “bpftool map pretty print”: a1 is 2, a2 is 4, a3 is 6.',
    source: 'hex',
    text: OF_DOCUMENT[endian],
    types: { value: tmp, key: null },
  };
}

const MOST_BYTES = 4096;

function ofMap({ types }: ObjectModel, groups: readonly DataGroup[]): DecodeExample | null {
  for (const entry of groups.flatMap(({ entries }) => entries)) {
    if (types === null || entry.kind !== 'map') continue;
    const { key, value, name, mapTypeName } = entry.map;
    const [keySize, valueSize] = [key.byteSize ?? 0, value.byteSize ?? 0];
    if (key.type === null || value.type === null) continue;
    if (keySize === 0 || valueSize === 0 || keySize + valueSize > MOST_BYTES) continue;
    const isPerCpu = mapTypeName?.includes('PERCPU') === true;
    return {
      title: `Example: a dump of ${name}`,
      about: `Made up: two entries as bpftool map dump -j writes them of ${name}.`,
      source: 'dump',
      text: dumpText(keySize, valueSize, isPerCpu),
      types: { value: value.type, key: key.type },
    };
  }
  return null;
}

/** Bytes that count up, so that each is found again in what is read. */
function dumpText(keySize: number, valueSize: number, isPerCpu: boolean): string {
  const bytes = (count: number, first: number) =>
    Array.from(
      { length: count },
      (_, i) => `0x${((first + i) & 0xff).toString(16).padStart(2, '0')}`,
    );
  const entries = [0, 1].map((number) => {
    const key = [...bytes(1, number), ...Array<string>(keySize - 1).fill('0x00')];
    const value = bytes(valueSize, 0x10 * (number + 1));
    if (!isPerCpu) return { key, value };
    return {
      key,
      values: [0, 1].map((cpu) => ({ cpu, value: bytes(valueSize, 0x40 * (cpu + number)) })),
    };
  });
  return `[${entries.map((entry) => JSON.stringify(entry)).join(',\n')}]`;
}
