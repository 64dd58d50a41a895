/**
 * Refuses instructions that a kernel does not know: by its version, with the verifier's words, in
 * the order of its passes. Source: kernel/bpf/verifier.c: bpf_check.
 */

import { append } from '#bytes/arrays.ts';
import { decodeInsn, type Insn, isCall, isLdImm64, SLOT_SIZE } from '#formats/bpf/insn.ts';
import { CALL_SOURCE, IMM64_SOURCE, OPCODE } from '#formats/bpf/opcodes.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import { kindOf, lastId } from '#model/type-table.ts';
import { INSN_VERSIONS, type InsnContext, type InsnRefusal, refusedInsn } from './insn-fields.ts';
import { type InsnNeed, insnNeed } from './insn-needs.ts';
import type { LoadKernel } from './kernel.ts';
import type { KernelProgram, Refusal } from './refusals.ts';
import {
  compareVersions,
  FIRST_WITH_BTF,
  isSince,
  rangeText,
  type Version,
  type VersionRange,
  versionRange,
} from './version.ts';

/** `BPF_MAP_TYPE_ARENA`. */
const ARENA = 33;

/** First version that is judged if the kernel's version is not known. */
const FIRST: Version = '5.0';

/** Returns a refusal for each instruction that the kernel does not know. */
export function instructionSet(program: KernelProgram, kernel: LoadKernel): Refusal[] {
  const { bytes, endian, maps } = program;
  const range = versionRange(kernel);
  const versions = versionsIn(range);
  const hasArena = [...maps.values()].some(({ type }) => type === ARENA);
  const early: Refusal[] = [];
  const first: Refusal[] = [];
  const reached: Refusal[] = [];
  for (let slot = 0; slot * SLOT_SIZE < bytes.length; ) {
    const decoded = decodeInsn(bytes, slot * SLOT_SIZE, endian);
    if (decoded === null) break;
    // libbpf marks the address of a function in src_reg.
    const isFunction = isLdImm64(decoded) && program.callee(slot) !== null;
    const insn = isFunction ? { ...decoded, srcReg: IMM64_SOURCE.func } : decoded;
    const context = { hasSecondSlot: hasSecondSlot(program, insn), hasArena };
    const refusal = insnRefusal(insn, slot, { context, versions, range });
    if (refusal !== null) (refusal.pass === 'always' ? first : reached).push(refusal);
    else if (!program.kfuncs.has(slot)) append(early, wrongBtfId(insn, slot, kernel));
    slot += insn.length / SLOT_SIZE;
  }
  return [...early, ...uncountedFunctions(program, kernel), ...first, ...reached];
}

/** Returns the versions in a range at which the answer to an instruction may differ. */
function versionsIn(range: VersionRange | null): readonly Version[] {
  if (range === null) return [FIRST, ...INSN_VERSIONS];
  const { from, below } = range;
  const within = INSN_VERSIONS.filter(
    (version) =>
      compareVersions(version, from) > 0 && (below === null || compareVersions(version, below) < 0),
  );
  return [from, ...within];
}

function hasSecondSlot({ bytes }: KernelProgram, { offset, truncated }: Insn): boolean {
  // Opcode, registers and offset of the second slot are 0.
  return !truncated && bytes.subarray(offset + 8, offset + 12).every((byte) => byte === 0);
}

type Asked = {
  readonly context: InsnContext;
  readonly versions: readonly Version[];
  readonly range: VersionRange | null;
};

function insnRefusal(
  insn: Insn,
  slot: number,
  { context, versions, range }: Asked,
): Refusal | null {
  const answers = versions.map((version) => refusedInsn(insn, context, version));
  const refused = answers.filter((answer): answer is InsnRefusal => answer !== null);
  const [one] = refused;
  if (one === undefined) return null;
  const need = insnNeed(insn);
  const isSure = refused.length === answers.length && refused.every((answer) => answer.isSure);
  // BTF that tells nothing of the version is no reason for doubt.
  if (!isSure && range !== null && isUnknown(range)) return null;
  return {
    step: 'instruction',
    text: refusalText(insn, slot, { need, isSure, range, line: one.line }),
    line: refused.every(({ line }) => line === one.line) ? one.line : null,
    insn: slot,
    pass: refused.every(({ pass }) => pass === 'always') ? 'always' : 'reached',
    isSure,
    ...(answers.length > 1 ? { dependsOn: 'release' } : {}),
    kind: need?.what ?? one.line,
  };
}

