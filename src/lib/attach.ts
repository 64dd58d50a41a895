/** Tells which kinds of programs can be attached to a function of a kernel. */
import { attachKinds } from '#analysis/kernel/attach-points.ts';
import { attachFields, attachRow } from '#print/attach-fields.ts';
import { type Dependency, type LoadOptions, loadKernel } from './load.ts';
import type { ObjectFile } from './open.ts';

/** Where programs can be attached in a kernel by the name of a function, hook or event. */
export type AttachPoints = {
  /** Prototype with its names, not escaped; null if the kernel's BTF has none. */
  readonly prototype: string | null;
  /** Module that has the function; null for the kernel itself. */
  readonly module: string | null;
  /** Number of inlined calls, which no program sees; 0 if BTF tells none. */
  readonly inlined: number;
  readonly points: readonly AttachPoint[];
};

export type AttachPoint = {
  /** Kind of program, as in a section name: `fentry.s`. */
  readonly kind: string;
  readonly answer: 'traceable' | 'refused' | 'undecided';
  /** What is against it, in the order in which libbpf and the kernel meet it. */
  readonly reasons: readonly AttachReason[];
};

export type AttachReason = {
  /** The rule: `variadic`, `deny list`, `address` … */
  readonly rule: string;
  /** `load`: the kernel refuses the program. `attach`: it loads, and cannot be attached. */
  readonly when: 'load' | 'attach';
  /** False if it depends on what is not known of the kernel. */
  readonly isSure: boolean;
  /** What a reason that is not sure depends on; null for a sure one. */
  readonly dependsOn: Dependency | null;
  /** The reason in one sentence. Names are not escaped. */
  readonly text: string;
  /** The kernel's log line; null if none is known. Names are not escaped. */
  readonly line: string | null;
};

/** Tells which kinds of programs can be attached to a function, LSM hook, iterator or tracepoint. */
export function attachPoints(
  name: string,
  kernel: ObjectFile,
  options: LoadOptions = {},
): AttachPoints {
  const place = loadKernel(kernel, options);
  const row = attachFields(attachRow(name, attachKinds(name, [place]), place));
  const { prototype, module, inlined, points } = row;
  return {
    ...{ prototype, module, inlined },
    points: points.map(({ reasons, ...point }) => ({
      ...point,
      reasons: reasons.map(({ sure, depends_on, ...reason }) => {
        return { ...reason, isSure: sure, dependsOn: depends_on };
      }),
    })),
  };
}
