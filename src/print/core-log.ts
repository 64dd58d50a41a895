/**
 * Writes libbpf's log for one CO-RE record at the debug level. Source: libbpf 1.8, calls of
 * `pr_debug` and `pr_warn` in src/relo_core.c and src/libbpf.c. As in libbpf, instruction numbers
 * count from the start of the program or of the section. Names are not escaped.
 */
import { Errno } from '#analysis/core/access-string.ts';
import type { CoreObjectRecord } from '#analysis/core/core-records.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';
import type { FieldFault } from '#analysis/core/spec-value.ts';
import type { TraceStep, Verdict } from '#analysis/core/trace.ts';

type Line = { readonly text: string; readonly warning: boolean };

const debug = (text: string): Line[] => [{ text: `libbpf: ${text}`, warning: false }];
const warning = (text: string): Line[] => [{ text: `libbpf: ${text}`, warning: true }];

/** Returns the lines that src/relo_core.c logs for a record, with the prefix `libbpf: `. */
export function coreLog({ record, steps }: CoreResult): string[] {
  return steps.flatMap((step) => lineOf(record, step)).map((line) => line.text);
}

export type RecordLog = { readonly record: CoreObjectRecord; readonly lines: readonly string[] };

/** Yields an object's log up to a record that fails (libbpf, `bpf_object__relocate_core`). */
export function* objectLog(results: Iterable<CoreResult>): Generator<RecordLog> {
  for (const result of results) {
    const { record } = result;
    const lines = recordLog(result);
    if (!isFatal(result)) {
      yield { record, lines };
      continue;
    }
    yield { record, lines: [...lines, ...lastLines(result).map((line) => line.text)] };
    return;
  }
}

function isFatal({ status }: CoreResult): boolean {
  return status === 'failed' || status === 'ambiguous';
}

/** Returns the lines that libbpf logs after a record at which it stops; none for other records. */
function lastLines(result: CoreResult): Line[] {
  if (!isFatal(result)) return [];
  const { resolveErr, patchErr } = result;
  return warning(`failed to perform CO-RE relocations: ${errorName(resolveErr || patchErr)}`);
}

/** Returns the warnings among the log lines of records, without the prefix `libbpf: `. */
export function coreWarnings(results: readonly CoreResult[]): string[] {
  return results.flatMap((result) => {
    const own = result.steps.flatMap((step) => lineOf(result.record, step));
    return [...own, ...loaderLines(result), ...lastLines(result)]
      .filter(({ warning: is }) => is)
      .map(({ text }) => text.replace('libbpf: ', ''));
  });
}

/** Returns all log lines of one record: those of src/relo_core.c and those of src/libbpf.c. */
export function recordLog(result: CoreResult): string[] {
  return [...coreLog(result), ...loaderLines(result).map((line) => line.text)];
}

function loaderLines({ record, status, steps, resolveErr, patchErr }: CoreResult): Line[] {
  const { root, relocIndexInSection, sectionName, insnOff } = record;
  if (status === 'skipped') {
    return debug(
      `sec '${sectionName}': skipping CO-RE relocation #${relocIndexInSection} for insn #${Math.floor(insnOff / 8)} belonging to eliminated weak subprogram`,
    );
  }
  const at = `prog '${programOf(record)}': relo #${relocIndexInSection}`;
  if (resolveErr === 0) {
    return patchErr === 0
      ? []
      : warning(`${at}: failed to patch insn #${insnIndexOf(record)}: ${errorName(patchErr)}`);
  }
  const search = steps.find((step) => step.step === 'search-failed');
  const searched =
    search?.step === 'search-failed' && search.kind !== null
      ? warning(
          `${at}: target candidate search failed for [${root}] ${search.kind} : ${search.errno}`,
        )
      : [];
  return [...searched, ...warning(`${at}: failed to relocate: ${errorName(resolveErr)}`)];
}

const ERROR_NAMES = new Map<number, string>(
  Object.entries(Errno).map(([name, errno]) => [errno, `-${name}`]),
);

/** Returns the text of an error as in libbpf 1.6 and later: `errstr` in src/str_error.c. */
function errorName(errno: number): string {
  return ERROR_NAMES.get(errno) ?? `${errno}`;
}

/** Returns the last warning of a record, or the text of its error; null if it has no error. */
export function coreError(result: CoreResult): string | null {
  const { record, steps, resolveErr, patchErr } = result;
  const last = steps.flatMap((step) => lineOf(record, step)).findLast((line) => line.warning);
  if (last !== undefined) return last.text;
  if (resolveErr !== 0) {
    const searched = steps.some((step) => step.step === 'search-failed');
    return searched
      ? `target candidate search failed: ${resolveErr}`
      : `resolution failed: ${resolveErr}`;
  }
  return patchErr === 0 ? null : `patch failed: ${patchErr}`;
}

