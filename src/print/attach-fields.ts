/** Writes which kinds of programs can be attached to a function of a kernel, as fields of JSON. */
import { prototypeText } from '#analysis/atlas/prototype.ts';
import {
  type AttachPoint,
  type AttachTarget,
  attachPoint,
  attachTarget,
} from '#analysis/kernel/attach-points.ts';
import type { LoadKernel } from '#analysis/kernel/kernel.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { typeId } from '#model/ids.ts';
import { readParams } from '#model/type-items.ts';
import { sizeOrTypeOf, stringAt } from '#model/type-table.ts';

/** A function on a kernel. */
export type AttachRow = {
  readonly function: string;
  readonly kernel: string;
  /** Prototype with raw names; null if the kernel's BTF has none. */
  readonly prototype: string | null;
  readonly module: string | null;
  readonly inlined: number;
  readonly points: readonly AttachPoint[];
};

/** Returns whether programs of some kinds can be attached to a function of a kernel. */
export function attachRow(name: string, kinds: readonly string[], kernel: LoadKernel): AttachRow {
  const target = attachTarget(name, kernel);
  return {
    function: name,
    kernel: kernel.name,
    prototype: target === null ? null : prototypeOf(target),
    module: target?.module ?? null,
    inlined: target?.inlined ?? 0,
    points: kinds.map((kind) => attachPoint(kind, name, kernel)),
  };
}

/** Returns a prototype with the names of the parameters. */
function prototypeOf({ types: t, proto, name }: AttachTarget): string {
  const params = readParams(t, proto);
  return prototypeText(
    typeExpression(t, typeId(sizeOrTypeOf(t, proto))),
    name,
    Array.from({ length: params.count }, (_, i) => ({
      name: stringAt(t, params.nameOff(i)),
      type: params.type(i) === 0 ? '' : typeExpression(t, params.type(i)),
    })),
  );
}

/** Returns the fields of a row of `attach --json`. */
export function attachFields({ points, ...row }: AttachRow) {
  return {
    ...row,
    points: points.map(({ kind, answer, reasons }) => ({
      kind,
      answer,
      reasons: reasons.map(({ rule, when, text, line, isSure, dependsOn = 'running' }) => ({
        rule,
        when,
        sure: isSure,
        depends_on: isSure ? null : dependsOn,
        text,
        line,
      })),
    })),
  };
}
