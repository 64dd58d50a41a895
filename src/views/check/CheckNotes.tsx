import type { FileCheck } from '#analysis/check/file-check.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { Callout } from '#ui/Callout.tsx';
import { Term } from '#views/parts/Term.tsx';
import { finalStage, isForeign } from './stages.ts';

/** What one has to know to read the verdicts right. */
export function CheckNotes({
  check,
  model,
}: {
  readonly check: FileCheck;
  readonly model: ObjectModel;
}) {
  const { kernel } = finalStage(check).verdict;
  return (
    <>
      {isForeign(finalStage(check)) && kernel.verdict === 'refused' ? (
        <Callout severity="note" title="Judged as a big-endian machine would">
          A kernel reads BTF of its own <Term id="endianness">byte order</Term> only. A
          little-endian one refuses every blob like this: {kernel.errno}, <code>{kernel.word}</code>
          .
        </Callout>
      ) : null}
      {model.types?.split === true && !check.onBase ? (
        <Callout severity="warning" title="This BTF is split, and judged without its base">
          That is what a kernel says where it is loaded by itself. Choose its{' '}
          <Term id="base-btf">base</Term> to judge it as the BTF of a module.
        </Callout>
      ) : null}
    </>
  );
}
