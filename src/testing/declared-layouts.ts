/**
 * Checks declarations in Zig, Rust and Go: parses them, computes their layout by the language's
 * rules, and compares the layout with BTF.
 */
import { type LayoutRow, structLayout } from '#analysis/types/struct-layout.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { goDeclaration, rustDeclaration, zigDeclaration } from '#print/declarations/languages.ts';

/** Languages that the parser knows, for 64-bit targets. It shares no code with the writers. */

type Language = 'zig' | 'rust' | 'go';

/** Size and alignment of a type, in bytes. */
type Measure = { readonly size: number; readonly align: number };

type CheckedType = Measure & {
  readonly name: string;
  /** Fields of the declaration in order, including padding. */
  readonly fields: readonly {
    readonly name: string;
    readonly byteOffset: number;
    readonly byteSize: number;
    /** Text of the comment that follows the field. */
    readonly note: string;
  }[];
};

type Rules = {
  /**
   * Matches the start of a struct, union or enum. Groups: `name`, `form`, maybe `packed`, `number`.
   */
  readonly opening: RegExp;
  /** Matches a field. Groups: `name`, `type`, `note`, maybe `align`. */
  readonly field: RegExp;
  /** Matches an array type. Groups: `count`, `type`. */
  readonly array: RegExp;
  readonly pointer: RegExp;
  /** True if a struct that ends with an empty field is one byte longer, before rounding. */
  readonly growsAtEnd: boolean;
};

