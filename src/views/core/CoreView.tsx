import { Waypoints } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { coreKind } from '#analysis/core/core-kinds.ts';
import type { CoreRecord } from '#analysis/core/core-records.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';
import { logLine } from '#analysis/core/spec.ts';
import { drawnName, visible } from '#bytes/text.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { typeSelection } from '#model/selection.ts';
import { hasType } from '#model/type-table.ts';
import { recordLog } from '#print/core-log.ts';
import { showView } from '#store/address/navigation.ts';
import { type ChosenTarget, explainCore, useCoreTarget } from '#store/kernels/core-results.ts';
import { dependsOnKernels, hasRecords, useFreshCandidates } from '#store/kernels/core-view.ts';
import { type Active, useActive, useAsync } from '#store/session/hooks.ts';
import type { FileId } from '#store/session/session.ts';
import { scrollRegion } from '#ui/aria.tsx';
import { Badge } from '#ui/Badge.tsx';
import { Button } from '#ui/Button.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { EmptyState, Panel } from '#ui/Panel.tsx';
import { Split } from '#ui/Split.tsx';
import { memberPathOf, selectedCore } from '#views/parts/core/access-indices.ts';
import { type ResolvedObject, useOutcome } from '#views/parts/core/OutcomeNote.tsx';
import { groupTone } from '#views/parts/core/StateMark.tsx';
import { FreshSwitch, TargetFrame } from '#views/parts/core/TargetFrame.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { drawnLines } from '#views/parts/drawn-lines.ts';
import { MemberMenu } from '#views/parts/MemberMenu.tsx';
import { Name } from '#views/parts/Name.tsx';
import { SelectButton } from '#views/parts/SelectButton.tsx';
import { TermText } from '#views/parts/Term.tsx';
import { AccessSection, StepsSection } from './AccessSection.tsx';
import styles from './CoreView.module.css';
import { NumbersSection } from './NumbersSection.tsx';
import { PatchSection } from './PatchSection.tsx';
import { RecordList } from './RecordList.tsx';
import { type CoreRow, coreRowReader } from './record-rows.ts';
import { type Compared, compare } from './target-side.ts';
import { TraceSection, VerdictSection } from './VerdictSection.tsx';

/** Shows the CO-RE relocations of the file and their results on one kernel. */
export function CoreView() {
  const active = useActive();
  if (active === null) return null;
  const { model } = active;
  if (hasRecords(model)) return <Records key={active.id} active={active} />;
  return (
    <EmptyState
      icon={<Waypoints size={28} aria-hidden />}
      {...noCore(model)}
      actions={
        dependsOnKernels(model) ? (
          <Button onClick={() => showView('load')}>Show whether it loads</Button>
        ) : null
      }
    />
  );
}

/** Shows all records with their results, and the selected record in detail. */
function Records({ active }: { readonly active: Active }) {
  const { id, model, selection } = active;
  const chosen = useCoreTarget(id);
  const read = useMemo(() => coreRowReader(model), [model]);
  const outcome = useOutcome(id, chosen);
  const resolved = { id, model, chosen, outcome };
  const core = selectedCore(model, selection);
  const step = selection.kind === 'core' ? selection.step : null;
  return (
    <TargetFrame active={active} tools={chosen === null ? null : <FreshSwitch />}>
      <Split
        label="Resize the list of CO-RE relocations"
        firstSize={50}
        minFirst={200}
        minSecond={240}
        presents={step === null ? 'first' : 'second'}
        first={<RecordList {...resolved} read={read} core={core} />}
        second={
          core === null ? (
            <Panel title="Access">
              <EmptyState
                title="Select a relocation to follow its access string"
                text="Each record names a local type and a string of indices such as 0:3:1. libbpf follows the string through the local types, looks for the same path in the running kernel, and patches the instruction with what it finds there."
              />
            </Panel>
          ) : (
            <RecordInspector {...resolved} row={read(core)} step={step} />
          )
        }
      />
    </TargetFrame>
  );
}

const CORE_RELOCATIONS =
  'They tell libbpf which field, type or enumerator of the running kernel an instruction depends on. clang -g --target=bpf writes them into .BTF.ext for every access to a type with preserve_access_index, which all types of vmlinux.h have, and for BPF_CORE_READ and related macros. They are not ELF relocations: llvm-readelf -r does not show them.';

/** Returns the title and text to show if the file has no CO-RE relocations. */
export function noCore(model: ObjectModel): { readonly title: string; readonly text: string } {
  if (model.format === 'btf') {
    return {
      title: 'A BTF blob has no CO-RE relocations',
      text: `It holds types only; the relocations are in the .BTF.ext section of an object file. ${CORE_RELOCATIONS}`,
    };
  }
  return {
    title: isBpf(model)
      ? 'This object has no CO-RE relocations'
      : 'This file has no CO-RE relocations',
    text: CORE_RELOCATIONS,
  };
}

