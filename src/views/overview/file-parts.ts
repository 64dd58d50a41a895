/** Lists the headers, sections and gaps of a file. Makes each part when it is read. */
import { fileTables } from '#analysis/formats/registry.ts';
import { isRest, type Steps, sortSteps } from '#bytes/long-work.ts';
import type { Span } from '#bytes/span.ts';
import { sectionTypeName } from '#formats/elf/section-types.ts';
import { type SectionIndex, sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { isCode, isNamed, nameStartsWith, sectionName } from '#model/sections.ts';
import type { Selection } from '#model/selection.ts';
import type { Tone } from '#ui/tone.ts';

export type FilePart = Span & {
  readonly family: Family;
  /** Name of the section as stored in the file, or a description of the part. */
  readonly label: string;
  readonly section: SectionIndex | null;
  /** Number of parts that are drawn as this one part. */
  readonly merged: number;
};

/** Parts of a file in typed arrays. Only `at` makes an object for a part. */
export class FileParts {
  readonly length: number;
  readonly #model: ObjectModel;
  readonly #named: readonly FilePart[];
  readonly #start: Float64Array;
  readonly #end: Float64Array;
  /** For each part its section index; 0 for a gap; `~index` for an entry of `#named`. */
  readonly #what: Int32Array;

  constructor(model: ObjectModel, named: readonly FilePart[], columns: Columns) {
    this.#model = model;
    this.#named = named;
    this.#start = columns.start;
    this.#end = columns.end;
    this.#what = columns.what;
    this.length = columns.what.length;
  }

  startOf(row: number): number {
    return this.#start[row] ?? 0;
  }

  endOf(row: number): number {
    return this.#end[row] ?? 0;
  }

  isGap(row: number): boolean {
    return this.#what[row] === GAP;
  }

  familyOf(row: number): Family {
    const what = this.#what[row] ?? GAP;
    if (what === GAP) return 'gap';
    return this.#named[~what]?.family ?? sectionFamily(this.#model, sectionIndex(what));
  }

  at(row: number): FilePart | undefined {
    const what = this.#what[row];
    if (what === undefined) return;
    const span = { start: this.startOf(row), end: this.endOf(row) };
    const family = this.familyOf(row);
    if (what === GAP) return { ...span, family, label: 'in no section', section: null, merged: 1 };
    const named = this.#named[~what];
    if (named !== undefined) return { ...named, ...span };
    const section = sectionIndex(what);
    const label = sectionName(this.#model.sections, section) || `section ${what}`;
    return { ...span, family, label, section, merged: 1 };
  }

  /** Returns the index of the selected part; null if no part is selected. */
  rowOf(selection: Selection): number | null {
    let row = -1;
    if (selection.kind === 'section' && selection.section > 0) {
      row = this.#what.indexOf(selection.section);
    }
    if (selection.kind === 'bytes') {
      const { start, end } = selection;
      row = this.#what.findIndex(
        (what, i) => what <= 0 && this.#start[i] === start && this.#end[i] === end,
      );
    }
    return row < 0 ? null : row;
  }
}

/** A list of parts that is read by index. */
export type PartList = Pick<
  FileParts,
  'length' | 'startOf' | 'endOf' | 'isGap' | 'familyOf' | 'at'
>;

type Columns = {
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly what: Int32Array;
};

const GAP = 0;

/** Computes all parts in file order, including gaps. Sections that overlap are separate parts. */
export function* filePartSteps(model: ObjectModel): Steps<FileParts> {
  const named = [...(model.format === 'btf' ? blobParts(model) : namedParts(model))];
  const known = yield* knownParts(model, named);
  const all = Uint32Array.from(known.what.keys());
  const order = yield* sortSteps(
    all,
    (a, b) =>
      (known.start[a] ?? 0) - (known.start[b] ?? 0) || (known.end[a] ?? 0) - (known.end[b] ?? 0),
  );
  // Maximum number of parts: a gap before each known part and one after the last.
  const most = 2 * order.length + 1;
  const parts = { start: new Float64Array(most), end: new Float64Array(most) };
  const what = new Int32Array(most);
  let count = 0;
  const add = (start: number, end: number, of: number) => {
    parts.start[count] = start;
    parts.end[count] = end;
    what[count++] = of;
  };
  let reached = 0;
  for (let i = 0; i < order.length; i++) {
    if (isRest(i)) yield;
    const at = order[i] ?? 0;
    const start = known.start[at] ?? 0;
    const end = Math.min(known.end[at] ?? 0, model.size);
    if (start >= model.size) break;
    if (start > reached) add(reached, start, GAP);
    reached = Math.max(reached, end);
    add(start, end, known.what[at] ?? GAP);
  }
  if (reached < model.size) add(reached, model.size, GAP);
  return new FileParts(model, named, {
    start: parts.start.slice(0, count),
    end: parts.end.slice(0, count),
    what: what.slice(0, count),
  });
}

/** Yields the named parts, then the sections. */
function* knownParts(model: ObjectModel, named: readonly FilePart[]): Steps<Columns> {
  const { count, fileOffset, byteLength } = model.sections;
  const most = named.length + (model.format === 'btf' ? 0 : count);
  const start = new Float64Array(most);
  const end = new Float64Array(most);
  const what = new Int32Array(most);
  let at = 0;
  for (const part of named) {
    start[at] = part.start;
    end[at] = part.end;
    what[at] = ~at;
    at++;
  }
  for (let i = 1; at < most && i < count; i++) {
    if (isRest(i)) yield;
    const length = byteLength[i] ?? 0;
    if (length === 0) continue;
    start[at] = fileOffset[i] ?? 0;
    end[at] = (fileOffset[i] ?? 0) + length;
    what[at++] = i;
  }
  return { start, end, what: what.subarray(0, at) };
}

/** Yields the headers and tables of the file that are not in sections. */
function* namedParts(model: ObjectModel): Generator<FilePart> {
  const { sections } = model;
  for (const { start, end, label, family } of fileTables(model)) {
    yield named(family, label, { start, end });
  }
  const header = model.headers.find((block) => block.title === 'ELF header');
  if (header !== undefined) yield named('header', 'ELF header', header.span);
  const table = sections.headerOffset[0];
  if (header !== undefined && table !== undefined && sections.count > 0) {
    const end = table + sections.count * sections.headerSize;
    yield named('header', 'section headers', { start: table, end });
  }
}

/** Yields the parts of a file that contains only BTF. */
function* blobParts(model: ObjectModel): Generator<FilePart> {
  const { types } = model;
  const [header] = model.headers;
  if (header !== undefined) yield named('header', header.title, header.span);
  if (types === null || types.fileOffset === null) return;
  const { fileOffset: at, recordOff, count } = types;
  yield* notEmpty(
    named('btf', 'types', shifted({ start: recordOff[0] ?? 0, end: recordOff[count] ?? 0 }, at)),
  );
  yield* notEmpty(
    named('symbols', 'strings', shifted({ start: types.strStart, end: types.strEnd }, at)),
  );
  const field = (name: string) =>
    Number(header?.fields.find((each) => each.name === name)?.value ?? 0);
  const start = field('hdr_len') + field('layout_off');
  yield* notEmpty(named('btf', 'layout', shifted({ start, end: start + field('layout_len') }, at)));
}

function* notEmpty(part: FilePart): Generator<FilePart> {
  if (part.end > part.start) yield part;
}

function shifted(span: Span, by: number): Span {
  return { start: span.start + by, end: span.end + by };
}

function named(family: Family, label: string, span: Span): FilePart {
  return { start: span.start, end: span.end, family, label, section: null, merged: 1 };
}

/** Label and colour of each family of parts, in the order of the legend. */
export const FAMILIES = {
  code: { word: 'Code', tone: 'kind-func' },
  data: { word: 'Data', tone: 'kind-data' },
  btf: { word: 'BTF', tone: 'kind-composite' },
  relocations: { word: 'Relocations', tone: 'reloc-2' },
  symbols: { word: 'Symbols and strings', tone: 'kind-array' },
  debug: { word: 'Debug info', tone: 'kind-modifier' },
  header: { word: 'Headers', tone: 'kind-unknown' },
  other: { word: 'Other', tone: 'kind-enum' },
  gap: { word: 'In no section', tone: 'muted' },
} as const satisfies Readonly<Record<string, { readonly word: string; readonly tone: Tone }>>;

export type Family = keyof typeof FAMILIES;

const SHF_ALLOC = 2n;

const RELOCATION_TYPES = [
  'REL',
  'RELA',
  'RELR',
  'CREL',
  'ANDROID_REL',
  'ANDROID_RELA',
  'ANDROID_RELR',
];
const SYMBOL_TYPES = ['SYMTAB', 'DYNSYM', 'STRTAB', 'SYMTAB SECTION INDICES', 'HASH', 'GNU_HASH'];
const BTF_NAMES = ['.BTF', '.BTF_ids'];
const DEBUG_STARTS = ['.debug_', '.zdebug_', '.stab', '.line'];

/** Returns the family of a section. The section's name decides only if type and flags do not. */
function sectionFamily(model: ObjectModel, section: SectionIndex): Family {
  const type =
    model.format !== 'elf'
      ? ''
      : sectionTypeName(model.sections.type[section] ?? 0, model.machine?.number ?? 0);
  if (RELOCATION_TYPES.includes(type)) return 'relocations';
  if (SYMBOL_TYPES.includes(type)) return 'symbols';
  const { sections } = model;
  if (isCode(sections, section)) return 'code';
  if (BTF_NAMES.some((name) => isNamed(sections, section, name))) return 'btf';
  if (nameStartsWith(sections, section, '.BTF.')) return 'btf';
  if (DEBUG_STARTS.some((start) => nameStartsWith(sections, section, start))) return 'debug';
  return ((model.sections.flags[section] ?? 0n) & SHF_ALLOC) !== 0n ? 'data' : 'other';
}
