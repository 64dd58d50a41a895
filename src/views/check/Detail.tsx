import { type ReactNode, useId } from 'react';
import {
  type CheckStage,
  checkedType,
  checkSpan,
  type FileCheck,
} from '#analysis/libbpf/file-check.ts';
import type { Span } from '#bytes/span.ts';
import type { TypeTable } from '#model/type-table.ts';
import { type Active, useBytes } from '#store/session/hooks.ts';
import type { FileId } from '#store/session/session.ts';
import { hexBytes } from '#ui/hex-marks.ts';
import { KeyValue, type KeyValueItem } from '#ui/KeyValue.tsx';
import { spanText } from '#views/parts/IssueFacts.tsx';
import { Offset } from '#views/parts/Offset.tsx';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import styles from './Detail.module.css';

/** Properties of a pane that shows one stage of the check. */
export type StageProps = {
  readonly active: Active;
  readonly check: FileCheck;
  readonly stage: CheckStage;
};

type DetailProps = {
  readonly mark: ReactNode;
  readonly title: ReactNode;
  readonly line?: ReactNode;
  readonly actions?: ReactNode;
  readonly facts: readonly KeyValueItem[];
};

/** Shows the selected entry of a list in detail. */
export function Detail({ mark, title, line, actions, facts }: DetailProps) {
  const titleId = useId();
  return (
    <article className={styles.detail} aria-labelledby={titleId}>
      <div className="small muted">{mark}</div>
      <h3 id={titleId} className="break pretty tight size-14">
        {title}
      </h3>
      {line === undefined ? null : <div className="soft break pretty">{line}</div>}
      {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
      <KeyValue items={facts} />
    </article>
  );
}

type CheckedTypeLinkProps = {
  readonly check: FileCheck;
  readonly types: TypeTable | null;
  /** Type id in the checked BTF, which can differ from the id in the file. */
  readonly id: number;
};

/** Shows the type id of a log line. It is a link if the type could be read. */
export function CheckedTypeLink({ check, types, id }: CheckedTypeLinkProps) {
  const type = checkedType(check, types, id);
  return (
    <span className={styles.type}>
      <span className="rigid mono soft">type [{id}]</span>
      {types === null || type === null ? null : <TypeLink types={types} type={type} badge />}
    </span>
  );
}

type Place = {
  readonly typeId: number | null;
  readonly blobOffset: number;
  readonly length: number;
};

/** Returns facts about an entry: its type, its place in the file, its bytes. */
export function placeFacts(
  { id, model }: Active,
  check: FileCheck,
  stage: CheckStage,
  place: Place,
): readonly KeyValueItem[] {
  const { typeId } = place;
  const { types } = model;
  const span = checkSpan(check, stage, place);
  const facts: KeyValueItem[] = [];
  if (typeId !== null) {
    facts.push({
      term: 'Type',
      value: <CheckedTypeLink check={check} types={types} id={typeId} />,
    });
  }
  facts.push({
    term: 'Place',
    value: span === null ? 'not in the file' : <Offset text={spanText(span)} />,
    isMono: span !== null,
  });
  if (span !== null && span.end > span.start) {
    facts.push({ term: 'Bytes', value: <SpanBytes id={id} span={span} />, isMono: true });
  }
  return facts;
}

const SHOWN = 16;

/** Shows the first bytes of a range in hex. */
function SpanBytes({ id, span }: { readonly id: FileId; readonly span: Span }) {
  const end = Math.min(span.end, span.start + SHOWN);
  const bytes = useBytes(id, span.start, end);
  if (bytes === null) return '…';
  return `${hexBytes(bytes)}${end < span.end ? ' …' : ''}`;
}
