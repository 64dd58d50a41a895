/** Fuzz target for relocation tables: entries of any type, place and addend on every machine. */
import { evaluatedRelocations } from '#analysis/relocations/evaluate.ts';
import type { EvaluatedRelocation, LinkAddresses } from '#analysis/relocations/evaluated.ts';
import { evaluatedRow } from '#analysis/relocations/evaluated-row.ts';
import { givenAddresses } from '#analysis/relocations/given-addresses.ts';
import { parseLinkMap } from '#analysis/relocations/link-map.ts';
import { linkedAddresses } from '#analysis/relocations/linked-file.ts';
import { decodeText } from '#bytes/text.ts';
import { gatherBits, readUnits } from '#formats/elf/relocations/relocation-field.ts';
import { MACHINES } from '#formats/elf/relocations/tables.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { elfObject, rel, rela } from '#testing/elf-object.ts';
import { openInput, type ReportStep } from './opened.ts';

/** Bytes of an input for an entry: type (2), offset, symbol, addend (4). */
const ENTRY_BYTES = 8;
const HEADER_BYTES = 4;
const MAX_ENTRIES = 64;

/** Builds an object from the bytes, and evaluates its entries in four ways. */
export async function evaluateAnyRelocations(
  bytes: Uint8Array,
  reportStep: ReportStep,
): Promise<void> {
  reportStep('build');
  const object = buildObject(bytes);
  const opened = await openInput(object);
  if (opened === null) return;
  const { model } = opened;
  const places = new Map([[1, bytes]]);
  const text = decodeText(bytes);
  const number = (at: number) => BigInt(bytes[at] ?? 0) << BigInt(bytes[at + 1] ?? 0);
  const given = givenAddresses(model, {
    sections: new Map([['.text', number(0)]]),
    symbols: new Map([['far', number(2)]]),
    bases: new Map(['GOT', 'TOC', 'GP', 'TPB', 'DTPB'].map((name, i) => [name, number(i)])),
  });
  reportStep('given addresses');
  check(model, places, given);
  reportStep('no addresses');
  check(model, places, givenAddresses(model, { sections: NONE, symbols: NONE, bases: NONE }));
  reportStep('linked file');
  const mapped = parseLinkMap(text);
  const mergeable = new Map([[1, bytes]]);
  check(model, places, linkedAddresses(model, { model, bytes: object, mapped, mergeable }));
}

const NONE: ReadonlyMap<string, bigint> = new Map();

function buildObject(bytes: Uint8Array): Uint8Array {
  const [machine = 0, form = 0] = bytes;
  const table = MACHINES[machine % MACHINES.length];
  const bits = (form & 1) === 0 ? 64 : 32;
  const isRel = (form & 2) !== 0;
  const count = Math.min(MAX_ENTRIES, Math.floor((bytes.length - HEADER_BYTES) / ENTRY_BYTES));
  const entries = Array.from({ length: Math.max(0, count) }, (_, i) => {
    const at = HEADER_BYTES + i * ENTRY_BYTES;
    const byte = (n: number) => bytes[at + n] ?? 0;
    const wide = (form & 8) === 0 ? byte(0) : byte(0) | (byte(1) << 8);
    const type = bits === 32 ? wide & 0xff : wide;
    const symbol = byte(3) % 4;
    const addend = (byte(4) << 24) | (byte(5) << 16) | (byte(6) << 8) | byte(7);
    return isRel ? rel(bits, byte(2), symbol, type) : rela(bits, byte(2), symbol, type, addend);
  });
  return elfObject({
    class: bits,
    endian: (form & 4) === 0 ? 'little' : 'big',
    header: { machine: table?.machines[0] ?? 0 },
    sections: [
      { name: '.text', flags: 6 | (form & 0x30), entsize: form >> 6, data: bytes },
      {
        name: '.rela.text',
        type: isRel ? 9 : 4,
        link: '.symtab',
        info: '.text',
        data: entries.flat(),
      },
    ],
    symbols: [
      { name: '', type: 3, bind: 0, shndx: '.text' },
      { name: 'near', type: 2, shndx: '.text', value: form, other: form },
      { name: 'far', bind: 2 },
    ],
  }).bytes;
}

function check(
  model: ObjectModel,
  places: ReadonlyMap<number, Uint8Array>,
  addresses: LinkAddresses,
): void {
  let count = 0;
  for (const evaluated of evaluatedRelocations(model, places, addresses)) {
    count++;
    JSON.stringify(evaluatedRow(model, evaluated, addresses));
    checkBytes(evaluated);
  }
  const { count: wanted } = model.relocations;
  if (count !== wanted) throw new Error(`${count} results for ${wanted} entries`);
}

/** Throws unless the bytes after have the bits of the value. */
function checkBytes({
  type,
  value,
  field,
  before,
  after,
  endian,
  why,
  group,
}: EvaluatedRelocation) {
  if (value === null && why === '' && type?.kind !== 'mark') throw new Error('no value and no why');
  if (after === null || before === null || field === null || value === null) return;
  if (after.length !== before.length) throw new Error(`${type?.name}: another length`);
  if (field.coding !== '' || group !== null) return;
  const stored = gatherBits(readUnits(after, 0, field, endian), field.pieces);
  for (const { valueLow, valueHigh, adjusted } of field.pieces) {
    const width = valueHigh - valueLow + 1;
    const bits = (of: bigint) => BigInt.asUintN(width, of >> BigInt(valueLow));
    const wanted = bits(adjusted ? value + field.adjust : value);
    if (bits(stored) !== wanted) throw new Error(`${type?.name}: other bits than the value's`);
  }
}
