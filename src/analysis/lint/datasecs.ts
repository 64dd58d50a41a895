/** Lint of DATASECs: offsets that differ from those of the symbol table. */
import { datasecsOf } from '#analysis/types/datasecs.ts';
import { mapVariables, type Variable, variablesOf } from '#analysis/values/variables.ts';
import { type Issue, IssueCollector } from '#bytes/issue.ts';
import type { TypeId } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { varSecinfosOf } from '#model/type-items.ts';
import { recordSpan, sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';

/**
 * Finds variables of a BPF object whose offset in a DATASEC is not that of their symbol. libbpf
 * takes the offsets from the symbols only if the DATASEC has no size, as compilers leave it.
 * Source: libbpf 1.8, libbpf.c: btf_fixup_datasec.
 */
export function* datasecFindings(model: ObjectModel, types: TypeTable): Generator<void, Issue[]> {
  const issues = new IssueCollector('.BTF');
  if (!isBpf(model)) return [];
  const stored = storedOffsets(types);
  yield;
  for (const variable of [...variablesOf(model), ...mapVariables(model)]) {
    const { varId, symbol, byteOffset, linkage } = variable;
    if (varId === null || symbol === null || byteOffset === null || linkage === 'extern') continue;
    const offset = stored.get(varId);
    if (offset !== undefined && offset !== byteOffset) report(issues, types, variable, offset);
  }
  return issues.issues();
}

/** Returns the offset of each variable in a DATASEC that has a size. */
function storedOffsets(types: TypeTable): ReadonlyMap<TypeId, number> {
  const offsets = new Map<TypeId, number>();
  for (const datasec of datasecsOf(types).values()) {
    if (sizeOrTypeOf(types, datasec) === 0) continue;
    for (const { type, offset } of varSecinfosOf(types, datasec)) offsets.set(type, offset);
  }
  return offsets;
}

function report(
  issues: IssueCollector,
  types: TypeTable,
  { name, section, varId, byteOffset }: Variable,
  offset: number,
): void {
  issues.add('btf.datasec-offset', () => ({
    message: `Variable ${name} [${varId}] is at ${byteOffset} of ${section} by its symbol, and at ${offset} by the DATASEC`,
    span: varId === null ? null : recordSpan(types, varId),
    expected: `${byteOffset}`,
    found: `${offset}`,
    advice:
      section === '.maps'
        ? 'libbpf looks for the map at the offset of the DATASEC, programs refer to that of the symbol.'
        : 'A skeleton and the BTF of the map reach another variable than the programs, which use the symbol.',
  }));
}
