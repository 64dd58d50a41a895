import { lineAt } from '#analysis/code/source-lines.ts';
import { coreRecordsAt } from '#analysis/core/core-records.ts';
import { functionAt } from '#analysis/objects/functions.ts';
import { relocationsInRange, relocationsTouching } from '#analysis/relocations/by-place.ts';
import { type InsnPlace, sectionSpan } from '#analysis/selection/selection.ts';
import { decodeInsn } from '#formats/bpf/insn.ts';
import { hasBpfCode, insnSlot } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { type Active, useBytes } from '#store/session/hooks.ts';
import { grouped } from '#ui/grouped.ts';
import { hexBytes } from '#ui/hex-marks.ts';
import { KeyValue } from '#ui/KeyValue.tsx';
import { EmptyState, Panel } from '#ui/Panel.tsx';
import { BitRuler, wordOf } from '#views/parts/BitRuler.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { Name } from '#views/parts/Name.tsx';
import { offsetCell } from '#views/parts/Offset.tsx';
import { SelectButton } from '#views/parts/SelectButton.tsx';
import { WordCell } from './InsnCell.tsx';
import {
  CoreLayer,
  ElfLayer,
  EncodingLayer,
  FunctionLayer,
  MeaningLayer,
  SourceLayer,
} from './InsnLayers.tsx';
import styles from './layers.module.css';

type InsnPanelProps = Pick<Active, 'id' | 'model'> & {
  readonly place: InsnPlace | null;
};

/** Shows the selected instruction: source line, text, encoding, relocations, function. */
export function InsnPanel({ id, model, place }: InsnPanelProps) {
  if (place === null) {
    return (
      <Panel title="Instruction">
        <EmptyState
          title="No instruction is selected"
          text="Select one to see its bits, its source line and its relocation."
        />
      </Panel>
    );
  }
  const Own = hasBpfCode(model) ? Layers : WordLayers;
  return <Own id={id} model={model} place={place} />;
}

type LayersProps = InsnPanelProps & { readonly place: InsnPlace };

function Layers({ id, model, place }: LayersProps) {
  const { section } = place;
  const insnOff = place.insnOff - (place.insnOff % 8);
  const span = sectionSpan(model, section) ?? { start: 0, end: 0 };
  const start = span.start + insnOff;
  const bytes = useBytes(id, start, Math.min(span.end, start + 16));
  const insn = bytes && decodeInsn(bytes, 0, model.endian);
  if (bytes === null || insn === null) {
    return <NoInsn isLoading={bytes === null} end={insnOff + 8} />;
  }
  const here = { ...insn, offset: insnOff };
  const end = insnOff + insn.length;
  const line = lineAt(model, section, insnOff);
  const func = functionAt(model, section, insnOff);
  return (
    <Panel
      title={`Instruction ${insnOff / 8}`}
      aside={<span>{offsetCell(insnOff)}</span>}
      actions={
        <SelectButton selection={{ kind: 'bytes', start, end: start + insn.length }} view="bytes">
          Show bytes
        </SelectButton>
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
      {coreRecordsAt(model, section, insnOff).map((core, i, { length }) => (
        <CoreLayer key={core} model={model} core={core} place={{ number: i + 1, of: length }} />
      ))}
      {func === null ? null : <FunctionLayer model={model} func={func} insnOff={insnOff} />}
    </Panel>
  );
}

type NoInsnProps = {
  readonly isLoading: boolean;
  /** Offset in the section after the last byte of the instruction. */
  readonly end: number;
};

function NoInsn({ isLoading, end }: NoInsnProps) {
  return (
    <Panel title="Instruction">
      {isLoading ? (
        <EmptyState title="Reading…" />
      ) : (
        <EmptyState title="No instruction is there" text={`The section ends before byte ${end}.`} />
      )}
    </Panel>
  );
}

/** Shows the detail of an instruction that is one word. */
function WordLayers({ id, model, place }: LayersProps) {
  const { section } = place;
  const slot = insnSlot(model);
  const insnOff = place.insnOff - (place.insnOff % slot);
  const span = sectionSpan(model, section) ?? { start: 0, end: 0 };
  const start = span.start + insnOff;
  const isThere = insnOff >= 0 && start + slot <= span.end;
  const bytes = useBytes(id, isThere ? start : 0, isThere ? start + slot : 0);
  if (!isThere || bytes === null) {
    return <NoInsn isLoading={isThere} end={insnOff + slot} />;
  }
  const word = Number(wordOf(bytes, model.endian));
  const address = (model.sections.addr[section] ?? 0n) + BigInt(insnOff);
  const func = functionAt(model, section, insnOff);
  return (
    <Panel
      title={`Instruction ${insnOff / slot}`}
      aside={<span>{offsetCell(address)}</span>}
      actions={
        <SelectButton selection={{ kind: 'bytes', start, end: start + slot }} view="bytes">
          Show bytes
        </SelectButton>
      }
    >
      <DetailSection title="Instruction">
        <p className={styles.text}>
          <WordCell model={model} section={section} insnOff={insnOff} word={word} />
        </p>
      </DetailSection>
      <DetailSection title="Encoding" aside={`${slot} bytes, ${model.endian}-endian`}>
        <p className="small mono muted break">{hexBytes(bytes)}</p>
        <BitRuler label="Opcode and operands" parts={wordParts(word)} />
      </DetailSection>
      {relocationsTouching(model, section, insnOff, insnOff + slot)
        .slice(0, MAX_LAYERS)
        .map((reloc) => (
          <ElfLayer key={reloc} model={model} reloc={reloc} />
        ))}
      {func === null ? null : (
        <DetailSection title="Procedure">
          <KeyValue
            items={[
              { term: 'Name', value: <Name text={func.name} otherwise="(no name)" /> },
              { term: 'Section', value: <Name text={sectionName(model.sections, section)} /> },
              {
                term: 'Here',
                value: `instruction ${grouped((insnOff - func.start) / slot)} of ${grouped(
                  Math.floor((func.end - func.start) / slot),
                )}, counted from 0`,
              },
            ]}
          />
        </DetailSection>
      )}
    </Panel>
  );
}

/** Maximum number of records to show: a malicious file can have any number per instruction. */
const MAX_LAYERS = 8;

/** Number of bits in the opcode: the highest six bits of every Alpha instruction. */
const OPCODE_BITS = 6;

function wordParts(word: number) {
  const rest = 32 - OPCODE_BITS;
  return [
    { field: 'opcode', length: OPCODE_BITS, value: BigInt(word >>> rest) },
    { field: 'operands', length: rest, value: BigInt(word & (2 ** rest - 1)) },
  ];
}
