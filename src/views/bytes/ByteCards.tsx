import { type ReactNode, useId } from 'react';
import { canList } from '#analysis/code/code-listing.ts';
import { coreKind } from '#analysis/core/core-kinds.ts';
import { coreRecord, coreRecordsBetween } from '#analysis/core/core-records.ts';
import { walkAccess } from '#analysis/core/parse-spec.ts';
import { functionAt } from '#analysis/objects/functions.ts';
import {
  relocationOffset,
  relocationsInRange,
  relocationsTouching,
} from '#analysis/relocations/by-place.ts';
import { relocationWord } from '#analysis/relocations/list.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import type { Endian } from '#bytes/span.ts';
import { drawnName } from '#bytes/text.ts';
import { decodeInsn, type Insn, SLOT_SIZE } from '#formats/bpf/insn.ts';
import { OPCODE } from '#formats/bpf/opcodes.ts';
import { type CoreIndex, type RelocIndex, type SectionIndex, sectionIndex } from '#model/ids.ts';
import { insnSlot, type ObjectModel } from '#model/object-model.ts';
import { isCode } from '#model/sections.ts';
import { wordTextAt } from '#print/alpha-insn.ts';
import { shownInsnText } from '#print/insn.ts';
import { useBytes } from '#store/session/hooks.ts';
import type { FileId } from '#store/session/session.ts';
import { Landmark } from '#ui/aria.tsx';
import { classNames } from '#ui/class-names.ts';
import { grouped } from '#ui/grouped.ts';
import { KeyValue, type KeyValueItem } from '#ui/KeyValue.tsx';
import type { Tone } from '#ui/tone.ts';
import { wordOf } from '#views/parts/BitRuler.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { useOffsetText, useWriteOffset } from '#views/parts/Offset.tsx';
import { relocTone, symbolLine } from '#views/parts/relocation-look.ts';
import { SelectButton } from '#views/parts/SelectButton.tsx';
import { TermList } from '#views/parts/Term.tsx';
import styles from './ByteCards.module.css';

type DetailCardProps = {
  /** Kind of the object that the card describes, such as `Relocation`. */
  readonly noun: string;
  readonly title: ReactNode;
  /** Colour of the object in the hex view. */
  readonly tone?: Tone;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
};

/** Shows a card about a relocation, an instruction or a field at the selected byte. */
export function DetailCard({ noun, title, tone, children, actions }: DetailCardProps) {
  const titleId = useId();
  return (
    <Landmark
      className={classNames(styles.card, tone !== undefined && styles.toned)}
      data-tone={tone}
      aria-labelledby={titleId}
    >
      <h3 id={titleId}>
        <span className={styles.noun}>{noun}</span> <span className={styles.title}>{title}</span>
      </h3>
      {children}
      {actions === undefined ? null : <div className="wrapping gap-1">{actions}</div>}
    </Landmark>
  );
}

/** Maximum length in characters of a formula that is shown in the line of its numbers. */
const SHORT_FORMULA = 24;

type RelocationOnByteProps = { readonly model: ObjectModel; readonly reloc: RelocIndex };

