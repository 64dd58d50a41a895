import type { CSSProperties } from 'react';
import type { AccessPath, AccessStep } from '#analysis/core/parse-spec.ts';
import { type MemberRow, memberRows } from '#analysis/layout/member-rows.ts';
import { drawLinesToScale, type ScaleStrip } from '#analysis/layout/scale.ts';
import { sizeOf } from '#analysis/types/sizes.ts';
import { structLayout } from '#analysis/types/struct-layout.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { bitPlace, drawnName } from '#bytes/text.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { enumeratorAt } from '#model/type-items.ts';
import {
  arrayData,
  kindOf,
  sizeOrTypeOf,
  skipModifiers,
  type TypeTable,
  vlenOf,
} from '#model/type-table.ts';
import { grouped } from '#ui/grouped.ts';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { StructDrawing } from '#views/parts/StructStrip.tsx';
import styles from './StepPicture.module.css';

type StepPictureProps = {
  readonly types: TypeTable;
  readonly path: AccessPath;
  readonly at: number;
};

/** Shows the struct or array of a step. The part that the step selects is highlighted. */
export function StepPicture({ types, path, at }: StepPictureProps) {
  const step = path.steps[at];
  if (step === undefined) return null;
  if (step.means === 'enumerator') return <EnumeratorList types={types} step={step} />;
  if (step.means === 'member' || step.means === 'anonymous-member') {
    const map = structMap(types, skipModifiers(types, step.container), step.index);
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
  readonly map: MapDrawing;
  /** Name of the struct in C, not escaped. */
  readonly title: string;
  /** Offset of the struct from the start of the access, in bytes. */
  readonly base: bigint;
};

/** Shows a struct in lines of eight bytes. The selected member is highlighted. */
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
      <figcaption className="tiny muted break">
        {drawnName(title)}, {countOf(sizeBytes, 'byte')}
      </figcaption>
    </figure>
  );
}

const AROUND = 3;

