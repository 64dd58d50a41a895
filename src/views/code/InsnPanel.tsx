import { type InsnPlace, sectionSpan } from '#analysis/code/selection.ts';
import { lineAt } from '#analysis/code/source-lines.ts';
import { coreRecordsAt } from '#analysis/core/core-records.ts';
import { functionAt } from '#analysis/objects/functions.ts';
import { relocationsInRange } from '#analysis/relocations/by-place.ts';
import { decodeInsn } from '#formats/bpf/insn.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { useBytes } from '#store/hooks.ts';
import { select } from '#store/navigation.ts';
import type { FileId } from '#store/session.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Panel } from '#ui/Panel.tsx';
import { hexText } from '#views/parts/number-text.ts';
import { CoreLayer } from './CoreLayer.tsx';
import { ElfLayer } from './ElfLayer.tsx';
import { EncodingLayer } from './EncodingLayer.tsx';
import { FunctionLayer } from './FunctionLayer.tsx';
import { MeaningLayer } from './MeaningLayer.tsx';
import { SourceLayer } from './SourceLayer.tsx';
import { WordLayers } from './WordLayers.tsx';

type InsnPanelProps = {
  readonly id: FileId;
  readonly model: ObjectModel;
  readonly place: InsnPlace | null;
};

/** One instruction in its layers: the source line over it, its bits, and what is relocated in it. */
export function InsnPanel({ id, model, place }: InsnPanelProps) {
  if (place === null) {
    return (
      <Panel title="Instruction">
        <EmptyState
          title="No instruction is selected"
          text="Select one to see its bits, the source line it comes from, and what is relocated in it."
        />
      </Panel>
    );
  }
  const Own = isBpf(model) ? Layers : WordLayers;
  return <Own id={id} model={model} place={place} />;
}

function Layers({ id, model, place }: InsnPanelProps & { readonly place: InsnPlace }) {
  const { section } = place;
  const insnOff = place.insnOff - (place.insnOff % 8);
  const span = sectionSpan(model, section) ?? { start: 0, end: 0 };
  const start = span.start + insnOff;
  const bytes = useBytes(id, start, Math.min(span.end, start + 16));
  const insn = bytes && decodeInsn(bytes, 0, model.endian);
  if (bytes === null || insn === null) {
    return (
      <Panel title="Instruction">
        <EmptyState
          title={bytes === null ? 'Reading…' : 'No instruction is there'}
          {...(bytes === null ? {} : { text: `The section ends before byte ${insnOff + 8}.` })}
        />
      </Panel>
    );
  }
  const here = { ...insn, offset: insnOff };
  const end = insnOff + insn.length;
  const line = lineAt(model, section, insnOff);
  const func = functionAt(model, section, insnOff);
  return (
    <Panel
      title={`Instruction ${insnOff / 8}`}
      aside={<span>{hexText(insnOff)}</span>}
      actions={
        <Button
          size="small"
          onClick={() => select({ kind: 'bytes', start, end: start + insn.length }, 'bytes')}
        >
          Show bytes
        </Button>
      }
    >
      {line === null ? null : <SourceLayer line={line} />}
      <MeaningLayer
        model={model}
        section={section}
        insn={here}
        codeLength={span.end - span.start}
      />
      <EncodingLayer model={model} insn={here} bytes={bytes.subarray(0, insn.length)} />
      {relocationsInRange(model, section, insnOff, end).map((reloc) => (
        <ElfLayer key={reloc} model={model} reloc={reloc} />
      ))}
      {coreRecordsAt(model, section, insnOff).map((core) => (
        <CoreLayer key={core} model={model} core={core} />
      ))}
      {func === null ? null : <FunctionLayer model={model} func={func} insnOff={insnOff} />}
    </Panel>
  );
}