type RecordInspectorProps = ResolvedObject & {
  readonly row: CoreRow;
  /** Position of the selected index in the access string, from 0; null for the whole string. */
  readonly step: number | null;
};

function RecordInspector({ id, model, row, step, chosen, outcome }: RecordInspectorProps) {
  const { record, path, local } = row;
  const results = outcome?.step === 'ready' ? outcome.value : null;
  const compared = useCompared(id, chosen, results, record.index);
  const { types } = model;
  if (types === null || path === null || local === null) {
    return (
      <Panel title="Access">
        <EmptyState
          title="The types of this file cannot be read"
          text="An access string needs the types in .BTF. Issues lists what is wrong with that section."
        />
      </Panel>
    );
  }
  const here = { kind: 'core', core: record.index, step } as const;
  const inspected = { id, model, types, record, path, local, step, compared };
  return (
    <Panel
      title={`relo #${record.relocIndexInSection}`}
      aside={
        <span className="shrink small mono muted ellipsis">{drawnName(record.sectionName)}</span>
      }
    >
      <Headline spec={logLine(path.kind, path.root, path.spec)} record={record}>
        <SelectButton selection={here} view="code">
          Show instruction
        </SelectButton>
        <SelectButton selection={here} view="bytes">
          Show bytes
        </SelectButton>
        <SelectButton
          disabled={!hasType(types, record.root)}
          selection={typeSelection(record.root, memberPathOf(path))}
          view="types"
        >
          Show type
        </SelectButton>
        <MemberMenu types={types} type={record.root} memberPath={memberPathOf(path)} />
      </Headline>
      {compared === null || results === null ? null : (
        <VerdictSection types={types} compared={compared} results={results} />
      )}
      <AccessSection {...inspected} />
      <StepsSection {...inspected} />
      <NumbersSection {...inspected} />
      <PatchSection {...inspected} />
      {compared === null ? null : (
        <>
          <TraceSection types={types} compared={compared} />
          <LogSection result={compared.result} />
        </>
      )}
    </Panel>
  );
}

type HeadlineProps = {
  /** Access string with names, as libbpf logs it; not escaped. */
  readonly spec: string;
  readonly record: CoreRecord;
  readonly children: ReactNode;
};

/** Shows a record as libbpf logs it, its instruction and its kind. */
function Headline({ spec, record, children }: HeadlineProps) {
  const kind = coreKind(record.kind);
  const { func, insnIndex } = record;
  return (
    <div className={styles.headline}>
      <div className={styles.line}>
        <p className={styles.spec}>{drawnName(spec)}</p>
        <CopyButton text={visible(spec)} label="Copy spec" isIconOnly />
      </div>
      <p className="small muted break">
        {func === null ? (
          <>insn #{insnIndex} of the section, outside any function</>
        ) : (
          <>
            insn #{func.insnIndex} of <Name text={func.name} otherwise="(no name)" />
          </>
        )}
      </p>
      <p className={styles.kind}>
        <Badge text={kind?.group ?? 'unknown'} tone={groupTone(kind?.group)} />
        <code>
          <TermText text={kind?.enumName ?? `kind ${record.kind}`} />
        </code>
        <span className={styles.about}>
          {kind?.about ?? 'Unknown to libbpf, which rejects the program.'}
        </span>
      </p>
      <div className={styles.actions}>{children}</div>
    </div>
  );
}

/** Shows what libbpf logs about the record at its debug level. */
function LogSection({ result }: { readonly result: CoreResult }) {
  const text = recordLog(result).map(visible).join('\n');
  return (
    <DetailSection
      title="libbpf log of this record"
      actions={<CopyButton text={text} label="Copy log" />}
    >
      {text === '' ? (
        <p className="muted">libbpf logs nothing for it.</p>
      ) : (
        <div className={styles.scroller} {...scrollRegion('libbpf log')}>
          <pre className={styles.log}>{drawnLines(text)}</pre>
        </div>
      )}
    </DetailSection>
  );
}

/** Returns a record with its result. The steps of the result are added when they are known. */
function useCompared(
  object: FileId,
  chosen: ChosenTarget | null,
  results: readonly CoreResult[] | null,
  row: number,
): Compared | null {
  const fresh = useFreshCandidates();
  const known = results?.[row] ?? null;
  const explained = useAsync<CoreResult>(known, (put, signal) => {
    if (chosen === null || known === null) return;
    const pair = { object, target: chosen.id, fresh };
    void explainCore(pair, row, signal).then((result) => {
      if (result !== null) put(result);
    });
  });
  const result = explained ?? known;
  return useMemo(() => compare(chosen, result), [chosen, result]);
}