function lineOf(record: CoreObjectRecord, step: TraceStep): Line[] {
  const at = `prog '${programOf(record)}': relo #${record.relocIndexInSection}`;
  switch (step.step) {
    case 'found': {
      const { local, target, table } = step;
      return debug(
        `CO-RE relocating [${local.id}] ${local.text}: found target candidate [${target.id}] ${target.text} in [${table}]`,
      );
    }
    case 'parse-failed': {
      const { local, errno } = step;
      const accessStr = record.hasAccessStr ? step.accessStr : '<?>';
      return warning(`${at}: parsing [${local.id}] ${local.text} + ${accessStr} failed: ${errno}`);
    }
    case 'local-spec':
      return debug(`${at}: ${step.spec}`);
    case 'unexpected-kind':
      return warning(
        `unexpected kind ${step.kind} relocated, local [${step.local}], target [${step.target}]`,
      );
    case 'trial':
      return trialLine(at, step.number, step.spec, step.verdict);
    case 'value-fault':
      return faultLine(record, step.fault);
    case 'offset-ambiguity':
      return warning(`${at}: field offset ambiguity: ${step.bitOffset} != ${step.first}`);
    case 'value-ambiguity': {
      const { value, poison, first, firstPoison } = step;
      const decided = (failure: boolean) => (failure ? 'failure' : 'success');
      return warning(
        `${at}: relocation decision ambiguity: ${decided(poison)} ${value} != ${decided(firstPoison)} ${first}`,
      );
    }
    case 'no-match':
      return debug(`${at}: no matching targets found`);
    case 'captured':
      // libbpf has already parsed the whole access string here, and prints the empty rest of it.
      return warning(
        `prog '${programOf(record)}': relo for [${record.root}]  (at idx ${step.atStep}) captures type [${step.type}] of unexpected kind ${step.kind}`,
      );
    default:
      return patchLine(at, insnIndexOf(record), step);
  }
}

function trialLine(at: string, number: number, spec: string, verdict: Verdict): Line[] {
  switch (verdict.outcome) {
    case 'match':
      return debug(`${at}: matching candidate #${number} ${spec}`);
    case 'miss':
      return debug(`${at}: non-matching candidate #${number} ${spec}`);
    case 'fault':
      if (verdict.fault === 'too-much-work') {
        return warning(`${at}: btfscope stops before candidate #${number}: it would take too long`);
      }
      return warning(`${at}: error matching candidate #${number} ${spec}: ${verdict.errno}`);
  }
}

/** Two messages print the kind as record number, and count `insn #` from the section's start. */
function faultLine(record: CoreObjectRecord, fault: FieldFault): Line[] {
  const at = `prog '${programOf(record)}': relo ${record.kind} at insn #${Math.floor(record.insnOff / 8)}`;
  switch (fault) {
    case 'bitfield':
      return warning(`${at} can't be satisfied for bitfield`);
    case 'array-access':
      return warning(`${at} can't be applied to array access`);
    default:
      return [];
  }
}

/** Returns the line about a patch. `insnIndex` counts from the start of the program. */
function patchLine(at: string, insnIndex: number, step: TraceStep): Line[] {
  const insn = `insn #${insnIndex}`;
  const access = `${at}: ${insn} (LDX/ST/STX)`;
  switch (step.step) {
    case 'patched':
      return debug(
        `${at}: patched ${insn} (${step.form}) ${FIELDS[step.form]} ${step.from} -> ${step.to}`,
      );
    case 'patched-mem-size':
      return debug(`${at}: patched ${insn} (LDX/ST/STX) mem_sz ${step.from} -> ${step.to}`);
    case 'substituted':
      return debug(
        `${at}: substituting insn #${insnIndex + (step.second ? 1 : 0)} w/ invalid insn`,
      );
    case 'wrong-value': {
      const { form, got, expected, to } = step;
      return warning(
        `${at}: unexpected ${insn} (${form}) value: got ${got}, exp ${expected} -> ${to}`,
      );
    }
    case 'too-big':
      return warning(`${access} value too big: ${step.value}`);
    case 'bad-access':
      return warning(
        `${access} accesses field incorrectly. Make sure you are accessing pointers, unsigned integers, or fields of matching type and size.`,
      );
    case 'wrong-mem-size':
      return warning(`${access} unexpected mem size: got ${step.got}, exp ${step.expected}`);
    case 'no-mem-size':
      return warning(`${access} invalid new mem size: ${step.size}`);
    case 'unexpected-form':
      return warning(`${at}: ${insn} (LDIMM64) has unexpected form`);
    case 'unrecognized': {
      const { opcode, srcReg, dstReg, off, imm } = step.insn;
      return warning(
        `${at}: trying to relocate unrecognized ${insn}, code:${hex(opcode)}, src:${hex(srcReg)}, dst:${hex(dstReg)}, off:${hex(off)}, imm:${hex(imm)}`,
      );
    }
    default:
      return [];
  }
}

const FIELDS = { 'ALU/ALU64': 'imm', 'LDX/ST/STX': 'off', LDIMM64: 'imm64' } as const;

/** Formats a number like C's `0x%x` for an int. */
function hex(value: number): string {
  return `0x${(value >>> 0).toString(16)}`;
}

/** Returns the number of the record's instruction, from the start of the program. */
function insnIndexOf(record: CoreObjectRecord): number {
  return record.func?.insnIndex ?? Math.floor(record.insnOff / 8);
}

function programOf(record: CoreObjectRecord): string {
  return record.func?.name ?? record.sectionName;
}

/** Returns the lines that libbpf logs about records up to the first failure. Not escaped. */
export function logOfResults(results: readonly CoreResult[]): string {
  return Array.from(objectLog(results), ({ lines }) =>
    lines.map((line) => `${line}\n`).join(''),
  ).join('');
}
