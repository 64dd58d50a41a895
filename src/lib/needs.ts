/** Lists what an object needs of Linux. */
import { loadObject } from '#analysis/libbpf/open.ts';
import { needsOf } from '#analysis/needs/needs.ts';
import { Malformed } from '#bytes/issue.ts';
import { isBpf } from '#model/object-model.ts';
import { needsFields } from '#print/needs-text.ts';
import { ObjectFile } from './open.ts';

/** What an object needs of Linux. A version is such as `5.12`. */
export type Needs = {
  /** The answer in one sentence. Names are not escaped. */
  readonly sentence: string;
  /** Oldest version known to have all of `required`; null if nothing has a version. */
  readonly version: string | null;
  /** Newest version known to lack one of them; null if none is known. */
  readonly lacking: string | null;
  /** True if libbpf needs the BTF of the kernel. */
  readonly needsBtf: boolean;
  /** What decides `version` comes first. */
  readonly required: readonly Need[];
  /** Instructions that no kernel has. */
  readonly never: readonly Need[];
  /** What depends on the BTF, symbols or options of the kernel. */
  readonly undecided: readonly Need[];
  /** What a guard can leave out, or only a program or map needs that is not loaded by default. */
  readonly optional: readonly Need[];
};

export type Need = {
  /** The kind: `helper`, `map-type`, `instruction`, `kfunc`, `member` … */
  readonly kind: string;
  /** Name, not escaped: `bpf_loop`, `task_struct.pid`, `may_goto`. */
  readonly name: string;
  /** Kind of program that attaches to a target, `fentry`; null for other needs. */
  readonly by: string | null;
  readonly version: string | null;
  readonly lacking: string | null;
  /** What tells the version: a commit, or the BTF of kernels. */
  readonly source: string | null;
  /** First use in each program or map. */
  readonly uses: readonly NeedUse[];
};

export type NeedUse = {
  readonly program: string | null;
  readonly map: string | null;
  /** Index of the instruction in program and subprograms. */
  readonly insn: number | null;
  /** Source line, `file:line:column`. */
  readonly source: string | null;
};

/** Lists what an object needs of Linux. Rejects with `Malformed` if `file` is no BPF object. */
export async function needs(file: ObjectFile): Promise<Needs> {
  const { model, source } = ObjectFile.openedOf(file);
  const { name } = model;
  if (!isBpf(model)) {
    const message = `${name} is no BPF object`;
    throw new Malformed({ code: 'needs.no-object', region: name, message, span: null });
  }
  const of = needsOf(await loadObject(model, source));
  const { sentence, version, lacking, required, never, undecided, optional } = needsFields({
    object: name,
    needs: of,
    kernels: [],
  });
  const { needsBtf } = of;
  return { sentence, version, lacking, needsBtf, required, never, undecided, optional };
}
