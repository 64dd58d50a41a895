import { ArrowRight, Crosshair, ExternalLink } from 'lucide-react';
import { useMemo } from 'react';
import { bitRange, counted } from '#bytes/text.ts';
import { cardOf } from '#glossary/glossary.ts';
import type { Find, Part, Picture } from '#glossary/term.ts';
import { type TermId, termTitle } from '#glossary/term-names.ts';
import { select } from '#store/address/navigation.ts';
import { useActive } from '#store/session/hooks.ts';
import { viewTitle } from '#store/session/views.ts';
import { Button } from '#ui/Button.tsx';
import { classNames } from '#ui/class-names.ts';
import { hexByte } from '#ui/hex-marks.ts';
import styles from './TermCard.module.css';

type TermCardProps = {
  readonly id: TermId;
  readonly onTerm: (id: TermId) => void;
  /** Closes the card. Called when the page shows another place. */
  readonly onLeave: () => void;
};

/** Shows a term's description, picture, source and example. The caller shows the title. */
export function TermCard({ id, onTerm, onLeave }: TermCardProps) {
  const card = cardOf(id);
  if (card === null) return null;
  const { sentences, picture, source, related, find } = card;
  return (
    <div className="stack gap-3">
      <p className={styles.says}>{sentences.join(' ')}</p>
      <TermPicture picture={picture} />
      <TermPlace find={find} onLeave={onLeave} />
      <p className="small muted break">
        Defined in{' '}
        <a href={source.address} target="_blank" rel="noopener">
          {source.document}, {source.section}
          <ExternalLink size={11} aria-hidden className={styles.external} />
          <span className="visually-hidden"> (opens a new tab)</span>
        </a>
      </p>
      <ul className="wrapping gap-1" aria-label="Related terms">
        {related.map((other) => (
          <li key={other}>
            <button type="button" className={styles.other} onClick={() => onTerm(other)}>
              {termTitle(other)}
              <ArrowRight size={11} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Shows a button that leads to the term's example in the open file; hidden without one. */
function TermPlace(props: { readonly find: Find | null; readonly onLeave: () => void }) {
  const { find, onLeave } = props;
  const active = useActive();
  const model = active?.model ?? null;
  const place = useMemo(() => (model === null ? null : (find?.(model) ?? null)), [find, model]);
  if (model === null || find === null) return null;
  if (place === null) return <p className="small muted">Not in the open file.</p>;
  return (
    <p>
      <Button
        size="small"
        onClick={() => {
          onLeave();
          select(place.selection, place.view);
        }}
        icon={Crosshair}
      >
        See it in the file
        <span className="muted regular">{viewTitle(place.view)}</span>
      </Button>
    </p>
  );
}

type Of<Kind extends Picture['kind']> = { readonly picture: Extract<Picture, { kind: Kind }> };

/** Shows the picture of a term. Screen readers get a sentence in its place. */
function TermPicture({ picture }: { readonly picture: Picture }) {
  return (
    <div
      role="img"
      aria-label={pictureText(picture)}
      className="shrink tiny soft rounded tight pad-2 ground"
    >
      <Drawing picture={picture} />
    </div>
  );
}

function Drawing({ picture }: { readonly picture: Picture }) {
  switch (picture.kind) {
    case 'word':
      return <Word picture={picture} />;
    case 'record':
      return <Fields picture={picture} />;
    case 'flow':
      return <Flow picture={picture} />;
    case 'bytes':
      return <Bytes picture={picture} />;
    case 'layout':
      return <Layout picture={picture} />;
  }
}

/** Shows the bits of a word, highest first. The width of a part grows with its number of bits. */
function Word({ picture: { parts, lit } }: Of<'word'>) {
  return (
    <div className="wrapping gap-hair">
      {parts.map((part) => (
        <span
          key={part.start}
          className={styles.bits}
          data-lit={part.name === lit}
          data-empty={part.name === ''}
          style={{ flexGrow: part.length }}
        >
          <span className={styles.name}>{part.name || 'unused'}</span>
          <span className="muted nowrap">
            {bitRange(part.start, part.length).replace(/^bits? /, '')}
          </span>
        </span>
      ))}
    </div>
  );
}

function Fields({ picture: { title, parts, lit } }: Of<'record'>) {
  return (
    <div className={styles.fields}>
      <span className={styles.caption}>{title}</span>
      {parts.map(({ name, start, length }) => (
        <span key={start} className={styles.field} data-lit={name === lit}>
          <span className="muted nowrap">{`0x${start.toString(16).padStart(2, '0')}`}</span>
          <span className={styles.name}>{name}</span>
          <span className="muted nowrap">{counted(length, 'byte')}</span>
        </span>
      ))}
    </div>
  );
}

/** Adds an index to each item, so that equal items have different keys. */
function placed<T>(items: readonly T[]): readonly { readonly at: number; readonly item: T }[] {
  return items.map((item, at) => ({ at, item }));
}

function Flow({ picture: { boxes, lit } }: Of<'flow'>) {
  return (
    <div className="wrapping gap-1">
      {placed(boxes).map(({ at, item: box }) => (
        <span key={at} className="inline-row gap-1">
          {at === 0 ? null : <span className="muted">→</span>}
          <span className={styles.box} data-lit={at === lit}>
            {box}
          </span>
        </span>
      ))}
    </div>
  );
}

function Bytes({ picture: { bytes, start, end, caption } }: Of<'bytes'>) {
  return (
    <div className="grid gap-1">
      <span className={styles.hex}>
        {placed(bytes).map(({ at, item: byte }) => (
          <span key={at} className={styles.byte} data-lit={at >= start && at < end}>
            {hexByte(byte)}
          </span>
        ))}
      </span>
      <span className={styles.caption}>{caption}</span>
    </div>
  );
}

/** Shows members to scale. Padding is hatched. */
function Layout({ picture: { title, unit, size, parts, lit } }: Of<'layout'>) {
  return (
    <div className="grid gap-hair">
      <span className={styles.caption}>{title}</span>
      <span
        className={styles.bar}
        style={{ gridTemplateColumns: parts.map(({ length }) => `${length}fr`).join(' ') }}
      >
        {parts.map(({ name, start }) => (
          <span key={start} className={styles.part}>
            <span
              className={classNames(styles.fill, name === '' && styles.hole)}
              data-lit={name === lit}
            >
              {name}
            </span>
            <span className="muted nowrap">{start}</span>
          </span>
        ))}
      </span>
      <span className={styles.caption}>{`${size} ${unit}s`}</span>
    </div>
  );
}

function pictureText(picture: Picture): string {
  switch (picture.kind) {
    case 'word': {
      const lit = partCalled(picture.parts, picture.lit);
      const where = lit === null ? '' : `: ${picture.lit} is ${bitRange(lit.start, lit.length)}`;
      return `A number of ${picture.bits} bits${where}.`;
    }
    case 'record': {
      const names = picture.parts.map(({ name }) => name || 'unused');
      return `Fields of ${picture.title}: ${names.join(', ')}. Highlighted: ${picture.lit}.`;
    }
    case 'flow':
      return `${picture.boxes.join(', then ')}. Highlighted: ${picture.boxes[picture.lit] ?? ''}.`;
    case 'bytes':
      return `Bytes ${picture.bytes.map(hexByte).join(' ')}. Highlighted: bytes ${picture.start} to ${picture.end - 1}, ${picture.caption}.`;
    case 'layout': {
      const lit = partCalled(picture.parts, picture.lit);
      const name = picture.lit === '' ? 'bytes without a member' : picture.lit;
      const where =
        lit === null ? '' : `, ${picture.unit}s ${lit.start} to ${lit.start + lit.length - 1}`;
      return `Members of a ${picture.title} to scale. Highlighted: ${name}${where}.`;
    }
  }
}

function partCalled(parts: readonly Part[], name: string): Part | null {
  return parts.find((part) => part.name === name) ?? null;
}
