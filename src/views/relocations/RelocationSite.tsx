import type {
  RelocationLayout,
  RelocationMeaning,
  SiteMark,
} from '#analysis/objects/relocation-facts.ts';
import { relocationOffset } from '#analysis/relocations/by-place.ts';
import { relocatedBytes } from '#analysis/relocations/relocated-bytes.ts';
import type { Endian } from '#bytes/span.ts';
import { drawnName, hexText } from '#bytes/text.ts';
import { decodeInsn } from '#formats/bpf/insn.ts';
import type { RelocIndex, SectionIndex } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { isCode } from '#model/sections.ts';
import { wordTextAt } from '#print/alpha-insn.ts';
import { shownInsnText } from '#print/insn.ts';
import { useBytes } from '#store/session/hooks.ts';
import type { FileId } from '#store/session/session.ts';
import { hexByte } from '#ui/hex-marks.ts';
import type { RelocTone } from '#ui/tone.ts';
import { BitRuler, markText, rulerParts, wordOf } from '#views/parts/BitRuler.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { offsetCell } from '#views/parts/Offset.tsx';
import { relocTone } from '#views/parts/relocation-look.ts';
import styles from './RelocationCard.module.css';

type RelocationSiteProps = {
  readonly id: FileId;
  readonly model: ObjectModel;
  readonly reloc: RelocIndex;
  readonly meaning: RelocationMeaning;
};

const INSN_WINDOW = 16;

/** Shows the patched bytes inside their instruction or word. */
export function RelocationSite({ id, model, reloc, meaning }: RelocationSiteProps) {
  const { site, siteSpan, result } = meaning;
  const section = site?.section ?? 0;
  const base = model.sections.fileOffset[section] ?? 0;
  const length = model.sections.byteLength[section] ?? 0;
  const inCode = site !== null && isBpf(model) && isCode(model.sections, site.section);
  const insnOff = inCode ? relocationOffset(model, reloc) : null;
  const place = siteWindow(insnOff, INSN_WINDOW, site?.byteOffset ?? 0, site?.bitSize ?? 0, length);
  const isThere = siteSpan !== null && place.end > place.start;
  const bytes = useBytes(id, isThere ? base + place.start : 0, isThere ? base + place.end : 0);
  if (site === null || !isThere) {
    return <p className="muted">{whyNoBytes(site)}</p>;
  }
  if (bytes === null) return <p className="muted">Loading…</p>;
  const insn = inCode ? decodeInsn(bytes, 0, model.endian) : null;
  const insnBytes = insn === null ? bytes : bytes.subarray(0, insn.length);
  const all = siteBytes(
    insnBytes,
    place.start,
    site.byteOffset,
    site.bitSize,
    result,
    model.endian,
  );
  return (
    <>
      {insn === null ? null : <p className="mono">{shownInsnText(insn)}</p>}
      <SiteStrip bytes={all} tone={relocTone(meaning.belongsTo)} hasAfter={result !== null} />
    </>
  );
}

function whyNoBytes(site: RelocationMeaning['site']): string {
  if (site === null) return 'The entry names no place in a section.';
  return site.bitSize === 0
    ? 'The number of patched bytes is unknown.'
    : 'The patched bytes are not in the file: outside the section, or compressed.';
}

type SiteStripProps = {
  readonly bytes: readonly SiteByte[];
  readonly tone: RelocTone;
  /** True if the bytes after the relocation are known. */
  readonly hasAfter: boolean;
};

const PER_LINE = 8;

/** Shows the bytes around the patched place, before and after the relocation. */
function SiteStrip({ bytes, tone, hasAfter }: SiteStripProps) {
  const lines: SiteByte[][] = [];
  for (let at = 0; at < bytes.length; at += PER_LINE) lines.push(bytes.slice(at, at + PER_LINE));
  const isChanged = bytes.some(({ before, after }) => before !== after);
  return (
    <div className="grid gap-2">
      <Strip label="In the file" lines={lines} tone={tone} pick={({ before }) => before} />
      {!hasAfter ? null : isChanged ? (
        <Strip label="Result" lines={lines} tone={tone} pick={({ after }) => after} />
      ) : (
        <p className="small muted">The formula gives the value already in the file.</p>
      )}
    </div>
  );
}

type StripProps = {
  readonly label: string;
  readonly lines: readonly (readonly SiteByte[])[];
  readonly tone: RelocTone;
  readonly pick: (byte: SiteByte) => number;
};

