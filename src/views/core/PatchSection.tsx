import { CircleAlert, CircleCheck, CircleMinus } from 'lucide-react';
import { lineAt } from '#analysis/code/source-lines.ts';
import type { CoreRecord } from '#analysis/core/core-records.ts';
import { type LocalValue, patchedField, patchedValue } from '#analysis/core/patch-insn.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';
import { sectionSpan } from '#analysis/selection/selection.ts';
import type { Endian, Span } from '#bytes/span.ts';
import { drawnName } from '#bytes/text.ts';
import { decodeInsn, type Insn } from '#formats/bpf/insn.ts';
import { sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { useBytes } from '#store/session/hooks.ts';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { InsnBytes, type InsnField, InsnText, insnFields } from '#views/parts/InsnText.tsx';
import { SourceButton } from '#views/parts/SelectButton.tsx';
import styles from './PatchSection.module.css';
import { valueText } from './record-rows.ts';
import type { InspectedRecord } from './target-side.ts';

/** Shows the patched instruction and field, and whether the field contained the local value. */
export function PatchSection(props: InspectedRecord) {
  const { model, record } = props;
  const span = insnSpan(model, record);
  return (
    <DetailSection
      title="Patched instruction"
      tone="reloc-3"
      actions={
        record.section < 0 ? undefined : (
          <SourceButton line={lineAt(model, sectionIndex(record.section), record.insnOff)} />
        )
      }
    >
      {span !== null ? (
        <Patched {...props} span={span} />
      ) : (
        <p className="soft break pretty">
          {record.section < 0
            ? `The file has no section ${drawnName(record.sectionName)}.`
            : `Section ${drawnName(record.sectionName)} has no instruction at byte ${record.insnOff}.`}
        </p>
      )}
    </DetailSection>
  );
}

function Patched({ id, model, local, compared, span }: InspectedRecord & { readonly span: Span }) {
  const { endian } = model;
  const change = compared === null ? null : insnChange(compared.result);
  const bytes = useBytes(id, span.start, span.end);
  const insn = bytes && decodeInsn(bytes, 0, endian);
  const isPoisoned = change !== null && compared?.result.decision?.poison === true;
  const verdicts =
    insn === null ? [] : patchVerdicts(patchVerdict(patchedValue(insn), local), isPoisoned);
  return (
    <>
      {change !== null ? (
        <InsnChangeView change={change} endian={endian} />
      ) : bytes === null || insn === null ? (
        <p className="soft break pretty">Reading the bytes…</p>
      ) : (
        <>
          <p className={styles.bytes}>
            <InsnBytes
              bytes={bytes.subarray(0, insn.length)}
              boxed={BOXES[patchedField(insn) ?? 'none']}
            />
          </p>
          <p className={styles.text}>
            <InsnText insn={insn} />
          </p>
        </>
      )}
      {verdicts.map((verdict) => (
        <p key={verdict.title} className="wrapping gap-1-2">
          <span className={styles.mark} data-tone={verdict.tone}>
            {ICONS[verdict.tone]}
            {verdict.title}
          </span>
          <span className="soft break pretty">{verdict.words}</span>
        </p>
      ))}
    </>
  );
}

const BOXES = {
  off: ['off'],
  imm: ['imm'],
  imm64: ['imm', 'next_imm'],
  none: [],
} as const;

const ICONS = {
  ok: <CircleCheck size={14} aria-hidden />,
  danger: <CircleAlert size={14} aria-hidden />,
  neutral: <CircleMinus size={14} aria-hidden />,
};

/** Returns the bytes of an instruction in the file, at most 16 (ld_imm64), or null. */
function insnSpan(model: ObjectModel, { section, insnOff }: CoreRecord): Span | null {
  const code = section < 0 ? null : sectionSpan(model, sectionIndex(section));
  if (code === null || code.start + insnOff + 8 > code.end) return null;
  const start = code.start + insnOff;
  return { start, end: Math.min(code.end, start + 16) };
}

type InsnChangeViewProps = { readonly change: InsnChange; readonly endian: Endian };

/** Shows an instruction before and after the relocation. Changed fields have a box. */
function InsnChangeView({ change, endian }: InsnChangeViewProps) {
  const { before, after, changed } = change;
  const shown = changed.length === 0 ? { Unchanged: before } : { Before: before, After: after };
  return (
    <dl className="grid gap-3">
      {Object.entries(shown).map(([term, bytes]) => (
        <div key={term} className={styles.row}>
          <dt className="small muted">{term}</dt>
          <dd className="grid gap-hair">
            <span className={styles.insnChangeViewBytes}>
              <InsnBytes bytes={bytes} boxed={changed} />
            </span>
            {insnsOf(bytes, endian).map(({ at, insn }) => (
              <span key={at} className={styles.insnChangeViewText}>
                <InsnText insn={insn} />
              </span>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Returns all instructions in `bytes`. A poisoned ld_imm64 is two instructions. */
function insnsOf(bytes: Uint8Array, endian: Endian) {
  const insns: { readonly at: number; readonly insn: Insn }[] = [];
  for (let at = 0; at < bytes.length; ) {
    const insn = decodeInsn(bytes, at, endian);
    if (insn === null) break;
    insns.push({ at, insn });
    at += insn.length;
  }
  return insns;
}

/** Says whether the instruction contains the value of the local types. */
type PatchVerdict = {
  readonly tone: 'ok' | 'danger' | 'neutral';
  readonly title: string;
  readonly words: string;
};

/** Compares `inInsn`, null if the instruction cannot be patched, with the local value. */
export function patchVerdict(inInsn: bigint | null, local: LocalValue): PatchVerdict {
  const { value, validate, error } = local;
  if (inInsn === null) {
    const words =
      'libbpf patches the imm of arithmetic and of ld_imm64 and the off of loads and stores. It rejects a program with a relocation on any other instruction.';
    return { tone: 'danger', title: 'Cannot be patched', words };
  }
  if (value === null) {
    const words = `libbpf finds no value on the local types: ${error ?? 'no reason is given'}.`;
    return { tone: 'danger', title: 'No local value', words };
  }
  const holds = `It holds ${valueText(inInsn)}`;
  if (inInsn === value) {
    const words = `${holds}, the value computed from the local types.`;
    return { tone: 'ok', title: 'Matches', words };
  }
  const both = `${holds}, the local types give ${valueText(value)}`;
  if (validate) {
    return { tone: 'danger', title: 'Differs', words: `${both}: libbpf rejects the program.` };
  }
  const words = `${both}. libbpf does not compare the two for this kind.`;
  return { tone: 'neutral', title: 'Not compared', words };
}

/** Returns the verdicts to show. `verdict` is about the instruction before poisoning. */
export function patchVerdicts(verdict: PatchVerdict, isPoisoned: boolean): readonly PatchVerdict[] {
  if (!isPoisoned) return [verdict];
  const before: PatchVerdict = {
    ...verdict,
    tone: verdict.tone === 'ok' ? 'neutral' : verdict.tone,
    title: `Before: ${verdict.title.toLowerCase()}`,
  };
  const words =
    'After, it is a call to a helper that no kernel has: the verifier rejects the program if it reaches it.';
  return [{ tone: 'danger', title: 'Poisoned', words }, before];
}

/** Bytes of an instruction before and after the relocation. */
type InsnChange = {
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  readonly changed: readonly InsnField['name'][];
};

/** Returns the bytes before and after; null if no instruction is at the offset of the record. */
export function insnChange({
  insnBefore,
  insnAfter,
}: Pick<CoreResult, 'insnBefore' | 'insnAfter'>): InsnChange | null {
  const before = bytesOfHex(insnBefore);
  const after = bytesOfHex(insnAfter);
  if (before.length === 0) return null;
  const changed = insnFields(before.length)
    .filter(({ start, end }) => {
      for (let at = start; at < end; at++) if (before[at] !== after[at]) return true;
      return false;
    })
    .map(({ name }) => name);
  return { before, after, changed };
}

function bytesOfHex(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, at) =>
    Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16),
  );
}
