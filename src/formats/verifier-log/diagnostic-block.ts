/**
 * Reads the `Verification failed:` block of Linux 7.3 and newer as a structure. Source: the
 * kernel's kernel/bpf/diagnostics.c.
 */

/** A line of source code, or an instruction, at or near a place. */
export type ContextRow = {
  /** Line number, or index of the instruction. */
  readonly number: number;
  /** Text; `...` for a line that the BTF does not have. A long text is cut and ends in `...`. */
  readonly text: string;
  readonly isMarked: boolean;
};

export type Place = {
  /** Null if the kernel has no line information for the instruction. */
  readonly function: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  /** Instruction: the marked row of the instruction context, or `insn N`. */
  readonly insn: number | null;
  readonly source: readonly ContextRow[];
  readonly insns: readonly ContextRow[];
  /** `error`, `update`, `spilled`, `invalidated`, `acquired`, `released`, `context`, `branch`. */
  readonly label: string;
  readonly message: string;
};

export type DiagnosticBlock = {
  /** `Register Type Safety`, `Memory Safety` … */
  readonly category: string;
  /** `Invalid dereference` … */
  readonly problem: string;
  readonly reason: string;
  readonly at: Place | null;
  /** Events from the value's origin to the error, in the order of the path. */
  readonly causalPath: readonly Place[];
  /** Sentences between the events: that there are none, or that some are not listed. */
  readonly pathNotes: readonly string[];
  readonly activeLock: Place | null;
  readonly suggestion: string;
  /** Titles of the sections, in order. */
  readonly sections: readonly string[];
  /** Index of the first and the last line of the block. */
  readonly lines: readonly [first: number, last: number];
};

/** Titles of the last sections of a block. Source: kernel/bpf/diagnostics.c, Linux 7.3. */
export const BLOCK_SECTION = /^(?:Causal path|Suggestion): *$/;

/** First words of a block. */
export const BLOCK_TITLE = 'Verification failed: ';

/** Matches the title of a section. */
const SECTION = /^([A-Z][a-z]{0,20}(?: [a-z]{1,20}){0,4}):$/;

/** True if a line of a block is a section's title. */
export function isSectionTitle(text: string): boolean {
  return SECTION.test(text);
}

/** Lines of the longest block that is read: 64 events of some 20 lines, and the other sections. */
const MAX_LINES = 4096;

/** Reads the block whose title is the first of `lines`. `first` is the index of that line. */
export function readDiagnosticBlock(lines: readonly string[], first: number): DiagnosticBlock {
  const count = Math.min(lines.length, MAX_LINES);
  const [category = '', ...problem] = (lines[0] ?? '').slice(BLOCK_TITLE.length).split(': ');
  const sections: string[] = [];
  const bodies = new Map<string, string[]>();
  let body: string[] = [];
  let last = 0;
  for (let i = 1; i < count; i++) {
    const text = lines[i] ?? '';
    const title = SECTION.exec(text)?.[1];
    if (title !== undefined) {
      body = [];
      sections.push(title);
      if (!bodies.has(title)) bodies.set(title, body);
    } else body.push(text);
    if (text.trim() !== '') last = i;
  }
  const of = (title: string) => bodies.get(title) ?? [];
  const path = readPlaces(of('Causal path'));
  return {
    category,
    problem: problem.join(': '),
    reason: joined(of('Reason')),
    at: readPlaces(of('At')).places[0] ?? null,
    causalPath: path.places,
    pathNotes: path.notes,
    activeLock: readPlaces(of('Active lock')).places[0] ?? null,
    suggestion: joined(of('Suggestion')),
    sections,
    lines: [first, first + last],
  };
}

/** Joins wrapped lines to one. */
function joined(lines: readonly string[]): string {
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}

const POSITION = /:(\d{1,10}):(\d{1,10})$/;
const INSN_PLACE = /^ {2}insn (\d{1,10})$/;
const CONTEXT = /^ {2}(Source|Instruction) context:$/;
const ROW = /^ {2}(>>>| {3}) +(\d{1,10}) \| ?(.*)$/;
const GUTTER = /^ {3,}\| ?(.*)$/;
const LABEL = /^ *\^-- ([a-z]{1,20}): (.*)$/;

type OpenPlace = { -readonly [Key in keyof Place]: Place[Key] } & {
  source: ContextRow[];
  insns: ContextRow[];
};

/** Reads places, and the sentences between them. An empty line ends a place. */
function readPlaces(lines: readonly string[]): { places: Place[]; notes: string[] } {
  const places: Place[] = [];
  const notes: string[] = [];
  let place: OpenPlace | null = null;
  let rows: ContextRow[] = [];
  for (const line of lines) {
    if (line === '') place = null;
    else if (place === null) {
      place = placeOf(line);
      if (place === null) notes.push(line.trim());
      else {
        rows = place.source;
        places.push(place);
      }
    } else rows = readInPlace(line, place, rows);
  }
  return { places, notes };
}

/** Adds a line to `place`. Returns the list that the following rows belong to. */
function readInPlace(line: string, place: OpenPlace, rows: ContextRow[]): ContextRow[] {
  const row = ROW.exec(line);
  if (row !== null) {
    const [, mark, number, text = ''] = row;
    const isMarked = mark === '>>>';
    rows.push({ number: Number(number), text, isMarked });
    if (isMarked && rows === place.insns) place.insn = Number(number);
    return rows;
  }
  const context = CONTEXT.exec(line);
  if (context !== null) return context[1] === 'Source' ? place.source : place.insns;
  const gutter = GUTTER.exec(line)?.[1];
  if (gutter !== undefined) {
    const label = LABEL.exec(gutter);
    if (label !== null) [, place.label = '', place.message = ''] = label;
    else place.message = `${place.message} ${gutter.trim()}`.trim();
  }
  return rows;
}

function placeOf(line: string): OpenPlace | null {
  const start = { source: [], insns: [], label: '', message: '' };
  const insn = INSN_PLACE.exec(line);
  if (insn !== null) {
    const none = { function: null, file: null, line: null, column: null };
    return { ...none, insn: Number(insn[1]), ...start };
  }
  const position = /^ {2}(?! )/.test(line) ? POSITION.exec(line) : null;
  if (position === null) return null;
  const names = line.slice(2, position.index);
  const at = names.lastIndexOf(' @ ');
  return {
    function: at < 0 ? null : names.slice(0, at),
    file: names.slice(at < 0 ? 0 : at + 3),
    line: Number(position[1]),
    column: Number(position[2]),
    insn: null,
    ...start,
  };
}
