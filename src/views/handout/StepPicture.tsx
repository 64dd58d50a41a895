import type { ReadBytes } from '#analysis/fields/field.ts';
import { visible } from '#bytes/text.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { bytesNow } from '#store/bytes-cache.ts';
import { selectionAt } from '#store/lesson/step-place.ts';
import { parseAddress } from '#store/location.ts';
import { type FileId, useSession } from '#store/session.ts';
import { scrollRegion } from '#ui/scroll-region.ts';
import { HexPicture } from './HexPicture.tsx';
import { type BarPart, isEmptyPicture, pictureOf } from './picture.ts';
import styles from './StepPicture.module.css';

type StepPictureProps = {
  readonly id: FileId;
  readonly model: ObjectModel;
  /** From 1: pictures are told apart by it. */
  readonly number: number;
  /** Address of the step, `#` first. */
  readonly hash: string;
};

/** What the tool shows in a step, as ink: bytes, a declaration, a record, instructions. */
export function StepPicture({ id, model, number: step, hash }: StepPictureProps) {
  useSession((state) => state.bytesVersion);
  const read: ReadBytes = (start, end) => bytesNow(id, start, end);
  const [, query = ''] = hash.split('?');
  const { view } = parseAddress(hash);
  const picture = pictureOf(model, selectionAt(model, query), view, read);
  const { facts, lines, bar, hex } = picture;
  if (isEmptyPicture(picture)) return <p className="soft">Reading the file…</p>;
  return (
    <figure className={styles.picture}>
      <figcaption className="small soft break">{captionOf(model, hex?.around ?? [])}</figcaption>
      {facts.length === 0 ? null : (
        <dl className="grid gap-hair">
          {facts.map(({ term, value }) => (
            <div key={term} className={styles.fact}>
              <dt>{term}</dt>
              <dd>{visible(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      {lines.length === 0 ? null : (
        <pre className={styles.code} {...scrollRegion(`Code of step ${step}`)}>
          {lines.map(({ number, text, isMarked }) => (
            <LineText key={number} text={text} isMarked={isMarked} />
          ))}
        </pre>
      )}
      {bar.length === 0 ? null : <LayoutBarPicture parts={bar} />}
      {hex === null ? null : <HexPicture hex={hex} label={`Bytes of step ${step}`} />}
    </figure>
  );
}

function captionOf(model: ObjectModel, around: readonly string[]): string {
  const names = around.length > 1 ? around : [model.name];
  return names.map(visible).join(' › ');
}

function LineText({ text, isMarked }: { readonly text: string; readonly isMarked: boolean }) {
  const Element = isMarked ? 'mark' : 'span';
  return <Element className={styles.line}>{visible(text)}</Element>;
}

/** Narrower parts have no room for their name. */
const NAMED = 0.06;

/** A struct from its first byte to its last, its members as wide as they are. */
function LayoutBarPicture({ parts }: { readonly parts: readonly BarPart[] }) {
  return (
    <div className={styles.bar} role="img" aria-label="Layout of the struct, to scale">
      {parts.map(({ kind, name, bitOffset, share, isMarked }) => (
        <span
          key={bitOffset}
          className={styles.part}
          data-kind={kind}
          data-marked={isMarked ? '' : undefined}
          style={{ flexGrow: Math.max(share, 0.004) }}
        >
          {share < NAMED ? '' : kind === 'member' ? visible(name) : kind}
        </span>
      ))}
    </div>
  );
}
