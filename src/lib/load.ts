/** Loading an object on a kernel. */
import { judgeLoad } from '#analysis/libbpf/load.ts';
import { loadObject } from '#analysis/libbpf/open.ts';
import { Malformed } from '#bytes/issue.ts';
import { isBpf } from '#model/object-model.ts';
import { loadFields } from '#print/load-text.ts';
import { withModules } from './core.ts';
import { ObjectFile } from './open.ts';

/** From best to worst: the verifier rejects for `rejected`, libbpf fails earlier for `fails`. */
export type Outcome = 'loads' | 'may-fail' | 'rejected' | 'fails';

/** Facts about the machine beside its kernel; a missing fact may leave the outcome undecided. */
export type LoadOptions = {
  /** Modules in load order, each opened with the kernel as its `base`; `[]` for no module. */
  readonly modules?: readonly ObjectFile[];
  /** Text of the kernel's configuration; `none` if the machine has none. */
  readonly config?: string;
  /** Text of `/proc/kallsyms`. */
  readonly kallsyms?: string;
  /** Output of `uname -r` and `uname -v`. */
  readonly release?: string;
  readonly unameVersion?: string;
};

export type LoadVerdict = {
  /** The worst outcome of the programs that are loaded by default. */
  readonly outcome: Outcome;
  /** The step at which libbpf stops; null if it does not stop. */
  readonly stopsAt: 'open' | 'prepare' | 'load' | null;
  /** Warnings that libbpf logs. Names as in the file. */
  readonly warnings: readonly string[];
  readonly programs: readonly ProgramVerdict[];
  /** Missing facts, and the reason why each could matter. */
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
  /** Index of the instruction in the program with its subprograms; null without an instruction. */
  readonly insn: number | null;
  /** `file:line:column`; null if unknown. */
  readonly source: string | null;
};

/** Simulates libbpf 1.8; `null` is a kernel without BTF. Rejects for a file of another kind. */
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
