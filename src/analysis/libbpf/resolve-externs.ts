/**
 * Resolves the externs of an object on a kernel. Log lines lack the prefix `libbpf: `, and their
 * names are raw text. Source: libbpf 1.8, libbpf.c: bpf_object__resolve_externs.
 */
import { kindWord } from '#analysis/core/access-text.ts';
import { essentialName } from '#analysis/core/essential-name.ts';
import { Work } from '#analysis/core/type-pairs.ts';
import { typesAreCompatible } from '#analysis/core/types-match.ts';
import { findInKernel, type LoadKernel } from '#analysis/kernel/kernel.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { kindOf, nameOf, sizeOrTypeOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import { type Extern, type KconfigSlot, parseNumber } from './externs.ts';
import { type Failure, failed } from './outcome.ts';

/** How an extern resolves on a kernel. */
export type ExternResult = {
  readonly extern: Extern;
  /** Result; null if libbpf stopped before this extern, or a fact about the kernel is unknown. */
  readonly result: 'set' | 'resolved' | 'weak_zero' | 'error' | null;
  /** Value of an option as text, or an address in hex; null if there is none. */
  readonly value: string | null;
  /** Type of the extern in the kernel's BTF; null if it has none there. */
  readonly btfId: TypeId | null;
  /** Module whose BTF has the type; null for vmlinux. */
  readonly module: string | null;
  readonly error: string | null;
};

export type Undecided = {
  /** What is undecided: the name of an extern, map or step, as raw text. */
  readonly what: string;
  /** Missing fact as a sentence, with the command-line option that states the fact. */
  readonly why: string;
  /** File about the kernel that would decide the item; null if none would. */
  readonly needs: KernelNeed | null;
};

/** Files about a kernel that add to its BTF. */
export type KernelNeed = 'modules' | 'config' | 'kallsyms' | 'release';

/** A failure, and the name of the extern that it is about; null for a failure of all options. */
export type ExternFailure = { readonly failure: Failure; readonly name: string | null };

export type Resolution = {
  /** Results up to the first failure, at which libbpf stops. */
  readonly externs: readonly ExternResult[];
  /** Warnings before the first failure. */
  readonly warnings: readonly string[];
  /** The failure at which libbpf stops, then each that it would meet if those before were repaired. */
  readonly failures: readonly ExternFailure[];
  /** Items that are undecided before the first failure. */
  readonly undecided: readonly Undecided[];
  /** Results as if libbpf did not stop. */
  readonly all: readonly ExternResult[];
};

type Draft = { -readonly [K in keyof ExternResult]: ExternResult[K] };

export function resolveExterns(
  types: TypeTable | null,
  list: readonly Extern[],
  kernel: LoadKernel,
): Resolution {
  return new Run(types, list, kernel).all();
}

/** Returns the result of an extern before it is resolved. */
export function unresolvedExtern(extern: Extern): ExternResult {
  return { extern, result: null, value: null, btfId: null, module: null, error: null };
}

const VIRTUAL_PROBES: ReadonlySet<string> = new Set([
  'LINUX_HAS_BPF_COOKIE',
  'LINUX_HAS_SYSCALL_WRAPPER',
]);

/** Types of options that can hold 0 or 1. */
const ONE_BIT: ReadonlySet<string> = new Set(['int', 'char', 'bool']);

/** Returns undecided externs that may make prepare fail: strong ones, options that may not fit. */
export function openExterns({ externs, undecided }: Resolution): readonly Undecided[] {
  const unknown = new Set(
    externs
      .filter(({ extern: { kind, name, weak, kconfig }, result }) => {
        if (result !== null) return false;
        const isProbe = VIRTUAL_PROBES.has(name) && ONE_BIT.has(kconfig?.type ?? '');
        return kind === 'kcfg' ? !isProbe : !weak;
      })
      .map(({ extern }) => extern.name),
  );
  return undecided.filter(({ what }) => unknown.has(what));
}

class Run {
  readonly results: Draft[];
  readonly warnings: string[] = [];
  readonly undecided: Undecided[] = [];
  readonly #types: TypeTable | null;
  readonly #kernel: LoadKernel;
  readonly #byName: ReadonlyMap<string, Draft>;
  readonly #failures: ExternFailure[] = [];
  /** What libbpf has found when it stops; null before the first failure. */
  #stopped: Pick<Resolution, 'externs' | 'warnings' | 'undecided'> | null = null;

