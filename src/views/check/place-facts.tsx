import { type CheckStage, checkSpan, type FileCheck } from '#analysis/check/file-check.ts';
import type { Active } from '#store/hooks.ts';
import type { KeyValueItem } from '#ui/KeyValue.tsx';
import { spanText } from '#views/parts/issue-text.ts';
import { CheckedTypeLink } from './CheckedTypeLink.tsx';
import { SpanBytes } from './SpanBytes.tsx';

/** A problem or a rewrite, as far as it says what it is about. */
type Place = {
  readonly typeId: number | null;
  readonly blobOffset: number;
  readonly length: number;
};

/** The type that it is about, where it is in the file, and the bytes that stand there. */
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
    value: span === null ? 'not in the file as such' : spanText(span),
    isMono: span !== null,
  });
  if (span !== null && span.end > span.start) {
    facts.push({ term: 'Bytes', value: <SpanBytes id={id} span={span} />, isMono: true });
  }
  return facts;
}
