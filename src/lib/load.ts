/** Whether libbpf loads an object on a kernel. */
import { judgeLoad } from '#analysis/libbpf/load.ts';
import { loadObject } from '#analysis/libbpf/open.ts';
import { Malformed } from '#bytes/issue.ts';
import { isBpf } from '#model/object-model.ts';
import { loadFields } from '#print/load-text.ts';
import { withModules } from './core.ts';
import { ObjectFile } from './open.ts';

/** From good to bad: `rejected` by the verifier, `fails` before it. */
export type Outcome = 'loads' | 'may-fail' | 'rejected' | 'fails';

/** What is known of the machine beside its kernel; what is not given may leave something undecided. */
export type LoadOptions = {
  /** Modules in load order, each opened with the kernel as its `base`; `[]`: no module is loaded. */
  readonly modules?: readonly ObjectFile[];
  /** The text of the kernel's configuration; `none`: the machine has none. */
  readonly config?: string;
  /** The text of `/proc/kallsyms`. */
  readonly kallsyms?: string;
  /** What `uname -r` and `uname -v` print. */
  readonly release?: string;
  readonly unameVersion?: string;
};

export type LoadVerdict = {
  /** The worst of the programs that are loaded by default. */
  readonly outcome: Outcome;
  /** The step at which libbpf gives up; null where it does not. */
  readonly stopsAt: 'open' | 'prepare' | 'load' | null;
  /** What libbpf logs as warnings. Names as in the file. */
  readonly warnings: readonly string[];
  readonly programs: readonly ProgramVerdict[];
  /** What was not given, and why it would count. */
  readonly undecided: readonly { readonly what: string; readonly why: string }[];
};

export type ProgramVerdict = {
  readonly name: string;
  readonly section: string;
  /** Is it loaded by default? */
  readonly autoload: boolean;
  readonly outcome: Outcome;
  readonly reasons: readonly LoadReason[];
};

export type LoadReason = {
  readonly outcome: Outcome;
  /** `core`, `externs`, `attach` … */
  readonly step: string;
  /** One sentence. Names as in the file. */
  readonly text: string;
  /** The instruction of the program with its subprograms; null where it is of none. */
  readonly insn: number | null;
  /** `file:line:column`; null where it is not known. */
  readonly source: string | null;
};

/**
 * What libbpf 1.8 makes of a BPF object on a kernel, up to the verifier; `null`: a kernel without
 * BTF. Rejects with `Malformed` for a file that is no BPF object.
 */
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
  const { modules, config, kallsyms = null, release = null, unameVersion = null } = options;
  const [vmlinux, ...more] = kernel === null ? [] : withModules(kernel, modules ?? []).tables;
  const object = await loadObject(model, source);
  const verdict = judgeLoad(object, {
    name: kernel?.name ?? 'no BTF',
    vmlinux: vmlinux?.types ?? null,
    modules: modules === undefined ? null : more,
    config: config === undefined ? null : config === 'none' ? 'none' : { text: config },
    kallsyms,
    release,
    unameVersion,
  });
  const { outcome, stops_at, warnings, programs, undecided } = loadFields({
    object: name,
    kernel: kernel?.name ?? 'no BTF',
    maps: object.maps,
    verdict,
  });
  return { outcome, stopsAt: stops_at, warnings, programs, undecided };
}
