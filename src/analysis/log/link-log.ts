/**
 * Lines of a log linked to the open files: the record of the object, its local type, and the type
 * and member of each target.
 *
 * A line names a program and the number of a relocation, or the types of the object as libbpf
 * printed them. Both must agree: a log of another build must not lead to the wrong record. Without
 * an object, names alone lead into targets.
 */

import { coreKind } from '#analysis/core/core-kinds.ts';
import { type CoreRecord, coreRecord } from '#analysis/core/core-records.ts';
import { walkAccess } from '#analysis/core/parse-spec.ts';
import { addTo, getOrCreate } from '#bytes/cache.ts';
import { type CoreIndex, coreIndex, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { nameOf, type TypeTable } from '#model/type-table.ts';
import { askedPath, isTypeNamed, pathsIn, specOf } from './ask-target.ts';
import { type Followed, followNames } from './follow-names.ts';
import type { LogLine, LogSpec } from './log-line.ts';

export type LogTarget = { readonly name: string; readonly types: TypeTable };

export type TargetLink = {
  /** Number of the target. */
  readonly target: number;
  /** The type that a candidate names by its id, or all of the name; empty where the target has none. */
  readonly types: readonly Followed[];
};

export type LineLink = {
  readonly lineNumber: number;
  /** Record of the object; null where none fits, or more than one that the line cannot tell apart. */
  readonly record: CoreIndex | null;
  /** Records that fit, where the line alone does not decide. */
  readonly others: readonly CoreIndex[];
  /** The local type with the path through it; null where the object lacks the type. */
  readonly local: Followed | null;
  readonly targets: readonly TargetLink[];
};

/** Links of the lines that speak of a record or a type, as the lines are read: null for a line without links. Total. */
export function logLinker(
  model: ObjectModel | null,
  targets: readonly LogTarget[],
): (line: LogLine) => LineLink | null {
  const records = model === null ? null : new RecordIndex(model);
  const inTargets = new Map<string, readonly TargetLink[]>();
  return (line) => {
    const speaksOf = specOf(line);
    if (speaksOf === null && line.reloIndex === null) return null;
    const localSpec = line.event?.event === 'candidate' ? null : speaksOf;
    const fitting = records?.find(line, localSpec) ?? [];
    const [first] = fitting;
    return {
      lineNumber: line.lineNumber,
      record: fitting.length === 1 && first !== undefined ? first : null,
      others: fitting.length === 1 ? [] : fitting,
      local: localSpec === null ? null : localLink(model, localSpec),
      targets: speaksOf === null ? [] : targetLinks(inTargets, targets, line),
    };
  };
}

/** Logs repeat themselves: `known` has the previous results. */
function targetLinks(
  known: Map<string, readonly TargetLink[]>,
  targets: readonly LogTarget[],
  line: LogLine,
): readonly TargetLink[] {
  const asked = askedPath(line);
  if (asked === null) return targets.map((_, target) => ({ target, types: [] }));
  const key = JSON.stringify(asked.ofTarget ? asked : { ...asked, typeId: 0 });
  return getOrCreate(known, key, () =>
    targets.map(({ types }, target) => ({ target, types: pathsIn(types, asked) })),
  );
}

function localLink(model: ObjectModel | null, spec: LogSpec): Followed | null {
  const types = model?.types ?? null;
  const id = typeId(spec.typeId);
  if (types === null || !isTypeNamed(types, id, spec)) return null;
  return followNames(types, id, spec);
}

/** Records by the names and numbers in a log. */
class RecordIndex {
  readonly #model: ObjectModel;
  readonly #byPlace = new Map<string, CoreIndex[]>();
  readonly #byAsk = new Map<string, CoreIndex[]>();

  constructor(model: ObjectModel) {
    this.#model = model;
    for (let i = 0; i < model.ext.core.count; i++) {
      const record = coreRecord(model, coreIndex(i));
      const { relocIndexInSection: relo, func, sectionName } = record;
      // libbpf names the function, aya the section.
      for (const place of new Set([func?.name ?? sectionName, sectionName])) {
        addTo(this.#byPlace, `${relo} ${place}`, record.index);
      }
      addTo(this.#byAsk, `${record.kind} ${record.root} ${this.#asked(record)}`, record.index);
    }
  }

  /** Records that fit the place and the spec of the line, as far as it has them. */
  find({ prog, reloIndex }: LogLine, spec: LogSpec | null): readonly CoreIndex[] {
    if (prog !== null && reloIndex !== null) {
      const placed = this.#byPlace.get(`${reloIndex} ${prog}`) ?? [];
      return placed.filter((index) => spec === null || this.#fits(index, spec));
    }
    const asked = spec?.enumerator?.name ?? spec?.accessStr ?? null;
    if (spec === null || asked === null) return [];
    const asking = this.#byAsk.get(`${spec.kind} ${spec.typeId} ${asked}`) ?? [];
    return asking.filter((index) => this.#fits(index, spec));
  }

  /** Returns the access as a spec prints it: the indices, or the enumerator by its name. */
  #asked({ kind, root, accessStr }: CoreRecord): string {
    const { types } = this.#model;
    if (types === null || coreKind(kind)?.group !== 'enum') return accessStr;
    return walkAccess(types, root, accessStr, kind).steps[0]?.name ?? accessStr;
  }

  #fits(index: CoreIndex, spec: LogSpec): boolean {
    const { kind, root, accessStr } = coreRecord(this.#model, index);
    return (
      root === spec.typeId &&
      (spec.kind === null || spec.kind === kind) &&
      (spec.accessStr === null || spec.accessStr === accessStr) &&
      this.#model.types !== null &&
      nameOf(this.#model.types, root) === spec.typeName
    );
  }
}