  constructor(types: TypeTable | null, list: readonly Extern[], kernel: LoadKernel) {
    this.#types = types;
    this.#kernel = kernel;
    this.results = list.map(unresolvedExtern);
    // If two externs have one name, libbpf uses the first.
    const byName = new Map<string, Draft>();
    for (const draft of this.results) {
      if (!byName.has(draft.extern.name)) byName.set(draft.extern.name, draft);
    }
    this.#byName = byName;
  }

  all(): Resolution {
    this.#virtual();
    this.#options();
    this.#symbols();
    this.#typed();
    this.#unset();
    const { results, warnings, undecided } = this;
    const stopped = this.#stopped ?? { externs: results, warnings, undecided };
    return { ...stopped, failures: this.#failures, all: results };
  }

  #fail(draft: Draft, error: string, errno = 'EINVAL'): Failure {
    draft.result = 'error';
    draft.error = error;
    const { kind, name } = draft.extern;
    return failed(errno, `extern (${kind}) '${name}': ${error}`);
  }

  /** Notes a failure; null is ignored. libbpf stops at the first. */
  #stop(failure: Failure | null, name: string | null): void {
    if (failure === null) return;
    this.#failures.push({ failure, name });
    this.#stopped ??= {
      externs: this.results.map((result) => ({ ...result })),
      warnings: [...this.warnings],
      undecided: [...this.undecided],
    };
  }

  #virtual(): void {
    for (const draft of this.results) {
      const { name, kconfig } = draft.extern;
      if (kconfig === null || name.startsWith('CONFIG_')) continue;
      this.#stop(this.#virtualOption(draft, kconfig), name);
    }
  }

  #virtualOption(draft: Draft, kconfig: KconfigSlot): Failure | null {
    const { name, weak } = draft.extern;
    let value = 0n;
    if (name === 'LINUX_KERNEL_VERSION') {
      const version = kernelVersion(this.#kernel);
      if (version === null) {
        const why = 'The version of the running kernel: give --release and --uname-version.';
        this.#leaveOpen(name, why, 'release');
        return null;
      }
      if (version === 0) return this.#fail(draft, 'failed to get kernel version');
      value = BigInt(version);
    } else if (VIRTUAL_PROBES.has(name)) {
      this.#leaveOpen(name, 'libbpf asks the running kernel.', null);
      return null;
    } else if (!name.startsWith('LINUX_') || !weak) {
      return this.#fail(draft, 'unrecognized virtual extern');
    }
    const failure = this.#setNumber(draft, kconfig, value);
    if (failure === null) draft.value = `0x${value.toString(16)}`;
    return failure;
  }

  #leaveOpen(what: string, why: string, needs: KernelNeed | null): void {
    this.undecided.push({ what, why, needs });
  }

  /** Sets an option to a number. Returns the failure or null. Source: set_kcfg_value_num. */
  #setNumber(draft: Draft, slot: KconfigSlot, value: bigint): Failure | null {
    const { type, size, signed } = slot;
    const shown = `value '${BigInt.asUintN(64, value)}'`;
    if (type !== 'int' && type !== 'char' && type !== 'bool') {
      return this.#fail(draft, `${shown} implies integer, char, or boolean type`);
    }
    if (type === 'bool' && value > 1n) {
      return this.#fail(draft, `${shown} isn't boolean compatible`);
    }
    const bits = BigInt(size * 8);
    const half = 1n << (bits - 1n);
    const raw = BigInt.asUintN(64, value);
    const fits =
      size === 8 || (signed ? BigInt.asUintN(64, raw + half) < 1n << bits : raw >> bits === 0n);
    if (!fits) return this.#fail(draft, `${shown} doesn't fit in ${size} bytes`, 'ERANGE');
    draft.result = 'set';
    return null;
  }

  #options(): void {
    const wanted = this.results.filter(
      ({ extern, result }) =>
        extern.kconfig !== null && extern.name.startsWith('CONFIG_') && result === null,
    );
    const { config } = this.#kernel;
    if (wanted.length === 0) return;
    if (config === null) {
      for (const { extern } of wanted) {
        this.#leaveOpen(extern.name, 'The configuration of the kernel: give --config.', 'config');
      }
      return;
    }
    if (config === 'none') {
      this.#stop(failed('EINVAL', 'failed to open system Kconfig'), null);
      for (const draft of wanted) draft.result = 'error';
      return;
    }
    for (const line of config.text.split('\n')) {
      if (!line.startsWith('CONFIG_')) continue;
      const name = line.split('=', 1)[0] ?? line;
      this.#stop(this.#optionLine(line), this.#byName.has(name) ? name : null);
    }
  }

  /** Sets the option in a line of the configuration. Source: bpf_object__process_kconfig_line. */
  #optionLine(line: string): Failure | null {
    const equals = line.indexOf('=');
    const name = equals < 0 ? line : line.slice(0, equals);
    const inFile = (failure: Failure): Failure => ({
      errno: 'EINVAL',
      lines: [...failure.lines, `error parsing system Kconfig line '${name}': -${failure.errno}`],
    });
    if (equals < 0) return inFile(failed('EINVAL', `failed to parse '${line}': no separator`));
    const value = line.slice(equals + 1);
    if (value === '') return inFile(failed('EINVAL', `failed to parse '${line}': no value`));
    const draft = this.#byName.get(name);
    const slot = draft?.extern.kconfig ?? null;
    if (draft === undefined || slot === null || draft.result !== null) return null;
    const failure = this.#setOption(draft, slot, value);
    if (failure !== null) return inFile(failure);
    draft.value = value;
    return null;
  }

  #setOption(draft: Draft, slot: KconfigSlot, value: string): Failure | null {
    const first = value[0] ?? '';
    if (first === '"') return this.#setText(draft, slot, value);
    if ('ynm'.includes(first)) return this.#setChoice(draft, slot, first);
    const number = parseNumber(value);
    if (number === null) return this.#fail(draft, `value '${value}' isn't a valid integer`);
    if (slot.type !== 'int' && slot.type !== 'char') {
      return this.#fail(draft, `value '${value}' implies integer type`);
    }
    return this.#setNumber(draft, slot, number);
  }

  /** Sets an option to y, n or m. Source: set_kcfg_value_tri. */
  #setChoice(draft: Draft, { type }: KconfigSlot, value: string): Failure | null {
    if (type === 'bool' && value === 'm') {
      return this.#fail(draft, `value 'm' implies tristate or char type`);
    }
    if (type !== 'bool' && type !== 'tristate' && type !== 'char') {
      return this.#fail(draft, `value '${value}' implies bool, tristate, or char type`);
    }
    draft.result = 'set';
    return null;
  }

  /** Sets an option to text. Source: set_kcfg_value_str. */
  #setText(draft: Draft, { type, size }: KconfigSlot, value: string): Failure | null {
    if (type !== 'char array') return this.#fail(draft, `value '${value}' implies char array type`);
    if (value.length < 2 || !value.endsWith('"')) {
      return this.#fail(draft, `invalid string config '${value}'`);
    }
    const { length } = new TextEncoder().encode(value.slice(1, -1));
    if (length >= size) {
      draft.error = `long string '${value}' of (${length} bytes) truncated to ${size - 1} bytes`;
      this.warnings.push(`extern (kcfg) '${draft.extern.name}': ${draft.error}`);
    }
    draft.result = 'set';
    return null;
  }

  /** Sets symbols from /proc/kallsyms. Source: bpf_object__read_kallsyms_file, kallsyms_cb. */
  #symbols(): void {
    const wanted = this.results.filter(({ extern }) => extern.kind === 'ksym');
    const { kallsyms } = this.#kernel;
    if (wanted.length === 0) return;
    if (kallsyms === null) {
      const why = 'The symbols of the running kernel: give --kallsyms.';
      for (const { extern } of wanted) this.#leaveOpen(extern.name, why, 'kallsyms');
      return;
    }
    for (const line of kallsyms.split('\n')) {
      const [, address = '', type = '', name = ''] = KALLSYMS_LINE.exec(line) ?? [];
      const end = type === 'd' ? name.indexOf('.llvm.') : -1;
      const draft =
        this.#byName.get(name) ?? (end < 0 ? undefined : this.#byName.get(name.slice(0, end)));
      // A line of kallsyms also sets a typed variable of the same name, but not a function.
      const kind = draft?.extern.kind;
      if (draft === undefined || (kind !== 'ksym' && kind !== 'var ksym')) continue;
      if (draft.result === 'error') continue;
      const value = `0x${BigInt(`0x${address}`).toString(16)}`;
      if (draft.result === 'set' && draft.value !== value) {
        const error = `resolution is ambiguous: ${draft.value} or ${value}`;
        draft.result = 'error';
        draft.error = error;
        this.#stop(failed('EINVAL', `extern (ksym) '${name}': ${error}`), name);
        continue;
      }
      draft.result = 'set';
      draft.value = value;
    }
  }

  #typed(): void {
    for (const draft of this.results) {
      const { kind, name } = draft.extern;
      if ((kind !== 'var ksym' && kind !== 'func ksym') || draft.result === 'error') continue;
      this.#stop(kind === 'var ksym' ? this.#variable(draft) : this.#function(draft), name);
    }
  }

  #missing(name: string): void {
    if (this.#kernel.modules !== null) return;
    this.#leaveOpen(name, 'A module that is loaded may have it: give --module.', 'modules');
  }

  /** Resolves a typed variable. Source: bpf_object__resolve_ksym_var_btf_id. */
  #variable(draft: Draft): Failure | null {
    const { name, weak, type } = draft.extern;
    const target = findInKernel(this.#kernel, BtfKind.VAR, name);
    if (target === null) {
      this.#missing(name);
      return weak ? null : this.#fail(draft, 'not found in kernel BTF');
    }
    const of = skipModifiers(target.types, typeId(sizeOrTypeOf(target.types, target.id)));
    if (!this.#fits(type, target.types, of)) {
      const local = this.#types === null ? '' : kindAndName(this.#types, type);
      const kernel = `kernel has [${of}] ${kindAndName(target.types, of)}`;
      return this.#fail(draft, `incompatible types, expected [${type}] ${local}, but ${kernel}`);
    }
    draft.result = 'resolved';
    draft.btfId = target.id;
    draft.module = target.module;
    return null;
  }

  /** Resolves a function. Source: bpf_object__resolve_ksym_func_btf_id. */
  #function(draft: Draft): Failure | null {
    const { name, weak, type } = draft.extern;
    const target = findInKernel(this.#kernel, BtfKind.FUNC, essentialName(name));
    if (target === null) {
      this.#missing(name);
      return weak ? null : this.#fail(draft, 'not found in kernel or module BTFs');
    }
    const proto = typeId(sizeOrTypeOf(target.types, target.id));
    if (!this.#fits(type, target.types, proto)) {
      const where = target.module ?? 'vmlinux';
      return weak
        ? null
        : this.#fail(draft, `func_proto [${type}] incompatible with ${where} [${proto}]`);
    }
    draft.result = 'resolved';
    draft.btfId = target.id;
    draft.module = target.module;
    return null;
  }

  #fits(local: TypeId, target: TypeTable, id: TypeId): boolean {
    if (this.#types === null) return false;
    return areCompatible(this.#types, local, target, id);
  }

  #unset(): void {
    const open = new Set(this.undecided.map(({ what }) => what));
    for (const draft of this.results) {
      const { name, weak, kind } = draft.extern;
      if (draft.result !== null) continue;
      // Skip an extern whose value only the running kernel knows: it is neither set nor missing.
      if ((kind === 'kcfg' || kind === 'ksym') && open.has(name)) continue;
      if (weak) draft.result = 'weak_zero';
      else {
        draft.result = 'error';
        draft.error = 'not resolved';
        this.#stop(failed('ESRCH', `extern '${name}' (strong): not resolved`), name);
      }
    }
  }
}

