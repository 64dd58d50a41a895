import { Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Progress } from '#bytes/progress.ts';
import { drawnName } from '#bytes/text.ts';
import { type MinBtfAnswer, type MinBtfOutcome, minBtfOf } from '#store/core-results.ts';
import { type ChosenTarget, useCoreTarget } from '#store/core-target.ts';
import { openFile } from '#store/files.ts';
import type { FileId } from '#store/session.ts';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { KeyValue } from '#ui/KeyValue.tsx';
import { ProgressBar } from '#ui/ProgressBar.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { countOf, sizeText } from '#views/parts/number-text.ts';
import { saveFile } from '#views/parts/save-file.ts';

/** A BTF of the target with just what the relocations lead to, as `bpftool gen min_core_btf` makes it. */
export function MinBtfSection({ id }: { readonly id: FileId }) {
  const chosen = useCoreTarget(id);
  if (chosen === null) {
    return (
      <DetailSection title="Minimal BTF">
        <p className="soft pretty">
          Select a kernel as the target above to make a BTF with only the types that this object
          needs, to ship for kernels without BTF.
        </p>
      </DetailSection>
    );
  }
  return <MinBtfOf id={id} chosen={chosen} />;
}

function MinBtfOf({ id, chosen }: { readonly id: FileId; readonly chosen: ChosenTarget }) {
  const made = useMinBtf(id, chosen);
  const target = drawnName(chosen.name);
  if (made.step === 'working') {
    const { progress } = made;
    return (
      <DetailSection title={`Minimal BTF for ${target}`}>
        <ProgressBar
          label="Resolving"
          fraction={
            progress === null || progress.total === 0 ? null : progress.done / progress.total
          }
        />
      </DetailSection>
    );
  }
  if (made.outcome === null || !made.outcome.ok) {
    return (
      <DetailSection title={`Minimal BTF for ${target}`}>
        <Callout severity="error" title="Could not make the minimal BTF">
          {made.outcome === null ? undefined : drawnName(made.outcome.issue.message)}
        </Callout>
      </DetailSection>
    );
  }
  return <Made name={chosen.name} answer={made.outcome.value} />;
}

function Made({ name, answer }: { readonly name: string; readonly answer: MinBtfAnswer }) {
  const { blob, typeCount, memberCount, matchedCount, undecidedCount } = answer;
  const fileName = `${name.replace(/\.btf$/, '')}.min.btf`;
  return (
    <DetailSection
      title={`Minimal BTF for ${drawnName(name)}`}
      actions={
        <>
          <Button
            size="small"
            title={`Save as ${drawnName(fileName)}`}
            onClick={() => saveFile(fileName, blob)}
          >
            <Download size={14} aria-hidden />
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

type MinBtfState =
  | { readonly step: 'working'; readonly progress: Progress | null }
  | { readonly step: 'done'; readonly outcome: MinBtfOutcome | null };

const WORKING: MinBtfState = { step: 'working', progress: null };

/** The minimal BTF of the chosen target for `object`, made by the target's worker. */
function useMinBtf(object: FileId, chosen: ChosenTarget): MinBtfState {
  const { id: target, types } = chosen;
  const [state, setState] = useState({ object, types, made: WORKING });

  useEffect(() => {
    const controller = new AbortController();
    const put = (made: MinBtfState) => {
      if (!controller.signal.aborted) setState({ object, types, made });
    };
    void minBtfOf(object, target, controller.signal, (progress) =>
      put({ step: 'working', progress }),
    ).then((outcome) => put({ step: 'done', outcome }));
    return () => controller.abort();
  }, [object, target, types]);

  return state.object === object && state.types === types ? state.made : WORKING;
}
