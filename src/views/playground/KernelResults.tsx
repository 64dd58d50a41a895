import { coreKind, coreKindName, TYPE_ID_LOCAL } from '#analysis/core/core-kinds.ts';
import type { TriedAccess } from '#analysis/core/core-records.ts';
import type { AccessPath } from '#analysis/core/parse-spec.ts';
import { isEnumRoot, kindsOf } from '#analysis/core/playground.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';
import type { Endian } from '#bytes/span.ts';
import { drawnName } from '#bytes/text.ts';
import { nameOf, type TypeTable } from '#model/type-table.ts';
import { tryAccess } from '#store/kernels/core-results.ts';
import { useAsync } from '#store/session/hooks.ts';
import type { FileId } from '#store/session/session.ts';
import { revisionOf } from '#store/session/tasks.ts';
import { scrollRegion } from '#ui/aria.tsx';
import { signedText } from '#views/parts/core/StateMark.tsx';
import { useOpenKernels } from '#views/parts/core/TargetFrame.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import styles from './KernelResults.module.css';

type KernelResultsProps = {
  readonly id: FileId;
  readonly types: TypeTable;
  readonly path: AccessPath;
  readonly endian: Endian;
};

/** Shows the results of the last access, for each open kernel and each relocation kind. */
export function KernelResults({ id, types, path, endian }: KernelResultsProps) {
  const kernels = useOpenKernels(id).filter((kernel) => !kernel.isHere);
  const asked = askedOf(types, path);
  const tried = useTried(
    id,
    kernels.map((kernel) => kernel.id),
    { types, endian, root: path.root, asked },
  );
  return (
    <DetailSection title="Results on open kernels">
      {kernels.length === 0 ? (
        <p className="soft pretty">
          No other kernel is open. Open kernel BTF to see the result of this access on each kernel.
        </p>
      ) : nameOf(types, path.root) === '' ? (
        <p className="soft pretty">
          An anonymous type has no candidates: libbpf rejects such a relocation.
        </p>
      ) : (
        <div className={styles.scroller} {...scrollRegion('Values on each kernel')}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">Kernel</th>
                <th scope="col">Resolves to</th>
                {asked.map(({ kind }) => (
                  <th
                    key={kind}
                    scope="col"
                    title={coreKind(kind)?.about}
                    className={styles.number}
                  >
                    {coreKindName(kind)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {kernels.map((kernel) => (
                <tr key={kernel.id}>
                  <th scope="row">
                    <bdi>{drawnName(kernel.name)}</bdi>
                  </th>
                  <Results results={tried.get(kernel.id) ?? null} count={asked.length} />
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </DetailSection>
  );
}

type ResultsProps = {
  readonly results: readonly CoreResult[] | null;
  readonly count: number;
};

function Results({ results, count }: ResultsProps) {
  if (results === null) return <td colSpan={count + 1}>…</td>;
  const leads = results[0]?.targetSpec ?? null;
  return (
    <>
      <td className={styles.leads}>
        {leads === null ? 'no match' : `[${leads.root}] ${leads.raw.join(':')}`}
      </td>
      {results.map((result) => {
        const { text, state, title } = triedCell(result);
        return (
          <td
            key={result.record.index}
            className={styles.number}
            data-state={state}
            title={drawnName(title)}
          >
            {text}
          </td>
        );
      })}
    </>
  );
}

/** Returns the relocation kinds of the access, then those of its root type. */
function askedOf(types: TypeTable, path: AccessPath) {
  const group = isEnumRoot(types, path.root) ? 'enum' : 'field';
  const isAccess = path.error === null && (group === 'enum' || path.steps.length > 1);
  const ofType = kindsOf('type').filter((kind) => kind !== TYPE_ID_LOCAL);
  return [
    ...(isAccess ? kindsOf(group) : []).map((kind) => ({ kind, accessStr: path.accessStr })),
    ...ofType.map((kind) => ({ kind, accessStr: '0' })),
  ];
}

/** Result of a relocation kind on a kernel, compared with the value on the object's types. */
type TriedCell = {
  readonly text: string;
  readonly state: 'same' | 'differs' | 'absent' | 'none';
  /** Reason for the result, shown as a tooltip. Names are not escaped. */
  readonly title: string;
};

/** Kinds whose 0 means absent: `field_exists`, `type_exists`, `enumval_exists`, `type_matches`. */
const QUESTIONS: ReadonlySet<number> = new Set([2, 8, 10, 12]);

export function triedCell({
  record,
  decision,
  reason,
}: Pick<CoreResult, 'record' | 'decision' | 'reason'>): TriedCell {
  if (decision === null) return { text: 'fails', state: 'none', title: reason };
  const { origVal, newVal, poison } = decision;
  if (poison) return { text: 'absent', state: 'absent', title: reason };
  const text = signedText(newVal);
  if (QUESTIONS.has(record.kind) && newVal === 0n) return { text, state: 'absent', title: reason };
  return { text, state: newVal === origVal ? 'same' : 'differs', title: reason };
}

type Tried = ReadonlyMap<FileId, readonly CoreResult[]>;

const NO_RESULTS: Tried = new Map();

/** Tries an access on one kernel after the other, since each request copies the object's types. */
function useTried(object: FileId, targets: readonly FileId[], access: TriedAccess): Tried {
  const { types, ...rest } = access;
  const key = JSON.stringify([[object, ...targets].map(revisionOf), rest]);
  const tried = useAsync<Tried>(key, async (put, signal) => {
    const results = new Map<FileId, readonly CoreResult[]>();
    for (const id of access.asked.length === 0 ? [] : targets) {
      const answer = await tryAccess(id, access, signal);
      if (signal.aborted) return;
      if (answer !== null) results.set(id, answer);
      put(new Map(results));
    }
  });
  return tried ?? NO_RESULTS;
}
