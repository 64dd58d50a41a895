import type { CSSProperties } from 'react';
import type { AccessPath, AccessStep } from '#analysis/core/access-path.ts';
import { stripped } from '#analysis/types/strip.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { drawnName } from '#bytes/text.ts';
import { enumeratorAt } from '#model/type-items.ts';
import { type TypeTable, vlenOf } from '#model/type-table.ts';
import { grouped } from '#ui/grouped.ts';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { StructDrawing } from '#views/parts/StructStrip.tsx';
import styles from './StepPicture.module.css';
import {
  type StructMap as Drawing,
  LINE_BYTES,
  type Strip,
  type StripPart,
  stripOf,
  structMap,
} from './strip-parts.ts';

type StepPictureProps = {
  readonly types: TypeTable;
  readonly path: AccessPath;
  /** Number of the step. */
  readonly at: number;
};

/** What a step of a path goes through, with the picked part lit; nothing where there is nothing to draw. */
export function StepPicture({ types, path, at }: StepPictureProps) {
  const step = path.steps[at];
  if (step === undefined) return null;
  if (step.means === 'enumerator') return <EnumeratorList types={types} step={step} />;
  if (step.means === 'member' || step.means === 'anonymous-member') {
    const map = structMap(types, stripped(types, step.container), step.index);
    if (map !== null) {
      const base = (path.steps[at - 1]?.bitOffset ?? 0n) / 8n;
      return (
        <StructMap
          types={types}
          map={map}
          title={typeExpression(types, step.container)}
          base={base}
        />
      );
    }
  }
  const strip = stripOf(types, step);
  return strip === null ? null : <LayoutStrip strip={strip} />;
}

type StructMapProps = {
  readonly types: TypeTable;
  readonly map: Drawing;
  /** The struct as C spells it. Raw text. */
  readonly title: string;
  /** Bytes from the start of the access to this struct: the lines count from there. */
  readonly base: bigint;
};

/** A struct byte by byte, eight to a line, the picked member lit. The words beside it say the same. */
export function StructMap({ types, map, title, base }: StructMapProps) {
  const { rows, strips, pickedRow, sizeBytes } = map;
  const picked = pickedRow === null ? undefined : rows[pickedRow];
  const where = picked === undefined ? '' : `: ${partName(picked)} is at ${bitRange(picked)}`;
  return (
    <figure className={styles.figure}>
      <StructDrawing
        label={`Layout of ${drawnName(title)}${where}`}
        types={types}
        rows={rows}
        strips={strips}
        lineBytes={LINE_BYTES}
        selectedRow={pickedRow}
        base={base}
        hasRuler
      />
      <figcaption className={styles.mapCaption}>
        {drawnName(title)}, {countOf(sizeBytes, 'byte')}
      </figcaption>
    </figure>
  );
}

const AROUND = 3;

/** The picked enumerator among its neighbours. */
function EnumeratorList({ types, step }: { readonly types: TypeTable; readonly step: AccessStep }) {
  const id = stripped(types, step.container);
  const total = vlenOf(types, id);
  const start = Math.max(0, step.index - AROUND);
  const end = Math.min(total, step.index + AROUND + 1);
  const rows = Array.from({ length: end - start }, (_, i) => enumeratorAt(types, id, start + i));
  return (
    <div className={styles.frame}>
      {start === 0 ? null : <p className={styles.more}>{countOf(start, 'enumerator')} before</p>}
      <ol className={styles.list} aria-label="Enumerators">
        {rows.map((row) =>
          row === null ? null : (
            <li key={row.index} className={styles.row} data-picked={row.index === step.index}>
              <span className={styles.index}>{row.index}</span>
              <Name text={row.name} />
              <span className="at-end">{`${row.value}`}</span>
            </li>
          ),
        )}
      </ol>
      {end === total ? null : (
        <p className={styles.more}>{countOf(total - end, 'enumerator')} after</p>
      )}
    </div>
  );
}

/** The struct, union or array that a step goes through, to scale, the picked part lit. */
function LayoutStrip({ strip }: { readonly strip: Strip }) {
  const { form, parts, before, after, sizeBytes, title } = strip;
  const picked = parts.find((part) => part.isPicked);
  const first = parts[0]?.bitOffset ?? 0;
  const end = parts.reduce((most, part) => Math.max(most, part.bitOffset + part.bitSize), 0);
  return (
    <figure className={styles.figure}>
      <div role="img" aria-label={summary(strip)} className={styles.strip} data-form={form}>
        {before === 0 ? null : <span className={styles.torn} aria-hidden data-side="before" />}
        <div className={styles.parts}>
          {parts.map((part) => (
            <span
              key={part.key}
              className={styles.part}
              data-kind={part.kind}
              data-picked={part.isPicked}
              data-anonymous={part.kind === 'member' && part.name === ''}
              style={partStyle(strip, part, end)}
              title={`${partName(part)}: ${bitRange(part)}`}
            >
              <span className={styles.name}>{drawnName(part.name)}</span>
            </span>
          ))}
        </div>
        {after === 0 ? null : <span className={styles.torn} aria-hidden data-side="after" />}
      </div>
      <figcaption className={styles.caption}>
        <span>{placeText(first)}</span>
        <span className={styles.title}>
          {picked === undefined ? null : `${partName(picked)}: ${bitRange(picked)} · `}
          {drawnName(title)}
          {sizeBytes === null ? '' : `, ${countOf(sizeBytes, 'byte')}`}
          {before + after === 0 ? '' : `; ${grouped(before + after)} more not drawn`}
        </span>
        <span>{placeText(end)}</span>
      </figcaption>
    </figure>
  );
}

function partStyle({ form }: Strip, part: StripPart, end: number): CSSProperties {
  return form === 'union'
    ? { width: `${end === 0 ? 0 : (100 * part.bitSize) / end}%` }
    : { flexGrow: part.bitSize };
}

function summary({ title, parts, form }: Strip): string {
  const picked = parts.find((part) => part.isPicked);
  const holes = parts.filter((part) => part.kind === 'hole').length;
  const where = picked === undefined ? '' : `: ${partName(picked)} is at ${bitRange(picked)}`;
  const gaps = holes === 0 ? '' : `; ${countOf(holes, 'hole')} in what is drawn`;
  return `Layout of the ${form} ${drawnName(title)}${where}${gaps}`;
}

/** `byte 8`, `byte 8.3` within a byte, as libbpf writes it. */
function placeText(bitOffset: number): string {
  const bit = bitOffset % 8;
  return `byte ${grouped((bitOffset - bit) / 8)}${bit === 0 ? '' : `.${bit}`}`;
}

/** `byte 8 to byte 12`; the end is the first place behind. */
function bitRange({ bitOffset, bitSize }: Pick<StripPart, 'bitOffset' | 'bitSize'>): string {
  return `${placeText(bitOffset)} to ${placeText(bitOffset + bitSize)}`;
}

/** `pid`, `a hole`. Fit to be drawn. */
function partName({ kind, name }: Pick<StripPart, 'kind' | 'name'>): string {
  if (kind === 'hole') return 'a hole';
  if (kind === 'padding') return 'padding';
  return name === '' ? 'an anonymous member' : drawnName(name);
}