function EnumeratorList({ types, step }: { readonly types: TypeTable; readonly step: AccessStep }) {
  const id = skipModifiers(types, step.container);
  const total = vlenOf(types, id);
  const start = Math.max(0, step.index - AROUND);
  const end = Math.min(total, step.index + AROUND + 1);
  const rows = Array.from({ length: end - start }, (_, i) => enumeratorAt(types, id, start + i));
  return (
    <div className="small surface box no-overflow">
      {start === 0 ? null : <p className={styles.more}>{countOf(start, 'enumerator')} before</p>}
      <ol aria-label="Enumerators">
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

/** Shows a struct or array to scale. The selected part is highlighted. */
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
        <span>{bitPlace(first)}</span>
        <span className={styles.title}>
          {picked === undefined ? null : `${partName(picked)}: ${bitRange(picked)} · `}
          {drawnName(title)}
          {sizeBytes === null ? '' : `, ${countOf(sizeBytes, 'byte')}`}
          {before + after === 0 ? '' : `; ${grouped(before + after)} more not drawn`}
        </span>
        <span>{bitPlace(end)}</span>
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

/** Returns the range of a part as `byte 8 to byte 12`. The end is exclusive. */
function bitRange({ bitOffset, bitSize }: Pick<StripPart, 'bitOffset' | 'bitSize'>): string {
  return `${bitPlace(bitOffset)} to ${bitPlace(bitOffset + bitSize)}`;
}

/** Returns the name of a part, such as `pid` or `a hole`; escaped. */
function partName({ kind, name }: Pick<StripPart, 'kind' | 'name'>): string {
  if (kind === 'hole') return 'a hole';
  if (kind === 'padding') return 'padding';
  return name === '' ? 'an anonymous member' : drawnName(name);
}

type StripPart = {
  readonly key: string;
  readonly kind: 'member' | 'hole' | 'padding' | 'element';
  /** Name of the part, not escaped; empty for a part without a name. */
  readonly name: string;
  /** Offset from the start of the struct or array in bits. */
  readonly bitOffset: number;
  readonly bitSize: number;
  readonly isPicked: boolean;
};

type Strip = {
  /** Kind of the container. The parts of a union overlap at bit 0. */
  readonly form: 'struct' | 'union' | 'array';
  /** Name of the struct or array in C, not escaped. */
  readonly title: string;
  readonly parts: readonly StripPart[];
  /** Number of parts left out before and after the drawn parts. */
  readonly before: number;
  readonly after: number;
  /** Size of the container in bytes; null if unknown. */
  readonly sizeBytes: number | null;
};

const MAX_PARTS = 40;
const MAX_UNION_PARTS = 12;
const MAX_ELEMENTS = 24;

/** Returns the picture of a step; null for enumerators, types and structs without members. */
export function stripOf(t: TypeTable, step: AccessStep): Strip | null {
  switch (step.means) {
    case 'member':
    case 'anonymous-member':
      return memberStrip(t, step);
    case 'array-element':
      return elementStrip(t, step, arrayData(t, skipModifiers(t, step.container)).nelems);
    case 'element-of-pointer':
      // For a single element, the picture of the next step shows the same.
      return step.index === 0 ? null : elementStrip(t, step, step.index + 1);
    default:
      return null;
  }
}

function memberStrip(t: TypeTable, step: AccessStep): Strip | null {
  const { rows, isUnion, sizeBytes } = structLayout(t, skipModifiers(t, step.container));
  const picked = rows.findIndex((row) => row.kind === 'member' && row.index === step.index);
  if (picked < 0) return null;
  const { start, end } = around(picked, rows.length, isUnion ? MAX_UNION_PARTS : MAX_PARTS);
  const parts = rows.slice(start, end).map(({ kind, name, bitOffset, bitSize }, i) => {
    return { key: `${start + i}`, kind, name, bitOffset, bitSize, isPicked: start + i === picked };
  });
  const title = typeExpression(t, step.container);
  const form = isUnion ? 'union' : 'struct';
  return { form, title, parts, before: start, after: rows.length - end, sizeBytes };
}

function elementStrip(t: TypeTable, step: AccessStep, declared: number): Strip {
  // A flexible array has 0 elements, but the selected one must be drawn.
  const count = Math.max(declared, step.index + 1);
  const bytes = Number(sizeOf(t, step.type) ?? 0n);
  const { start, end } = around(step.index, count, MAX_ELEMENTS);
  const parts = Array.from({ length: end - start }, (_, i): StripPart => {
    const at = start + i;
    const place = { bitOffset: at * bytes * 8, bitSize: bytes * 8 };
    return {
      key: `${at}`,
      kind: 'element',
      name: `[${at}]`,
      ...place,
      isPicked: at === step.index,
    };
  });
  const title = typeExpression(t, step.container);
  const sizeBytes = bytes * count;
  return { form: 'array', title, parts, before: start, after: count - end, sizeBytes };
}

/** Returns a range of up to `limit` items of `count`, with `picked` near the middle. */
function around(picked: number, count: number, limit: number): { start: number; end: number } {
  if (count <= limit) return { start: 0, end: count };
  const start = Math.max(0, Math.min(count - limit, picked - Math.floor(limit / 2)));
  return { start, end: start + limit };
}

const LINE_BYTES = 8;
const LINE_BITS = 8 * LINE_BYTES;
/** Maximum number of lines of a struct that is drawn as a whole. */
const MAX_LINES = 10;
/** Number of lines to draw before and after the selected member. */
const LINES_AROUND = 3;
/** Maximum number of members of a struct that is drawn. */
const MAX_ROWS = 20_000;

/** Drawing of a struct to scale. Lines far from the selected member may be left out. */
type MapDrawing = {
  readonly sizeBytes: number;
  /** Members, holes and padding. The boxes of a strip refer to them by index. */
  readonly rows: readonly MemberRow[];
  /** Strips to draw: a strip per line, or per range of lines that are left out. */
  readonly strips: readonly ScaleStrip[];
  /** Row of the selected member; null if none is selected or if the member has no bytes. */
  readonly pickedRow: number | null;
};

const FOLDED: ReadonlySet<string> = new Set();

/** Returns the map of a struct; null for other kinds, overlaps, or members beyond its end. */
export function structMap(t: TypeTable, id: TypeId, picked: number | null): MapDrawing | null {
  const sizeBytes = kindOf(t, id) === BtfKind.STRUCT ? sizeOrTypeOf(t, id) : 0;
  const all = sizeBytes === 0 ? [] : memberRows(t, id, FOLDED);
  if (all.length === 0 || all.length > MAX_ROWS) return null;
  if (all.some((row) => row.overlaps || row.pastEnd)) return null;
  const chosen = all.find((row) => row.index === picked && row.kind === 'member');
  const lines = drawnLines(Math.ceil(sizeBytes / LINE_BYTES), chosen);
  const rows = all.filter(({ bitSize }) => bitSize > 0);
  const { strips } = drawLinesToScale(rows, sizeBytes, LINE_BYTES, lines);
  const pickedRow = chosen === undefined ? -1 : rows.indexOf(chosen);
  return { sizeBytes, rows, strips, pickedRow: pickedRow < 0 ? null : pickedRow };
}

/** Returns the numbers of the lines to draw, in ascending order. */
function drawnLines(count: number, chosen: MemberRow | undefined): number[] {
  if (count <= MAX_LINES) return Array.from({ length: count }, (_, line) => line);
  const { bitOffset, bitSize } = chosen ?? { bitOffset: 0, bitSize: 0 };
  const first = Math.floor(bitOffset / LINE_BITS);
  const last = Math.max(first, Math.floor((bitOffset + bitSize - 1) / LINE_BITS));
  const drawn = new Set<number>();
  const add = (from: number, to: number) => {
    for (let line = Math.max(0, from); line <= Math.min(count - 1, to); line++) drawn.add(line);
  };
  add(0, 0);
  add(first - LINES_AROUND, first + 1);
  add(last - 1, last + LINES_AROUND);
  add(count - 1, count - 1);
  return [...drawn].sort((a, b) => a - b);
}
