/**
 * Whether the kernel can describe a function's arguments and result: the condition for fentry,
 * fexit, fmod_ret, LSM hooks, iterators and calls of kfuncs. Source: kernel/bpf/btf.c:
 * btf_distill_func_proto, __get_type_size, in Linux 5.10 to 7.1.
 */
import { BtfKind, kindName } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { isEnum, readParams } from '#model/type-items.ts';
import { kindOf, sizeOrTypeOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import { byVersion, type DependsOn } from './dependency.ts';
import type { LoadKernel } from './kernel.ts';
import { isSince } from './version.ts';

/** Type of an argument or result after modifiers and typedefs. */
export type ArgType = {
  /** BTF_KIND_*; 0 for void and `...`; null if it is not known. */
  readonly kind: number | null;
  /** Size in bytes of an integer, enum, struct or union; null for others, and if not known. */
  readonly size: number | null;
};

export type FuncModel = { readonly returns: ArgType; readonly params: readonly ArgType[] };

/** Returns the arguments and the result of a FUNC_PROTO. */
export function funcModel(t: TypeTable, proto: TypeId): FuncModel {
  const params = readParams(t, proto);
  return {
    returns: argType(t, typeId(sizeOrTypeOf(t, proto))),
    params: Array.from({ length: params.count }, (_, index) => argType(t, params.type(index))),
  };
}

function argType(t: TypeTable, id: TypeId): ArgType {
  const type = skipModifiers(t, id);
  const kind = kindOf(t, type);
  return { kind, size: isSized(kind) ? sizeOrTypeOf(t, type) : null };
}

function isSized(kind: number): boolean {
  return kind === BtfKind.INT || kind === BtfKind.STRUCT || kind === BtfKind.UNION || isEnum(kind);
}

/** Rule that a prototype breaks. */
export type ModelRule = 'many' | 'ret' | 'variadic' | 'arg' | 'void';

export type ModelFault = DependsOn & {
  readonly rule: ModelRule;
  /** The kernel's log line, exactly; null if it is not known which rule the kernel meets first. */
  readonly line: string | null;
  /** False if the kernel's version decides, or the size of an argument, and is not known. */
  readonly isSure: boolean;
};

/** Maximum arguments: MAX_BPF_FUNC_ARGS of include/linux/bpf.h. */
const MAX_ARGS = 12;
/** Maximum size in bytes of a struct that is passed by value. */
const MAX_STRUCT_BYTES = 16;

/** Returns the first rule that a prototype breaks on a kernel; null if it breaks none. */
export function modelFault(
  name: string,
  { returns, params }: FuncModel,
  kernel: LoadKernel,
): ModelFault | null {
  const faults = [...faultsOf(name, returns, params, kernel)];
  const [first = null] = faults;
  const sure = faults.find(({ isSure }) => isSure);
  return first === null || first.isSure || sure === undefined ? first : { ...sure, line: null };
}

function* faultsOf(
  name: string,
  returns: ArgType,
  params: readonly ArgType[],
  kernel: LoadKernel,
): Generator<ModelFault> {
  const { length } = params;
  const line = (text: string) => `The function ${name} ${text}`;
  const unsupported = (what: string, { kind }: ArgType) =>
    kind === null ? null : line(`${what} type ${kindName(kind)} is unsupported.`);
  if (length > MAX_ARGS || (length === MAX_ARGS && isSince(kernel, '5.18') !== true)) {
    // Linux 5.18 counts to 12: before, the kernel refused 12 as well.
    const isSure = length > MAX_ARGS || isSince(kernel, '5.18') === false;
    const text = line(`has ${length} arguments. Too many.`);
    const decides = isSure ? {} : byVersion(kernel, '5.18');
    yield { rule: 'many', line: text, isSure, ...decides };
  }
  const result = isFit(returns, { canBeStruct: false, canBeUnion: false });
  if (result !== true) {
    yield { rule: 'ret', line: unsupported('return', returns), isSure: result === false };
  }
  const canBe = { canBeStruct: isSince(kernel, '6.1'), canBeUnion: isSince(kernel, '6.18') };
  for (const [index, param] of params.entries()) {
    if (param.kind === 0) {
      const isLast = index === length - 1;
      yield isLast
        ? { rule: 'variadic', line: line('with variable args is unsupported.'), isSure: true }
        : { rule: 'void', line: line('has malformed void argument.'), isSure: true };
      continue;
    }
    const fits = isFit(param, canBe);
    if (fits !== true) {
      const isSure = fits === false;
      const version = param.kind === BtfKind.UNION ? '6.18' : '6.1';
      const decides = isSure ? {} : byVersion(kernel, version);
      yield { rule: 'arg', line: unsupported(`arg${index}`, param), isSure, ...decides };
    } else if (param.size === 0) {
      yield { rule: 'void', line: line('has malformed void argument.'), isSure: true };
    }
  }
}

type ByValue = { readonly canBeStruct: boolean | null; readonly canBeUnion: boolean | null };

/** Returns true if the kernel can pass the type, false if not, null if this is not known. */
function isFit({ kind, size }: ArgType, { canBeStruct, canBeUnion }: ByValue): boolean | null {
  if (kind === null) return null;
  if (kind === 0 || kind === BtfKind.PTR) return true;
  if (size !== null && size > MAX_STRUCT_BYTES) return false;
  if (kind === BtfKind.STRUCT || kind === BtfKind.UNION) {
    const canBe = kind === BtfKind.STRUCT ? canBeStruct : canBeUnion;
    return canBe === true && size === null ? null : canBe;
  }
  return kind === BtfKind.INT || isEnum(kind);
}