/** Shows a card about the relocation that changes the selected byte. */
export function RelocationOnByte({ model, reloc }: RelocationOnByteProps) {
  const meaning = relocationMeaning(model, reloc);
  const { site, formula, target } = meaning;
  const symbol = drawnName(symbolLine(meaning));
  const write = useWriteOffset();
  const numbers = useOffsetText(meaning.numbers);
  const items: KeyValueItem[] =
    symbol === '' ? [] : [{ term: 'Symbol', value: symbol, isMono: true }];
  if (target !== null) items.push({ term: 'Target', value: target.what });
  if (site !== null) {
    const bits = site.bitSize === 0 ? 'width unknown' : `${site.bitSize} bits`;
    items.push({ term: 'Writes to', value: `${write(site.byteOffset)}, ${bits}`, isMono: true });
  }
  if (formula.length > SHORT_FORMULA) {
    items.push({ term: 'Formula', value: formula, isMono: true });
    if (numbers !== '') items.push({ term: 'Numbers', value: numbers, isMono: true });
  } else if (formula !== '') {
    items.push({ term: formula, value: numbers === '' ? 'not known' : numbers, isMono: true });
  } else if (meaning.addend !== null) {
    items.push({ term: 'A', value: write(meaning.addend), isMono: true });
  }
  return (
    <DetailCard
      noun={relocationWord(model)}
      title={meaning.typeName}
      tone={relocTone(meaning.belongsTo)}
      actions={
        <>
          <SelectButton selection={{ kind: 'relocation', reloc }} view="relocations">
            Go to relocation
          </SelectButton>
          {site !== null && canList(model) && isCode(model.sections, site.section) ? (
            <SelectButton selection={insnOf(model, reloc)} view="code">
              Go to instruction
            </SelectButton>
          ) : null}
        </>
      }
    >
      <TermList items={items} terms={{ A: 'addend' }} />
    </DetailCard>
  );
}

function insnOf(model: ObjectModel, reloc: RelocIndex) {
  return {
    kind: 'insn',
    section: sectionIndex(model.relocations.targetSection[reloc] ?? 0),
    insnOff: relocationOffset(model, reloc),
  } as const;
}

function CoreOnByte({ model, core }: { readonly model: ObjectModel; readonly core: CoreIndex }) {
  const { kind, kindName, root, accessStr } = coreRecord(model, core);
  const path = model.types === null ? null : walkAccess(model.types, root, accessStr, kind);
  return (
    <DetailCard
      noun="CO-RE relocation"
      title={drawnName(path?.expression ?? accessStr)}
      tone="reloc-3"
      actions={
        <SelectButton selection={{ kind: 'core', core, step: null }} view="core">
          Go to CO-RE
        </SelectButton>
      }
    >
      <KeyValue
        items={[
          { term: 'Kind', value: kindName, isMono: true },
          { term: 'Access', value: drawnName(path?.spec ?? accessStr), isMono: true },
          { term: 'Computes', value: coreKind(kind)?.about ?? 'Unknown relocation kind' },
        ]}
      />
    </DetailCard>
  );
}

type InsnCardProps = {
  readonly model: ObjectModel;
  readonly section: SectionIndex;
  readonly insnOff: number;
  readonly title: string;
  /** Field that contains the byte, such as `imm`; absent if the instruction is one word. */
  readonly field?: string;
};

function InsnCard({ model, section, insnOff, title, field }: InsnCardProps) {
  const func = functionAt(model, section, insnOff);
  const index = grouped(Math.floor(insnOff / insnSlot(model)));
  return (
    <DetailCard
      noun="Instruction"
      title={title}
      actions={
        <SelectButton selection={{ kind: 'insn', section, insnOff }} view="code">
          Go to instruction
        </SelectButton>
      }
    >
      <KeyValue
        items={[
          { term: 'Index', value: index, isMono: true },
          ...(func === null ? [] : [{ term: 'Function', value: <Name text={func.name} /> }]),
          ...(field === undefined ? [] : [{ term: 'Field', value: field, isMono: true }]),
        ]}
      />
    </DetailCard>
  );
}

/**
 * Returns the field at a byte of a BPF instruction. Source:
 * Documentation/bpf/standardization/instruction-set.rst, "Instruction encoding".
 */
function fieldOf(offset: number): string {
  const half = offset >= 8 ? ' (second half)' : '';
  const at = offset % 8;
  if (at === 0) return `opcode${half}`;
  if (at === 1) return `dst_reg, src_reg${half}`;
  return `${at < 4 ? 'off' : 'imm'}${half}`;
}

/** Returns the range of a byte's slot and of its two neighbours, limited to the section. */
export function insnWindow(byteOffset: number, sectionLength: number) {
  const slot = byteOffset - (byteOffset % SLOT_SIZE);
  return {
    start: Math.max(0, slot - SLOT_SIZE),
    end: Math.min(sectionLength, slot + 2 * SLOT_SIZE),
  };
}

