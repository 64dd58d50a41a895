/** Compares the layout of declarations, read back and reckoned by their own rules, with BTF. For tests only. */
import { type LayoutRow, structLayout } from '#analysis/types/struct-layout.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { goDeclaration } from './go.ts';
import { type CheckedType, checkedTypes } from './layout-checker-for-tests.ts';
import { rustDeclaration } from './rust.ts';
import { zigDeclaration } from './zig.ts';

const LANGUAGES = [
  ['zig', zigDeclaration],
  ['rust', rustDeclaration],
  ['go', goDeclaration],
] as const;

/**
 * What is wrong with the declarations of a STRUCT or UNION, a line each. `strict`
 * also asks for every member, where BTF has a place for each; else those that are
 * there must be where BTF has them.
 */
export function layoutComplaints(t: TypeTable, id: TypeId, strict: boolean): string[] {
  const { rows, sizeBytes, isUnion } = structLayout(t, id);
  const members = rows.filter((row) => row.kind === 'member');
  // Bit-fields of a struct of more than two megabytes: their 24 bits of offset ran over.
  const sound = members.every(({ overlaps, pastEnd }) => !overlaps && !pastEnd);
  return LANGUAGES.flatMap(([language, declaration]) => {
    const text = declaration(t, id);
    const type = checkedTypes(text, language).at(-1);
    const complaint = (what: string) => `[${id}] ${language}: ${what}\n${text.slice(-2000)}`;
    if (type === undefined) return [complaint('nothing is declared')];
    if (type.size !== sizeBytes) return [complaint(`${type.size} bytes, not ${sizeBytes}`)];
    if (language === 'go' && isUnion) return [];
    const found = placesOf(type);
    const wanted = members
      .filter((row) => !row.isBitfield && (language !== 'go' || row.bitSize > 0))
      .map((row) => `${row.bitOffset / 8}+${row.bitSize / 8}`);
    const bits = bitPlaces(text, type);
    const wantedBits = members.filter((row) => row.isBitfield).map(bitPlace);
    const complaints: string[] = [];
    if (!agree(found, wanted, strict && sound))
      complaints.push(complaint(`members at ${found}, not ${wanted}`));
    if (!agree(bits, wantedBits, strict && sound))
      complaints.push(complaint(`bits at ${bits}, not ${wantedBits}`));
    return complaints;
  });
}

function agree(found: readonly string[], wanted: readonly string[], strict: boolean): boolean {
  if (strict && found.length !== wanted.length) return false;
  const all = new Set(wanted);
  return found.every((place, i) => (strict ? place === wanted[i] : all.has(place)));
}

/** Offset and size of each field that stores a member. */
function placesOf({ fields }: CheckedType): string[] {
  return fields
    .filter(({ note }) => !/^\d+(?:: bit-fields)?$/.test(note))
    .map(({ byteOffset, byteSize }) => `${byteOffset}+${byteSize}`);
}

const bitPlace = ({ bitOffset, bitSize }: LayoutRow) => `${bitOffset}:${bitSize}`;

/** Offset and width, in bits of the struct, of each bit-field in the comments of the last declaration. */
function bitPlaces(text: string, type: CheckedType): string[] {
  const places: string[] = [];
  const lines = text.trimEnd().split('\n');
  const start = lines.findLastIndex((line) => /^(?:pub|type) .*\{$/.test(line));
  let unit = 0;
  for (const line of lines.slice(start)) {
    const name = /^\s+(?:pub )?(X?_bits\d+):? /.exec(line)?.[1];
    if (name !== undefined)
      unit = type.fields.find((field) => field.name === name)?.byteOffset ?? -1;
    const bits = /^\s+\/\/ {2,}.*, bits? (\d+)(?: to (\d+))?$/.exec(line);
    if (bits === null) continue;
    const first = Number(bits[1]);
    places.push(`${8 * unit + first}:${Number(bits[2] ?? first) - first + 1}`);
  }
  return places;
}