function Strip({ label, lines, tone, pick }: StripProps) {
  return (
    <table className={styles.strip}>
      <caption className={styles.label}>{label}</caption>
      <tbody>
        {lines.map((line) => (
          <tr key={line[0]?.offset}>
            <th scope="row">{offsetCell(line[0]?.offset ?? 0)}</th>
            {line.map((byte) => (
              <td
                key={byte.offset}
                className={byte.isSite ? styles.site : undefined}
                data-tone={byte.isSite ? tone : undefined}
              >
                {hexByte(pick(byte))}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A byte at or near the patched place, before and after the relocation. */
type SiteByte = {
  /** Offset of the byte in its section. */
  readonly offset: number;
  readonly before: number;
  /** Byte after the relocation; the same as `before` if the relocation does not patch it. */
  readonly after: number;
  readonly isSite: boolean;
};

/**
 * Applies a relocation to `bytes`, which begin at `start` in the section. `result` is truncated to
 * the `bitSize` bits at `siteOffset`, as by a linker. A null `result` changes nothing.
 */
export function siteBytes(
  bytes: Uint8Array,
  start: number,
  siteOffset: number,
  bitSize: number,
  result: bigint | null,
  endian: Endian,
): SiteByte[] {
  const size = Math.floor(bitSize / 8);
  const value = result === null ? null : BigInt.asUintN(size * 8, result);
  return Array.from(bytes, (before, i) => {
    const offset = start + i;
    const at = offset - siteOffset;
    const isSite = at >= 0 && at < size;
    if (!isSite || value === null) return { offset, before, after: before, isSite };
    const shift = 8 * (endian === 'little' ? at : size - 1 - at);
    return { offset, before, after: Number((value >> BigInt(shift)) & 0xffn), isSite };
  });
}

/** Number of bytes per row of data. */
const DATA_CONTEXT = 8;

/** Returns the bytes to show: in BPF code the whole instruction, else the row of eight bytes. */
export function siteWindow(
  insnOff: number | null,
  insnLength: number,
  siteOffset: number,
  bitSize: number,
  sectionLength: number,
) {
  if (insnOff !== null) {
    return { start: insnOff, end: Math.min(sectionLength, insnOff + insnLength) };
  }
  const start = siteOffset - (siteOffset % DATA_CONTEXT);
  const end = Math.max(start + DATA_CONTEXT, siteOffset + bitSize / 8);
  return { start: Math.max(0, start), end: Math.min(sectionLength, end) };
}

/** Maximum number of words that are shown: a run of compact relocations has up to 4095. */
const MAX_WORDS = 16;

type MarkedWordsProps = Omit<RelocationSiteProps, 'reloc'> & {
  readonly layout: RelocationLayout;
};

/** Shows each word that the entry patches or refers to: its marked bits and its value. */
export function MarkedWords({ id, model, meaning, layout }: MarkedWordsProps) {
  const { marks, site, belongsTo } = meaning;
  if (marks.length === 0) return <p className="small muted">{whyNone(meaning)}</p>;
  return (
    <div className={styles.words} data-tone={relocTone(belongsTo)}>
      {marks.slice(0, MAX_WORDS).map((mark) => (
        <MarkedWord
          key={`${mark.role}:${mark.span.start}`}
          id={id}
          model={model}
          section={site?.section ?? null}
          mark={mark}
          layout={layout}
        />
      ))}
      {marks.length > MAX_WORDS ? (
        <p className="small muted">{`and ${countOf(marks.length - MAX_WORDS, 'more word')}`}</p>
      ) : null}
    </div>
  );
}

function whyNone({ site }: RelocationMeaning): string {
  if (site === null) return 'The entry patches no bytes.';
  return site.bitSize === 0
    ? 'The entry alone does not state which bytes it patches.'
    : 'The patched bytes are outside the section.';
}

type MarkedWordProps = Pick<MarkedWordsProps, 'id' | 'model' | 'layout'> & {
  readonly section: SectionIndex | null;
  readonly mark: SiteMark;
};

function MarkedWord({ id, model, section, mark, layout }: MarkedWordProps) {
  const { start, end } = mark.span;
  const bytes = useBytes(id, start, end);
  if (bytes === null || section === null) return <p className="small muted">Loading…</p>;
  const offset = start - (model.sections.fileOffset[section] ?? 0);
  const address = (model.sections.addr[section] ?? 0n) + BigInt(offset);
  const after = relocatedBytes(model, section, offset, bytes, layout);
  const before = wordOf(bytes, model.endian);
  const then = wordOf(after, model.endian);
  const line = (word: bigint, addresses: RelocationLayout['sections'] | null) => ({
    hex: `0x${word.toString(16).padStart(2 * bytes.length, '0')}`,
    insn: bytes.length === 4 ? wordTextAt(model, section, offset, Number(word), addresses) : null,
  });
  return (
    <div className="grid gap-1">
      <p className="small soft">
        <span className={styles.mono}>{offsetCell(address)}</span> {markText(mark)}
      </p>
      <WordLine label="In the file" {...line(before, null)} />
      <BitRuler
        label={`Bits at ${hexText(address)}`}
        parts={rulerParts(mark, before, markedValue)}
      />
      {then === before ? (
        <p className="small muted">Unchanged by the layout.</p>
      ) : (
        <WordLine label="With the layout" {...line(then, layout.sections)} isNew />
      )}
    </div>
  );
}

/** The ruler finds the marked value by this class and colours it. */
function markedValue(value: bigint) {
  return <span className={styles.marked}>{`${value}`}</span>;
}

type WordLineProps = {
  readonly label: string;
  readonly hex: string;
  readonly insn: string | null;
  readonly isNew?: boolean;
};

function WordLine({ label, hex, insn, isNew = false }: WordLineProps) {
  return (
    <p className={styles.line} data-new={isNew}>
      <span className={styles.markedWordsLabel}>{label}</span>
      <span className={styles.mono}>{hex}</span>
      {insn === null ? null : <code className={styles.insn}>{drawnName(insn)}</code>}
    </p>
  );
}