/**
 * Returns the instruction at `byteOffset` of the section; null if the instruction is truncated.
 * `bytes` are the bytes of `insnWindow`. A slot with opcode 0 after ld_imm64 is the second half of
 * ld_imm64.
 */
export function insnAround(
  bytes: Uint8Array,
  windowStart: number,
  byteOffset: number,
  endian: Endian,
): Insn | null {
  const slot = byteOffset - (byteOffset % SLOT_SIZE) - windowStart;
  const isSecondHalf =
    slot >= SLOT_SIZE && bytes[slot] === 0 && bytes[slot - SLOT_SIZE] === OPCODE.ldImm64;
  const insn = decodeInsn(bytes, isSecondHalf ? slot - SLOT_SIZE : slot, endian);
  return insn && { ...insn, offset: insn.offset + windowStart };
}

type CodeByteProps = {
  readonly id: FileId;
  readonly model: ObjectModel;
  readonly section: SectionIndex;
  readonly byteOffset: number;
};

/** Maximum number of cards: a malicious file can have any number of records for one instruction. */
const MAX_CARDS = 4;

type RelocationsProps = { readonly model: ObjectModel; readonly relocs: readonly RelocIndex[] };

function RelocationsOnInsn({ model, relocs }: RelocationsProps) {
  const left = relocs.length - MAX_CARDS;
  return (
    <>
      {relocs.slice(0, MAX_CARDS).map((reloc) => (
        <RelocationOnByte key={reloc} model={model} reloc={reloc} />
      ))}
      {left > 0 ? (
        <p className="soft">{countOf(left, 'more relocation')} of this instruction</p>
      ) : null}
    </>
  );
}

/** Shows cards about a byte of BPF code: relocations, CO-RE records, the instruction. */
export function InsnOnByte({ id, model, section, byteOffset }: CodeByteProps) {
  const base = model.sections.fileOffset[section] ?? 0;
  const { start, end } = insnWindow(byteOffset, model.sections.byteLength[section] ?? 0);
  const bytes = useBytes(id, base + start, base + end);
  const insn = bytes === null ? null : insnAround(bytes, start, byteOffset, model.endian);
  // If no instruction could be decoded (bytes not loaded, or truncated), use the slot of the byte.
  const from = insn?.offset ?? byteOffset - (byteOffset % SLOT_SIZE);
  const until = from + (insn?.length ?? SLOT_SIZE);
  const cores = coreRecordsBetween(model, section, from, until).slice(0, MAX_CARDS);
  return (
    <>
      <RelocationsOnInsn model={model} relocs={relocationsInRange(model, section, from, until)} />
      {cores.map((core) => (
        <CoreOnByte key={core} model={model} core={core} />
      ))}
      {insn === null ? null : (
        <InsnCard
          model={model}
          section={section}
          insnOff={insn.offset}
          title={shownInsnText(insn)}
          field={fieldOf(byteOffset - insn.offset)}
        />
      )}
    </>
  );
}

/** Shows cards about the relocations and the one-word instruction at a byte. */
export function WordOnByte({ id, model, section, byteOffset }: CodeByteProps) {
  const slot = insnSlot(model);
  const insnOff = byteOffset - (byteOffset % slot);
  const start = (model.sections.fileOffset[section] ?? 0) + insnOff;
  const bytes = useBytes(id, start, start + slot);
  const isWhole = insnOff + slot <= (model.sections.byteLength[section] ?? 0);
  const text =
    bytes === null || !isWhole
      ? null
      : wordTextAt(model, section, insnOff, Number(wordOf(bytes, model.endian)));
  return (
    <>
      <RelocationsOnInsn
        model={model}
        relocs={relocationsTouching(model, section, insnOff, insnOff + slot)}
      />
      {text === null ? null : (
        <InsnCard model={model} section={section} insnOff={insnOff} title={drawnName(text)} />
      )}
    </>
  );
}
