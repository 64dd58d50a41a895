import type { About } from '#analysis/libbpf/outcome.ts';
import type { Remedy } from '#analysis/load/remedies.ts';
import { drawnName } from '#bytes/text.ts';
import { remediesOn } from '#store/kernels/load-results.ts';
import { useAsync } from '#store/session/hooks.ts';
import type { FileId } from '#store/session/session.ts';
import { Code } from '#ui/CopyButton.tsx';
import { Disclosure } from '#ui/Panel.tsx';
import { drawnLines } from '#views/parts/drawn-lines.ts';
import { countOf } from '#views/parts/number-text.ts';

type FixesProps = {
  readonly object: FileId;
  /** Kernels with the reason. */
  readonly kernels: readonly FileId[];
  readonly about: About | undefined;
};

/** Changes of the source that remove a reason, as code to copy. */
export function Fixes({ object, kernels, about }: FixesProps) {
  const key = about === undefined ? '' : JSON.stringify([object, kernels, about]);
  const found = useAsync<readonly Remedy[]>(key, async (put) =>
    put(about === undefined ? [] : await remediesOn(object, kernels, about)),
  );
  if (found === null) return null;
  return found.map((remedy) => (
    <Disclosure key={remedy.code} title={`Fix: ${drawnName(remedy.title)}`}>
      <p className="soft">
        {`Checked: with it the object gets past this reason on ${remedy.works} of the ${countOf(remedy.kernels, 'kernel')} with it.`}
      </p>
      <Code text={drawnLines(remedy.code)} label="Fix" />
    </Disclosure>
  ));
}
