/** Simulates loading an object on a kernel. */
import type { LoadKernel } from '#analysis/kernel/kernel.ts';
import { judgeLoad } from '#analysis/libbpf/load.ts';
import { loadObject } from '#analysis/libbpf/open.ts';
import { Malformed } from '#bytes/issue.ts';
import { isBpf } from '#model/object-model.ts';
import { loadFields } from '#print/load-text.ts';
import { withModules } from './core.ts';
import { ObjectFile } from './open.ts';

/** Result of loading, best first. The verifier causes `rejected`, libbpf `fails`. */
export type Outcome = 'loads' | 'may-fail' | 'rejected' | 'fails';

/**
 * What an undecided reason depends on: modules, the configuration, `/proc/kallsyms` or the release,
 * which the caller can give; a branch that constants do not decide; the running kernel; the rest of
 * a search that is cut off; or libbpf's reading of a broken file.
 */
export type Dependency =
  | 'modules'
  | 'config'
  | 'kallsyms'
  | 'release'
  | 'branch'
  | 'running'
  | 'search'
  | 'file';

/** Facts about the machine besides its kernel. The outcome may depend on a missing fact. */
export type LoadOptions = {
  /** Modules in load order, each opened with the kernel as its `base`; `[]` if there are none. */
  readonly modules?: readonly ObjectFile[];
  /** Text of the kernel's configuration; `none` for a machine without one. */
  readonly config?: string;
  /** Text of `/proc/kallsyms`. */
  readonly kallsyms?: string;
  /** The machine's output of `uname -r`, and of `uname -v`. */
  readonly release?: string;
  readonly unameVersion?: string;
};

export type LoadVerdict = {
  /** The worst outcome among the programs that are loaded by default. */
  readonly outcome: Outcome;
  /** The step at which libbpf fails; null if no step fails. */
  readonly stopsAt: 'open' | 'prepare' | 'load' | null;
  /** Warnings that libbpf logs. Names are not escaped. */
  readonly warnings: readonly string[];
  readonly programs: readonly ProgramVerdict[];
  /** Facts that are needed but missing: `what` is missing, and `why` it matters. */
  readonly undecided: readonly { readonly what: string; readonly why: string }[];
};

export type ProgramVerdict = {
  readonly name: string;
  readonly section: string;
  /** True if libbpf loads the program by default. */
  readonly autoload: boolean;
  readonly outcome: Outcome;
  /** All reasons in the order in which they are met, each as if those before it were repaired. */
  readonly reasons: readonly LoadReason[];
};

export type LoadReason = {
  readonly outcome: Outcome;
  /** What decides the outcome `may-fail`; null for other outcomes. */
  readonly dependsOn: Dependency | null;
  /** The step that causes the outcome: `core`, `externs`, `attach` … */
  readonly step: string;
  /** The reason in one sentence. Names are not escaped. */
  readonly text: string;
  /** The line that libbpf or the kernel logs; null if none is known. Names are not escaped. */
  readonly line: string | null;
  /** Index of the instruction in program and subprograms; null if the reason is no instruction. */
  readonly insn: number | null;
  /** Source line, `file:line:column`; null if unknown. */
  readonly source: string | null;
};

/** Simulates libbpf 1.8. Pass null for a kernel without BTF. Rejects if `file` is no BPF object. */
export async function load(
  file: ObjectFile,
  kernel: ObjectFile | null,
  options: LoadOptions = {},
): Promise<LoadVerdict> {
  const { model, source } = ObjectFile.openedOf(file);
  const { name } = model;
  if (!isBpf(model)) {
    const message = `${name} is no BPF object`;
    throw new Malformed({ code: 'load.no-object', region: name, message, span: null });
  }
  const object = await loadObject(model, source);
  const verdict = judgeLoad(object, loadKernel(kernel, options));
  const { outcome, stops_at, warnings, programs, undecided } = loadFields({
    object: name,
    kernel: kernel?.name ?? 'no BTF',
    maps: object.maps,
    verdict,
  });
  return {
    outcome,
    stopsAt: stops_at,
    warnings,
    programs: programs.map((program) => ({
      ...program,
      reasons: program.reasons.map(({ depends_on, ...reason }) => {
        return { ...reason, dependsOn: depends_on };
      }),
    })),
    undecided,
  };
}

/** @internal Returns a kernel with the facts of a caller; null is a kernel without BTF. */
export function loadKernel(kernel: ObjectFile | null, options: LoadOptions): LoadKernel {
  const { modules, config, kallsyms = null, release = null, unameVersion = null } = options;
  const [vmlinux, ...more] = kernel === null ? [] : withModules(kernel, modules ?? []).tables;
  return {
    name: kernel?.name ?? 'no BTF',
    vmlinux: vmlinux?.types ?? null,
    modules: modules === undefined ? null : more,
    config: config === undefined ? null : config === 'none' ? 'none' : { text: config },
    kallsyms,
    release,
    unameVersion,
  };
}
