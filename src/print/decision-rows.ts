/** Rows about what pahole leaves out of the BTF that it makes of DWARF, for lists that are filtered. */
import type { Encoded } from '#analysis/encode/encode.ts';
import { keptApart, type ReportRow, reportRows } from '#analysis/encode/report.ts';
import { BtfKind, kindName } from '#formats/btf/kinds.ts';
import type { DwarfReader } from '#formats/dwarf/reader.ts';
import { typeId } from '#model/ids.ts';
import { kindOf, nameOf, type TypeTable } from '#model/type-table.ts';
import { apartText, decisionText } from './encode-report.ts';

/** Sets of features: pahole's without options, and those of a kernel's build. */
export type FeatureSet = 'plain' | 'kernel';

/**
 * What a list has. `apart`: types that share a name with another; `missing`: functions that pahole
 * encodes and that the BTF of the file lacks.
 */
export type DecisionSubject = 'function' | 'variable' | 'type' | 'apart' | 'missing';

/** An entry and what became of it. Names are not escaped. */
export type DecisionRow = {
  readonly name: string;
  readonly what: string;
  /** File and line of the declaration, or the unit; empty if unknown. */
  readonly place: string;
  /** Offset in `.debug_info`; null if not known. */
  readonly entry: number | null;
};

export type DecisionReport = {
  readonly rows: Readonly<Record<DecisionSubject, readonly DecisionRow[]>>;
  /** Types of the BTF; null if it has none. */
  readonly types: TypeTable | null;
};

export type DecisionsParams = {
  readonly features: FeatureSet;
  readonly subject: DecisionSubject;
  /** Part of the name; empty for all. */
  readonly text: string;
  readonly limit: number;
};

export type DecisionsAnswer = {
  readonly counts: Readonly<Record<DecisionSubject, number>>;
  /** Number of rows with the text, of which at most `limit` are listed. */
  readonly total: number;
  readonly rows: readonly DecisionRow[];
  /** Types in the BTF whose name is the text. */
  readonly kept: readonly { readonly kind: string; readonly id: number }[];
};

/** Most types of a name that are listed as kept. */
const MAX_KEPT = 8;

/** Returns the rows of a report that fit a question. */
export function decisionsIn(
  { rows: all, types }: DecisionReport,
  { subject, text, limit }: DecisionsParams,
): DecisionsAnswer {
  const wanted = text.trim();
  const rows = wanted === '' ? all[subject] : all[subject].filter(named(wanted));
  return {
    counts: {
      function: all.function.length,
      variable: all.variable.length,
      type: all.type.length,
      apart: all.apart.length,
      missing: all.missing.length,
    },
    total: rows.length,
    rows: rows.slice(0, limit),
    kept: wanted === '' || types === null ? [] : keptTypes(types, wanted),
  };
}

function named(text: string): (row: DecisionRow) => boolean {
  const wanted = text.toLowerCase();
  return ({ name }) => name.toLowerCase().includes(wanted);
}

/** Returns all rows of an encoding with a report. `own` is the BTF of the file; null without BTF. */
export function decisionReport(
  encoded: Encoded,
  dwarf: DwarfReader,
  own: TypeTable | null,
): DecisionReport {
  const types = encoded.deduped?.types ?? null;
  const inFile = namesOf(own, BtfKind.FUNC);
  const rows = { function: [], variable: [], type: [], apart: [], missing: [] } as {
    [Subject in DecisionSubject]: DecisionRow[];
  };
  for (const row of reportRows(encoded, dwarf)) {
    const isKept = row.subject === 'function' && inFile.has(row.name) && row.reason !== 'merged';
    const made = rowOf(row, isKept ? '; the BTF of this file has it' : '');
    rows[row.subject === 'entry' ? 'type' : row.subject].push(made);
  }
  for (const apart of keptApart(encoded)) {
    const { kind, name, id, offset } = apart;
    const what = `${kind} [${id}] ${apartText(apart)}`;
    rows.apart.push({ name, what, place: '', entry: offset === 0 ? null : offset });
  }
  if (own !== null && types !== null) {
    for (const name of namesOf(types, BtfKind.FUNC)) {
      if (inFile.has(name)) continue;
      const what = 'pahole 1.31 encodes it; the BTF of this file lacks it';
      rows.missing.push({ name, what, place: '', entry: null });
    }
  }
  return { rows, types };
}

function rowOf(row: ReportRow, more: string): DecisionRow {
  const { subject, name, detail, unit, file, line, offset } = row;
  const place = file === '' ? unit : line === 0 ? file : `${file}:${line}`;
  const shown = subject === 'entry' ? detail : name;
  return { name: shown, what: `${decisionText(row)}${more}`, place, entry: offset };
}

function namesOf(types: TypeTable | null, kind: number): ReadonlySet<string> {
  const names = new Set<string>();
  if (types === null) return names;
  for (let i = 0; i < types.count; i++) {
    const id = typeId(types.firstId + i);
    if (kindOf(types, id) === kind) names.add(nameOf(types, id));
  }
  return names;
}

function keptTypes(types: TypeTable, name: string): DecisionsAnswer['kept'] {
  const kept: { kind: string; id: number }[] = [];
  for (let i = 0; i < types.count && kept.length < MAX_KEPT; i++) {
    const id = typeId(types.firstId + i);
    if (nameOf(types, id) === name) kept.push({ kind: kindName(kindOf(types, id)), id });
  }
  return kept;
}
