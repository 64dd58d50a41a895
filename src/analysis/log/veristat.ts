/**
 * Reads the CSV of veristat: a row for each program, and of two compared files. Source:
 * tools/testing/selftests/bpf/veristat.c, output_headers and output_comp_headers.
 */

/** Titles of the columns by their names in the CSV. */
const TITLES: ReadonlyMap<string, string> = new Map([
  ['file_name', 'File'],
  ['prog_name', 'Program'],
  ['verdict', 'Verdict'],
  ['duration', 'Duration, µs'],
  ['total_insns', 'Instructions'],
  ['total_states', 'States'],
  ['peak_states', 'Peak states'],
  ['max_states_per_insn', 'States per insn'],
  ['max_mark_read_len', 'Mark read'],
  ['prog_size', 'Program size'],
  ['prog_size_jited', 'JITed size'],
  ['stack_depth', 'Stack depth'],
  ['prog_type', 'Program type'],
  ['attach_type', 'Attach type'],
  ['mem_peak', 'Peak memory, MiB'],
]);

/** Words of the three columns of a value in a comparison. */
const SIDES: ReadonlyMap<string, string> = new Map([
  ['base', 'first'],
  ['comp', 'second'],
  ['diff', 'difference'],
]);

/** Maximum number of columns: 15 values, of which 13 have three columns in a comparison. */
const MAX_COLUMNS = 48;

export type VeristatColumn = {
  /** Name in the CSV: `total_insns`, `total_insns_diff`. Raw text. */
  readonly name: string;
  readonly title: string;
  /** The values are numbers; of a difference, the first number is that of the values. */
  readonly isNumber: boolean;
  /** Sum of all rows; null for texts, and for values of which a sum says nothing. */
  readonly total: number | null;
};

export type VeristatTable = {
  readonly columns: readonly VeristatColumn[];
  /** Texts of the rows, as many as there are columns. */
  readonly rows: readonly (readonly string[])[];
  /** Number of programs by verdict; of a comparison, by that of the second file. */
  readonly verdicts: ReadonlyMap<string, number>;
};

/** Returns true for the first line of a CSV of veristat. */
export function isVeristatHeader(line: string): boolean {
  const names = line.trim().split(',', MAX_COLUMNS);
  return (
    names.length >= 3 && names[0] === 'file_name' && names[1] === 'prog_name' && names.every(isName)
  );
}

function isName(name: string): boolean {
  return partsOf(name) !== null;
}

function partsOf(name: string): { readonly stat: string; readonly side: string | null } | null {
  if (TITLES.has(name)) return { stat: name, side: null };
  const [, stat = '', side = ''] = /^(.*)_(base|comp|diff)$/.exec(name) ?? [];
  return TITLES.has(stat) ? { stat, side } : null;
}

/** Values that are added up: the others are of one instruction, or peaks. */
const ADDED: ReadonlySet<string> = new Set([
  ...['duration', 'total_insns', 'total_states', 'prog_size', 'prog_size_jited'],
]);

/** Reads a CSV; null if its first line is no header of veristat. */
export function readVeristat(text: string): VeristatTable | null {
  const [header = '', ...lines] = text.split('\n');
  if (!isVeristatHeader(header)) return null;
  const names = header.trim().split(',', MAX_COLUMNS);
  // veristat writes no quotes: a comma in a name makes a row too long.
  const rows = lines
    .map((line) => line.trimEnd().split(',', names.length))
    .filter((fields) => fields.length === names.length);
  const columns = names.map((name, i): VeristatColumn => {
    const { stat, side } = partsOf(name) ?? { stat: name, side: null };
    const word = side === null ? '' : `, ${SIDES.get(side)}`;
    const isNumber = rows.length > 0 && rows.every((row) => numberOf(row[i] ?? '') !== null);
    const isAdded = isNumber && ADDED.has(stat);
    const total = rows.reduce((sum, row) => sum + (numberOf(row[i] ?? '') ?? 0), 0);
    return { name, title: `${TITLES.get(stat)}${word}`, isNumber, total: isAdded ? total : null };
  });
  const verdict = Math.max(names.indexOf('verdict'), names.indexOf('verdict_comp'));
  const verdicts = new Map<string, number>();
  for (const row of verdict < 0 ? [] : rows) {
    const word = row[verdict] ?? '';
    verdicts.set(word, (verdicts.get(word) ?? 0) + 1);
  }
  return { columns, rows, verdicts };
}

/** Returns the number that a field begins with, as in `+12 (+3.00%)`; null for a text. */
export function numberOf(field: string): number | null {
  const digits = /^[+-]?\d{1,18}(?= \(|$)/.exec(field.trim())?.[0];
  return digits === undefined ? null : Number(digits);
}
