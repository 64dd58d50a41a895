/**
 * Links the lines of a log to the open files: to the record of the object, its local type, and the
 * type and member of each target. A line names a program and a relocation, or types of the object
 * as libbpf printed them. If it has both, both must fit: the log may be of another build. Without
 * an object, lines are linked to targets only.
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
  /** Index of the target that the line is linked to. */
  readonly target: number;
  /** Path from the type with the candidate's id, else from each type of the name; may be empty. */
  readonly types: readonly Followed[];
};

export type LineLink = {
  readonly lineNumber: number;
  /** The only record of the object that fits the line; null if none or several fit. */
  readonly record: CoreIndex | null;
  /** All records of the object that fit the line, if there are several. */
  readonly others: readonly CoreIndex[];
  /** Path through the local type; null if the object lacks the type. */
  readonly local: Followed | null;
  readonly targets: readonly TargetLink[];
};

/** Returns a function that returns a line's links, or null if the line has no record or type. */
export function logLinker(
  model: ObjectModel | null,
  targets: readonly LogTarget[],
): (line: LogLine) => LineLink | null {
  const records = model === null ? null : new RecordIndex(model);
  const inTargets = new Map<string, readonly TargetLink[]>();
  return (line) => {
    const spec = specOf(line);
    if (spec === null && line.reloIndex === null) return null;
    const localSpec = line.event?.event === 'candidate' ? null : spec;
    const fitting = records?.find(line, localSpec) ?? [];
    const [first] = fitting;
    return {
      lineNumber: line.lineNumber,
      record: fitting.length === 1 && first !== undefined ? first : null,
      others: fitting.length === 1 ? [] : fitting,
      local: localSpec === null ? null : localLink(model, localSpec),
      targets: spec === null ? [] : targetLinks(inTargets, targets, line),
    };
  };
}

/** Returns the links of a line to each target. `known` caches them, since logs repeat types. */
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

/** Index of the object's records by the names and numbers that a log has. */
class RecordIndex {
  readonly #model: ObjectModel;
  readonly #byPlace = new Map<string, CoreIndex[]>();
  readonly #byAccess = new Map<string, CoreIndex[]>();

  constructor(model: ObjectModel) {
    this.#model = model;
    for (let i = 0; i < model.ext.core.count; i++) {
      const record = coreRecord(model, coreIndex(i));
      const { relocIndexInSection: relo, func, sectionName } = record;
      // In a line, libbpf names the function, aya the section: index both.
      for (const place of new Set([func?.name ?? sectionName, sectionName])) {
        addTo(this.#byPlace, `${relo} ${place}`, record.index);
      }
      addTo(this.#byAccess, `${record.kind} ${record.root} ${this.#access(record)}`, record.index);
    }
  }

  /** Returns the records that fit the place and the spec of a line. A line may lack one of them. */
  find({ prog, reloIndex }: LogLine, spec: LogSpec | null): readonly CoreIndex[] {
    if (prog !== null && reloIndex !== null) {
      const placed = this.#byPlace.get(`${reloIndex} ${prog}`) ?? [];
      return placed.filter((index) => spec === null || this.#fits(index, spec));
    }
    const access = spec?.enumerator?.name ?? spec?.accessStr ?? null;
    if (spec === null || access === null) return [];
    const records = this.#byAccess.get(`${spec.kind} ${spec.typeId} ${access}`) ?? [];
    return records.filter((index) => this.#fits(index, spec));
  }

  /** Returns an access as a spec prints it: as indices, or as the name of an enumerator. */
  #access({ kind, root, accessStr }: CoreRecord): string {
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
