/**
 * The result of a record on a target as a flat row of libbpf's fields, as `btfscope core --json`
 * prints it. Empty fields are omitted. 64-bit numbers are decimal strings. Names are not escaped.
 */
import { kindName } from '#formats/btf/kinds.ts';
import { kindOf, nameOf } from '#model/type-table.ts';
import type { CoreTarget } from './candidates.ts';
import { coreKindName } from './core-kinds.ts';
import type { CoreObject } from './core-records.ts';
import type { CoreResult } from './resolve.ts';
import type { Candidate } from './trace.ts';
import { traceLines } from './trace-text.ts';

type CoreRowSource = {
  /** Name of the object, not escaped. */
  readonly object: string;
  readonly local: Pick<CoreObject, 'types'>;
  readonly target: CoreTarget;
};

/** Returns the row of a result. `error`: libbpf's log line about the failure, or null. */
export function coreRow(
  { object, local, target }: CoreRowSource,
  result: CoreResult,
  error: string | null,
): Readonly<Record<string, unknown>> {
  const { record, targetSpec, module, poisonReason } = result;
  return {
    object,
    target: target.name,
    section: record.sectionName,
    relo_index: record.relocIndexInSection,
    global_index: record.index,
    insn_off: record.insnOff,
    ...(record.func && { prog: record.func.name, prog_insn: record.func.insnIndex }),
    kind: coreKindName(record.kind),
    kind_num: record.kind,
    local_type_id: record.root,
    local_kind: kindName(kindOf(local.types, record.root)).toLowerCase(),
    local_root_name: nameOf(local.types, record.root),
    access_str: record.accessStr,
    spec_text: result.localSpec ?? '',
    status: result.status,
    candidates: idsOf(result.candidates),
    ...(result.candidates.length > MAX_IDS && { candidate_count: result.candidates.length }),
    cands_in: idsOf(result.candsIn),
    matched: idsOf(result.matched),
    ...(module !== null && { module }),
    ...decisionFields(result),
    ...(targetSpec !== null && { target_spec: targetSpec.text }),
    insn_before: result.insnBefore,
    insn_after: result.insnAfter,
    ...(poisonReason !== null && { poison_reason: poisonReason }),
    ...(error !== null && { resolve_err: result.resolveErr, patch_err: result.patchErr, error }),
    ...(result.firstError && { first_error: true }),
    reason: result.reason,
    trace: traceLines(result, local.types, target).map(
      ({ depth, text }) => '  '.repeat(depth) + text,
    ),
  };
}

function decisionFields({ decision }: CoreResult) {
  if (decision === null) return null;
  return {
    orig_val: `${decision.origVal}`,
    new_val: `${decision.newVal}`,
    validate: decision.validate,
    poison: decision.poison,
    fail_memsz_adjust: decision.failMemszAdjust,
    orig_sz: decision.origSz,
    new_sz: decision.newSz,
    orig_type_id: decision.origTypeId,
    new_type_id: decision.newTypeId,
  };
}

/** Maximum number of candidate ids per row. Hostile files can have thousands of candidates. */
const MAX_IDS = 256;

function idsOf(candidates: readonly Candidate[]): number[] {
  return candidates.slice(0, MAX_IDS).map(({ id }) => id);
}