const RULES: Readonly<Record<Language, Rules>> = {
  zig: {
    opening:
      /^pub const (?<name>@"(?:[^"\\]|\\.)*"|\w+) = (?:extern (?<form>struct|union)|enum\((?<number>\w+)\)|opaque) \{/,
    field:
      /^ {4}(?<name>@"(?:[^"\\]|\\.)*"|\w+): (?<type>.*?)(?: align\((?<align>\d+)\))?, \/\/ (?<note>.*)$/,
    array: /^\[(?<count>\d+)\](?<type>.*)$/,
    pointer: /^\?\*/,
    growsAtEnd: false,
  },
  rust: {
    opening: /^pub (?<form>struct|union) (?<name>(?:r#)?\w+)(?: \{|\(pub (?<number>\w+)\);)/,
    field: /^ {4}(?:pub )?(?<name>(?:r#)?\w+): (?<type>.*?),(?: \/\/ (?<note>.*)|$)/,
    array: /^\[(?<type>.*); (?<count>\d+)\]$/,
    pointer: /^\*(?:const|mut) /,
    growsAtEnd: false,
  },
  go: {
    opening: /^type (?<name>\w+) (?:(?<form>struct) ?\{|(?<number>u?int\d+)$)/,
    field: /^\t(?<name>\w+) (?<type>\S+) \/\/ (?<note>.*)$/,
    array: /^\[(?<count>\d+)\](?<type>.*)$/,
    pointer: /^\*/,
    growsAtEnd: true,
  },
};

const NUMBER = /^(?:[iuf]|u?int|float)(8|16|32|64)$/;

const roundUp = (n: number, unit: number) => Math.ceil(n / unit) * unit;

/**
 * Returns the structs, unions and enums of `text`, in order. Throws for a member whose type is
 * declared later.
 */
function checkedTypes(text: string, language: Language): CheckedType[] {
  const rules = RULES[language];
  const known = new Map<string, Measure>();
  const types: CheckedType[] = [];
  let packed = Number.POSITIVE_INFINITY;
  let open: { name: string; isUnion: boolean; fields: OpenField[] } | null = null;
  const close = (type: CheckedType) => {
    if (known.has(type.name)) throw new Error(`${type.name} is declared twice`);
    known.set(type.name, type);
    types.push(type);
    open = null;
    packed = Number.POSITIVE_INFINITY;
  };
  for (const line of text.split('\n')) {
    const attribute = /^#\[repr\(C, packed\((\d+)\)\)\]$/.exec(line);
    if (attribute !== null) packed = Number(attribute[1]);
    const opening = rules.opening.exec(line)?.groups;
    const field = open === null ? undefined : rules.field.exec(line)?.groups;
    if (opening !== undefined) {
      const { name = '', form, number } = opening;
      open = { name, isUnion: form === 'union', fields: [] };
      if (number !== undefined) close({ name, fields: [], ...measureOf(number, rules, known) });
      else if (line.endsWith('{};') || line.endsWith('{}'))
        close({ name, fields: [], size: 0, align: 1 });
    } else if (open !== null && field !== undefined) {
      const measure = measureOf(field.type ?? '', rules, known);
      const align = Math.min(packed, Number(field.align ?? measure.align));
      open.fields.push({
        name: field.name ?? '',
        note: field.note ?? '',
        size: measure.size,
        align,
      });
    } else if (open !== null && /^\}/.test(line)) {
      close(laidOut(open.name, open.isUnion, open.fields, rules.growsAtEnd));
    }
  }
  return types;
}

type OpenField = Measure & { readonly name: string; readonly note: string };

function laidOut(
  name: string,
  isUnion: boolean,
  fields: readonly OpenField[],
  growsAtEnd: boolean,
): CheckedType {
  let end = 0;
  let align = 1;
  const placed = fields.map((field) => {
    const byteOffset = isUnion ? 0 : roundUp(end, field.align);
    end = Math.max(end, byteOffset + field.size);
    align = Math.max(align, field.align);
    return { name: field.name, note: field.note, byteOffset, byteSize: field.size };
  });
  if (growsAtEnd && end > 0 && fields.at(-1)?.size === 0) end++;
  return { name, size: roundUp(end, align), align, fields: placed };
}

/** A loop instead of a recursion: each round resolves the outermost array. */
function measureOf(type: string, rules: Rules, known: ReadonlyMap<string, Measure>): Measure {
  let count = 1;
  let rest = type;
  for (let array = rules.array.exec(rest); array !== null; array = rules.array.exec(rest)) {
    count *= Number(array.groups?.count);
    rest = array.groups?.type ?? '';
  }
  const { size, align } = elementOf(rest, rules, known);
  return { size: size * count, align };
}

function elementOf(type: string, rules: Rules, known: ReadonlyMap<string, Measure>): Measure {
  if (rules.pointer.test(type)) return { size: 8, align: 8 };
  const number = NUMBER.exec(type);
  if (number !== null) return { size: Number(number[1]) / 8, align: Number(number[1]) / 8 };
  if (type === 'bool' || type === 'byte') return { size: 1, align: 1 };
  const named = known.get(type);
  if (named === undefined) throw new Error(`${type} is not declared before it is held`);
  return named;
}

const LANGUAGES = [
  ['zig', zigDeclaration],
  ['rust', rustDeclaration],
  ['go', goDeclaration],
] as const;

/**
 * Returns one line per wrong offset, size or missing member in the declarations of a STRUCT or
 * UNION. With `strict` every member must be declared; otherwise members may be missing.
 */
export function layoutComplaints(t: TypeTable, id: TypeId, strict: boolean): string[] {
  const { rows, sizeBytes, isUnion } = structLayout(t, id);
  const members = rows.filter((row) => row.kind === 'member');
  // Leaves out bit-fields of structs over two megabytes: their 24-bit offset overflows.
  const sound = members.every(({ overlaps, pastEnd }) => !overlaps && !pastEnd);
  return LANGUAGES.flatMap(([language, declaration]) => {
    const text = declaration(t, id);
    const type = checkedTypes(text, language).at(-1);
    const complaint = (what: string) => `[${id}] ${language}: ${what}\n${text.slice(-2000)}`;
    if (type === undefined) return [complaint('nothing is declared')];
    if (type.size !== sizeBytes) return [complaint(`${type.size} bytes, not ${sizeBytes}`)];
    if (language === 'go' && isUnion) return [];
    const fieldPlaces = placesOf(type);
    const memberPlaces = members
      .filter((row) => !row.isBitfield && (language !== 'go' || row.bitSize > 0))
      .map((row) => `${row.bitOffset / 8}+${row.bitSize / 8}`);
    const bits = bitPlaces(text, type);
    const wantedBits = members.filter((row) => row.isBitfield).map(bitPlace);
    const complaints: string[] = [];
    if (!agree(fieldPlaces, memberPlaces, strict && sound))
      complaints.push(complaint(`members at ${fieldPlaces}, not ${memberPlaces}`));
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

/** Returns offset and size of each field that is a member, not padding. */
function placesOf({ fields }: CheckedType): string[] {
  return fields
    .filter(({ note }) => !/^\d+(?:: bit-fields)?$/.test(note))
    .map(({ byteOffset, byteSize }) => `${byteOffset}+${byteSize}`);
}

const bitPlace = ({ bitOffset, bitSize }: LayoutRow) => `${bitOffset}:${bitSize}`;

/** Returns offset and width in bits of the bit-fields that comments describe in a declaration. */
function bitPlaces(text: string, type: CheckedType): string[] {
  const places: string[] = [];
  const lines = text.trimEnd().split('\n');
  const start = lines.findLastIndex((line) => /^(?:pub|type) .*\{$/.test(line));
  let unit = 0;
  for (const line of lines.slice(start)) {
    const name = /^\s+(?:pub )?(X?_bits\d+):? /.exec(line)?.[1];
    if (name !== undefined)
      unit = type.fields.find((field) => field.name === name)?.byteOffset ?? -1;
    const bits = /^\s+\/\/ {2,}.*, bits? (\d+)(?:-(\d+))?$/.exec(line);
    if (bits === null) continue;
    const first = Number(bits[1]);
    places.push(`${8 * unit + first}:${Number(bits[2] ?? first) - first + 1}`);
  }
  return places;
}
