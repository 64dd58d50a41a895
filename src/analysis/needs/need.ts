/** What an object needs of a kernel, and the places that need it. */
import type { FeatureKind, Since } from '#analysis/kernel/kernel-features.ts';
import type { SourcePlace } from '#analysis/libbpf/outcome.ts';
import { getOrCreate } from '#bytes/cache.ts';

/** Kinds of needs: features that the table of kernels has, and those that only BTF tells. */
export type NeedKind =
  | FeatureKind
  | 'member'
  | 'type'
  | 'enumerator'
  | 'callback'
  | 'target'
  | 'variable'
  | 'symbol'
  | 'option';

/** The first place of a program that needs something. */
export type Use = {
  /** Name of the program as raw text; null for a map, or an extern that no program refers to. */
  readonly program: string | null;
  /** Name of the map as raw text; null for a program. */
  readonly map: string | null;
  /** Instruction slot, counted in the program with its subprograms; null for the whole program. */
  readonly insn: number | null;
  readonly source: SourcePlace | null;
};

export type Need = {
  readonly kind: NeedKind;
  /** Name as raw text: `bpf_loop`, `BPF_MAP_TYPE_RINGBUF`, `task_struct.pid`, `atomic fetch`. */
  readonly name: string;
  /** Kind of program that attaches to a target: `fentry`; empty for other needs. */
  readonly by: string;
  /** First version with it; null if it depends on the kernel's BTF, symbols or options. */
  readonly since: Since | null;
  /** First use in each program or map, in the order of the object. */
  readonly uses: readonly Use[];
  /** Rows of the CO-RE records that need it. */
  readonly records: readonly number[];
};

/** Kinds of needs in the order in which libbpf and the kernel meet them. */
const ORDER: readonly NeedKind[] = [
  ...(['option', 'symbol', 'variable', 'kfunc', 'struct_ops', 'callback'] as const),
  ...(['type', 'member', 'enumerator', 'map-type', 'map-flag', 'target', 'iterator'] as const),
  ...(['program-type', 'attach-type', 'program-flag', 'instruction', 'helper'] as const),
];

/** Compares two kinds by the order in which libbpf and the kernel meet them. */
export function compareKinds(a: NeedKind, b: NeedKind): number {
  return ORDER.indexOf(a) - ORDER.indexOf(b);
}

type Draft = {
  readonly kind: NeedKind;
  readonly name: string;
  readonly by: string;
  readonly since: Since | null;
  readonly required: Map<string, Use>;
  readonly optional: Map<string, Use>;
  readonly records: Set<number>;
};

/** A place that needs something, before it is merged with others. */
export type Needed = Pick<Need, 'kind' | 'name' | 'since'> &
  Omit<Use, 'source'> & {
    readonly by?: string;
    /** False for a use that a guard or the loader can leave out. */
    readonly isRequired: boolean;
    /** Finds the source line; called only for the first use of a program. */
    readonly sourceOf: () => SourcePlace | null;
    readonly record?: number;
  };

/** Collects needs. Each has its first use in each program and map. */
export class NeedList {
  readonly #drafts = new Map<string, Draft>();

  add({ kind, name, since, by = '', isRequired, record, sourceOf, ...place }: Needed): void {
    const key = `${kind} ${by} ${name}`;
    const draft = getOrCreate(this.#drafts, key, () => ({
      ...{ kind, name, by, since },
      required: new Map<string, Use>(),
      optional: new Map<string, Use>(),
      records: new Set<number>(),
    }));
    if (record !== undefined) draft.records.add(record);
    const { program, map, insn } = place;
    const uses = isRequired ? draft.required : draft.optional;
    const isOfObject = map === null && program === null;
    const of = `${map ?? ''} ${program ?? ''}`;
    if (uses.has(of) || (isOfObject && uses.size > 0)) return;
    uses.set(of, { program, map, insn, source: sourceOf() });
  }

  /** Returns what is required, or what is only optional. */
  all(isRequired: boolean): readonly Need[] {
    return [...this.#drafts.values()].flatMap(({ required, optional, records, ...need }) => {
      if (isRequired !== required.size > 0) return [];
      const uses = isRequired ? required : optional;
      return [{ ...need, uses: [...uses.values()], records: [...records] }];
    });
  }
}