type Told = {
  readonly need: InsnNeed | null;
  readonly isSure: boolean;
  readonly range: VersionRange | null;
  readonly line: string;
};

function refusalText({ opcode }: Insn, slot: number, { need, isSure, range, line }: Told): string {
  const code = opcode.toString(16).padStart(2, '0');
  const isNewEnough =
    need === null || (need.since !== null && isAtLeast(range ?? { from: FIRST }, need.since));
  if (isNewEnough) {
    return line.startsWith('unknown opcode')
      ? `insn ${slot} has opcode ${code}, which no kernel has.`
      : `insn ${slot} (opcode ${code}) has a field or number that the kernel does not accept.`;
  }
  const { what, since, advice } = need;
  const which =
    since === null
      ? 'which no kernel has.'
      : `which Linux has since ${since}; ${kernelText(range, isSure)}.`;
  return [`insn ${slot} is ${what}, ${which}`, advice].filter((part) => part !== '').join(' ');
}

function isAtLeast({ from }: Pick<VersionRange, 'from'>, since: Version): boolean {
  return compareVersions(from, since) >= 0;
}

/** Returns true for the range of a kernel with BTF that has no sign of the version. */
function isUnknown({ from, below }: VersionRange): boolean {
  return from === FIRST_WITH_BTF && below === null;
}

function kernelText(range: VersionRange | null, isSure: boolean): string {
  if (range === null) return "this kernel's version is not known";
  const name = rangeText(range);
  return isSure ? `this kernel is ${name}` : `this kernel is ${name}, and may have it`;
}

/** Refuses an instruction that names a type of the kernel by its id, if the type is another one. */
function wrongBtfId(insn: Insn, slot: number, kernel: LoadKernel): Refusal[] {
  const { vmlinux: t } = kernel;
  const isCalled = isCall(insn) && insn.srcReg === CALL_SOURCE.pseudoKfuncCall;
  const isLoaded = isLdImm64(insn) && insn.srcReg === IMM64_SOURCE.btfId;
  // A second number names the BTF of a module.
  if (t === null || !(isCalled ? insn.off === 0 : isLoaded && insn.nextImm === 0)) return [];
  const id = insn.imm >>> 0;
  const kind = id <= lastId(t) ? kindOf(t, typeId(id)) : null;
  const of = (text: string, line: string | null): Refusal[] => {
    return [{ step: 'instruction', text, line, insn: slot, pass: 'always' }];
  };
  if (isCalled) {
    if (kind === BtfKind.FUNC || (id === 0 && insn.off === 0)) return [];
    const text = `insn ${slot} calls the kfunc with BTF id ${id}, which is no function of the kernel.`;
    return of(text, `kernel btf_id ${id} is not a function`);
  }
  if (kind === BtfKind.VAR || kind === BtfKind.FUNC) return [];
  const text = `insn ${slot} loads the address of BTF id ${id}, which is no variable of the kernel.`;
  if (kind === null) return of(text, `ldimm64 insn specifies invalid btf_id ${insn.imm}.`);
  const line = `pseudo btf_id ${insn.imm} in ldimm64 isn't KIND_VAR`;
  const isNew = isSince(kernel, '6.4');
  return of(text, isNew === null ? null : `${line}${isNew ? ' or KIND_FUNC' : '.'}`);
}

/**
 * Refuses function information of functions whose address is loaded: a kernel without such
 * addresses does not count these functions. Source: check_btf_func in Linux 5.10.
 */
function uncountedFunctions(program: KernelProgram, kernel: LoadKernel): Refusal[] {
  if (isSince(kernel, '5.13') !== false || program.funcInfoCount === 0) return [];
  const called = new Set<number>([0]);
  for (let slot = 0; slot * SLOT_SIZE < program.bytes.length; slot++) {
    if (program.bytes[slot * SLOT_SIZE] !== OPCODE.call) continue;
    const callee = program.callee(slot);
    if (callee !== null) called.add(callee);
  }
  if (called.size === program.funcInfoCount) return [];
  const counts = `${program.funcInfoCount} functions, and this kernel counts ${called.size}`;
  return [
    {
      step: 'instruction',
      text: `The BTF of the program has ${counts}: it counts only functions that are called, not those whose address is loaded.`,
      line: "number of funcs in func_info doesn't match number of subprogs",
      insn: null,
      pass: 'always',
      // Without BTF that the kernel takes, libbpf does not pass function information.
      isSure: false,
    },
  ];
}
