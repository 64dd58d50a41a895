import { Download } from 'lucide-react';
import { useMemo } from 'react';
import { type CoreNeeds, coreNeeds } from '#analysis/needs/core-needs.ts';
import type { Progress } from '#bytes/long-work.ts';
import { drawnName, visible } from '#bytes/text.ts';
import type { TypeTable } from '#model/type-table.ts';
import { needsHeader } from '#print/c-dump/needs-header.ts';
import {
  type ChosenTarget,
  type MinBtfAnswer,
  type MinBtfOutcome,
  minBtfOf,
  useCoreTarget,
} from '#store/kernels/core-results.ts';
import { openFile } from '#store/session/files.ts';
import { type Active, useAsync } from '#store/session/hooks.ts';
import type { FileId } from '#store/session/session.ts';
import { revisionOf } from '#store/session/tasks.ts';
import { Button } from '#ui/Button.tsx';
import { ProgressBar } from '#ui/bars.tsx';
import { Callout } from '#ui/Callout.tsx';
import { Code } from '#ui/CopyButton.tsx';
import { KeyValue } from '#ui/KeyValue.tsx';
import { EmptyState, Panel } from '#ui/Panel.tsx';
import { Split } from '#ui/Split.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { saveFile } from '#views/parts/ExportMenu.tsx';
import { countOf, sizeText } from '#views/parts/number-text.ts';
import { NeedsList } from './NeedsList.tsx';

/** Shows the kernel types and fields that CO-RE needs, as a list, a BTF and a header. */
export function NeedsPanel({ active }: { readonly active: Active }) {
  const { model } = active;
  const needs = useMemo(() => coreNeeds(model), [model]);
  const { types } = model;
  if (types === null || needs.count === 0) {
    return (
      <EmptyState
        title="No kernel types required"
        text="No relocation of this object names a kernel type or field, so CO-RE does not limit the kernels that it loads on."
      />
    );
  }
  return (
    <Split
      label="Resize the list of requirements"
      firstSize={58}
      minFirst={240}
      minSecond={220}
      first={<NeedsList types={types} needs={needs} selection={active.selection} />}
      second={
        <Panel title="Minimal artifacts">
          <MinBtfSection id={active.id} />
          <HeaderSection name={active.model.name} types={types} needs={needs} />
        </Panel>
      }
    />
  );
}

type HeaderSectionProps = {
  readonly name: string;
  readonly types: TypeTable;
  readonly needs: CoreNeeds;
};

/** Shows a C header that contains only the needed types and members. */
function HeaderSection({ name, types, needs }: HeaderSectionProps) {
  const header = useMemo(() => needsHeader(types, needs), [types, needs]);
  const fileName = `${name.replace(/(\.bpf)?\.o$/, '')}.core.h`;
  const { text, isCut } = shownText(header);
  return (
    <DetailSection
      title="C header of the CO-RE types"
      actions={
        <Button
          size="small"
          variant="quiet"
          title={`Save as ${visible(fileName)}`}
          onClick={() => saveFile(fileName, header)}
          icon={Download}
        >
          Download header
        </Button>
      }
    >
      <p className="soft pretty">
        The types and fields that the CO-RE relocations name, and no others: no macros, and no types
        that the program uses without CO-RE. The same accesses compile with it and give the same
        relocations.
      </p>
      <Code text={header} label="Text of the C header">
        {text}
      </Code>
      {isCut ? (
        <p className="soft pretty">Shortened here; copy and download are complete.</p>
      ) : null}
    </DetailSection>
  );
}

/** Maximum number of shown characters; the layout of a longer text takes seconds. */
const MAX_TEXT = 200_000;

/** Cuts a long text after a whole line. */
export function shownText(text: string): { readonly text: string; readonly isCut: boolean } {
  if (text.length <= MAX_TEXT) return { text, isCut: false };
  return { text: text.slice(0, text.lastIndexOf('\n', MAX_TEXT) + 1 || MAX_TEXT), isCut: true };
}

const MINIMAL_BTF = 'Minimal BTF';

/** Shows a BTF that contains only the needed types, as `bpftool gen min_core_btf` makes it. */
function MinBtfSection({ id }: { readonly id: FileId }) {
  const chosen = useCoreTarget(id);
  if (chosen !== null) return <MinBtfOf id={id} chosen={chosen} />;
  return (
    <DetailSection title={MINIMAL_BTF}>
      <p className="soft pretty">
        Select a kernel as the target above to make a BTF with only the types that this object
        needs, to ship for kernels without BTF.
      </p>
    </DetailSection>
  );
}

function MinBtfOf({ id, chosen }: { readonly id: FileId; readonly chosen: ChosenTarget }) {
  const { progress, outcome } = useMinBtf(id, chosen);
  if (outcome?.ok) return <Made name={chosen.name} answer={outcome.value} />;
  return (
    <DetailSection title={`${MINIMAL_BTF} for ${drawnName(chosen.name)}`}>
      {outcome === undefined ? (
        <ProgressBar
          label="Resolving"
          fraction={
            progress === null || progress.total === 0 ? null : progress.done / progress.total
          }
        />
      ) : (
        <Callout severity="error" title="Could not make the minimal BTF">
          {outcome === null ? undefined : drawnName(outcome.issue.message)}
        </Callout>
      )}
    </DetailSection>
  );
}

function Made({ name, answer }: { readonly name: string; readonly answer: MinBtfAnswer }) {
  const { blob, typeCount, memberCount, matchedCount, undecidedCount } = answer;
  const fileName = `${name.replace(/\.btf$/, '')}.min.btf`;
  return (
    <DetailSection
      title={`${MINIMAL_BTF} for ${drawnName(name)}`}
      actions={
        <>
          <Button
            size="small"
            title={`Save as ${drawnName(fileName)}`}
            onClick={() => saveFile(fileName, blob)}
            icon={Download}
          >
            Download BTF
          </Button>
          <Button
            size="small"
            variant="quiet"
            onClick={() => void openFile(new File([blob], fileName))}
          >
            Open
          </Button>
        </>
      }
    >
      <KeyValue
        items={[
          { term: 'Size', value: sizeText(blob.length) },
          { term: 'Types', value: countOf(typeCount, 'type') },
          { term: 'Members', value: countOf(memberCount, 'member') },
          { term: 'Covers', value: countOf(matchedCount, 'relocation') },
        ]}
      />
      {undecidedCount === 0 ? null : (
        <Callout
          severity="warning"
          title={`${countOf(undecidedCount, 'relocation')} could not be resolved`}
        >
          libbpf rejects the object on this kernel, and bpftool writes no minimal BTF for it. This
          BTF leaves those relocations out; they may resolve differently with it.
        </Callout>
      )}
    </DetailSection>
  );
}

type MinBtfState = {
  readonly progress: Progress | null;
  /** The minimal BTF; undefined while the worker makes it, null if there is none. */
  readonly outcome: MinBtfOutcome | null | undefined;
};

const WORKING: MinBtfState = { progress: null, outcome: undefined };

/** Returns the minimal BTF of the chosen target for `object`. The target's worker makes it. */
function useMinBtf(object: FileId, chosen: ChosenTarget): MinBtfState {
  const key = JSON.stringify([object, chosen.id].map(revisionOf));
  const made = useAsync<MinBtfState>(key, (put, signal) => {
    void minBtfOf(object, chosen.id, signal, (progress) => put({ ...WORKING, progress })).then(
      (outcome) => put({ progress: null, outcome }),
    );
  });
  return made ?? WORKING;
}
