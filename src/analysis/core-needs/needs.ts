/** The types and fields of a kernel that an object's CO-RE relocations need. Names are raw text. */
import { type CoreKindGroup, coreKind, TYPE_ID_LOCAL } from '#analysis/core/core-kinds.ts';
import { coreRecord } from '#analysis/core/core-records.ts';
import { essentialName } from '#analysis/core/essential-name.ts';
import { type AccessPath, walkAccess } from '#analysis/core/parse-spec.ts';
import { typeTitle } from '#analysis/types/type-name.ts';
import { getOrCreate } from '#bytes/cache.ts';
import { type CoreIndex, coreIndex, type TypeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { kindOf, nameOf, type TypeTable } from '#model/type-table.ts';

export type NeededPath = {
  /** The group of the path's relocation kinds. */
  readonly group: CoreKindGroup;
  readonly accessStr: string;
  /** The path through the local types; `error` is the invalid step. */
  readonly path: AccessPath;
  /** `a.b[2]`, the enumerator's name, or empty for the type itself. */
  readonly text: string;
  /** `enum bpf_core_relo_kind` with the number of records, lowest kind first. */
  readonly kinds: readonly { readonly kind: number; readonly count: number }[];
  readonly records: readonly CoreIndex[];
  /** Functions with the records; empty if the file has no symbols for them. */
  readonly programs: readonly string[];
  readonly sections: readonly string[];
};

export type NeededType = {
  readonly root: TypeId;
  /** BTF_KIND_* of the root, with typedefs and modifiers. */
  readonly kind: number;
  /** `task_struct___old`; the C spelling of a root without a name. */
  readonly name: string;
  /** The name that a kernel must have: `task_struct`. */
  readonly essentialName: string;
  readonly paths: readonly NeededPath[];
  /** Number of records of all paths. */
  readonly count: number;
};

export type CoreNeeds = {
  /** In the order of first use. */
  readonly types: readonly NeededType[];
  /** Number of records with a need. */
  readonly count: number;
};

type OpenPath = {
  readonly root: TypeId;
  readonly group: CoreKindGroup;
  readonly accessStr: string;
  /** The kind of the first record: all kinds of a group have the same path. */
  readonly kind: number;
  readonly kinds: Map<number, number>;
  readonly records: CoreIndex[];
  readonly programs: Set<string>;
  readonly sections: Set<string>;
};

/** Returns the needs of `model`; records of unknown kinds are skipped. */
export function coreNeeds(model: ObjectModel): CoreNeeds {
  const { types } = model;
  if (types === null) return { types: [], count: 0 };
  const roots = new Map<TypeId, Map<string, OpenPath>>();
  let count = 0;
  for (let i = 0; i < model.ext.core.count; i++) {
    const kind = model.ext.core.kind[i] ?? 0;
    const group = coreKind(kind)?.group;
    if (group === undefined || kind === TYPE_ID_LOCAL) continue;
    addRecord(roots, coreRecord(model, coreIndex(i)), group);
    count += 1;
  }
  return {
    types: Array.from(roots, ([root, paths]) => neededType(types, root, [...paths.values()])),
    count,
  };
}

function addRecord(
  roots: Map<TypeId, Map<string, OpenPath>>,
  record: ReturnType<typeof coreRecord>,
  group: CoreKindGroup,
): void {
  const { root, accessStr, kind } = record;
  const paths = getOrCreate(roots, root, () => new Map<string, OpenPath>());
  const path = getOrCreate(
    paths,
    `${group} ${accessStr}`,
    (): OpenPath => ({
      root,
      group,
      accessStr,
      kind,
      kinds: new Map(),
      records: [],
      programs: new Set(),
      sections: new Set(),
    }),
  );
  path.kinds.set(kind, (path.kinds.get(kind) ?? 0) + 1);
  path.records.push(record.index);
  if (record.func !== null) path.programs.add(record.func.name);
  path.sections.add(record.sectionName);
}

function neededType(t: TypeTable, root: TypeId, open: readonly OpenPath[]): NeededType {
  const name = nameOf(t, root);
  const paths = open.map((path) => neededPath(t, path));
  return {
    root,
    kind: kindOf(t, root),
    name: name === '' ? typeTitle(t, root) : name,
    essentialName: essentialName(name),
    paths,
    count: paths.reduce((sum, path) => sum + path.records.length, 0),
  };
}

function neededPath(t: TypeTable, open: OpenPath): NeededPath {
  const { root, group, accessStr, kind, records } = open;
  const path = walkAccess(t, root, accessStr, kind);
  return {
    group,
    accessStr,
    path,
    text: pathText(path),
    kinds: Array.from(open.kinds, ([kind, count]) => ({ kind, count })).sort(
      (a, b) => a.kind - b.kind,
    ),
    records,
    programs: [...open.programs],
    sections: [...open.sections],
  };
}

/** Returns `a.b[2]`; `[1].a` if the pointer is not at its first element. */
function pathText(path: AccessPath): string {
  let text = '';
  for (const { means, index, name } of path.steps) {
    if (means === 'array-element' || (means === 'element-of-pointer' && index > 0)) {
      text += `[${index}]`;
    } else if (name !== '') {
      text += text === '' ? name : `.${name}`;
    }
  }
  return text;
}