/** Returns true if prototypes or variables are compatible. Source: bpf_core_types_are_compat. */
export function areCompatible(
  local: TypeTable,
  id: TypeId,
  target: TypeTable,
  of: TypeId,
): boolean {
  const recorder = { log: () => {}, detail: null, work: new Work(1) };
  return typesAreCompatible(local, id, target, of, recorder).outcome === 'match';
}

const KALLSYMS_LINE = /^([0-9a-f]+) (\S) (\S+)/i;

function kindAndName(t: TypeTable, id: TypeId): string {
  return `${kindWord(kindOf(t, id))} ${nameOf(t, id)}`;
}

/**
 * Returns LINUX_KERNEL_VERSION; 0 if libbpf finds none, null for an unknown release. Ignores
 * Ubuntu's /proc/version_signature. Source: get_kernel_version, get_debian_kernel_version.
 */
function kernelVersion({ release, unameVersion }: LoadKernel): number | null {
  if (release === null) return null;
  const debian = /Debian (\d+)\.(\d+)\.(\d+)/.exec(unameVersion ?? '');
  const [, major, minor, patch] = debian ?? /^(\d+)\.(\d+)\.(\d+)/.exec(release) ?? [];
  if (patch === undefined) return 0;
  return Number(major) * 65_536 + Number(minor) * 256 + Math.min(Number(patch), 255);
}
