import type { CSSProperties } from 'react';
import { drawnName } from '#bytes/text.ts';
import { grouped } from '#ui/grouped.ts';
import { countOf } from '#views/parts/number-text.ts';
import { bitRange, partName, placeText } from './bit-range.ts';
import styles from './LayoutStrip.module.css';
import type { Strip, StripPart } from './strip-parts.ts';

/** The struct, union or array that a step goes through, to scale, the picked part lit. */
export function LayoutStrip({ strip }: { readonly strip: Strip }) {
  const { form, parts, before, after, sizeBytes, title } = strip;
  const picked = parts.find((part) => part.isPicked);
  const first = parts[0]?.bitOffset ?? 0;
  const end = parts.reduce((most, part) => Math.max(most, part.bitOffset + part.bitSize), 0);
  return (
    <figure className={styles.figure}>
      <div role="img" aria-label={summary(strip)} className={styles.frame} data-form={form}>
        {before === 0 ? null : <span className={styles.more} aria-hidden data-side="before" />}
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
        {after === 0 ? null : <span className={styles.more} aria-hidden data-side="after" />}
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
