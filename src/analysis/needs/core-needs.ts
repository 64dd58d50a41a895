/** Lists the kernel types and fields that CO-RE relocations need. Names are not escaped. */
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
  /** Group of relocation kinds that use the path: field, type or enumerator. */
  readonly group: CoreKindGroup;
  readonly accessStr: string;
  /** Path through the local types; `path.error` describes an invalid step. */
  readonly path: AccessPath;
  /** Needed field `a.b[2]` or enumerator; empty if the need is the type itself. */
  readonly text: string;
  /** Relocation kinds (`enum bpf_core_relo_kind`) with their record counts, lowest kind first. */
  readonly kinds: readonly { readonly kind: number; readonly count: number }[];
  readonly records: readonly CoreIndex[];
  /** Functions that contain the records; empty if no function symbols cover them. */
  readonly programs: readonly string[];
  readonly sections: readonly string[];
};

export type NeededType = {
  readonly root: TypeId;
  /** BTF_KIND_* of the root type, which may be a typedef or modifier. */
  readonly kind: number;
  /** Local name with flavour, `task_struct___old`; without a name the type in C. */
  readonly name: string;
  /** Name without flavour, which the kernel's type must have: `task_struct`. */
  readonly essentialName: string;
  readonly paths: readonly NeededPath[];
  /** Number of records that need the type or its fields. */
  readonly count: number;
};

export type CoreNeeds = {
  /** Needed types in the order of their first record. */
  readonly types: readonly NeededType[];
  /** Number of records that need a type or field. */
  readonly count: number;
};

type OpenPath = {
  readonly root: TypeId;
  readonly group: CoreKindGroup;
  readonly accessStr: string;
  /** Kind of the path's first record. All kinds of a group share the path. */
  readonly kind: number;
  readonly kinds: Map<number, number>;
  readonly records: CoreIndex[];
  readonly programs: Set<string>;
  readonly sections: Set<string>;
};

/** Returns the needs of `model`. Records with unknown kinds are ignored. */
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

/** Returns the members of a path as text, `a.b[2]`; `[1].a` for element 1 of the pointer. */
export function pathText(path: AccessPath): string {
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
