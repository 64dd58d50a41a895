import { Binary, Workflow } from 'lucide-react';
import { alignOf, sizeOf } from '#analysis/types/sizes.ts';
import { typeTitle } from '#analysis/types/type-name.ts';
import type { TypeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { hasType, kindOf, recordSpan, type TypeTable } from '#model/type-table.ts';
import type { Pin } from '#store/pins.ts';
import { DetailHeading, type HeadingFact } from '#views/parts/DetailHeading.tsx';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { kindStyle } from '#views/parts/kind-style.ts';
import { PinMark } from '#views/parts/PinMark.tsx';
import { SelectButton } from '#views/parts/SelectButton.tsx';
import { longSize } from '#views/parts/type-size-text.ts';
import { useBaseName } from '#views/parts/use-base-name.ts';

type TypeHeadingProps = {
  readonly types: TypeTable;
  readonly type: TypeId;
  /** The member that is selected in it; its bytes are what “Show bytes” shows. */
  readonly memberPath: readonly number[];
  readonly isFocused: boolean;
  readonly onBack: () => void;
  /** What a lesson has pinned to the type as a whole. */
  readonly pins: readonly Pin[];
};

/** Name, kind, size, alignment and id of a type, and the ways to other views of it. */
export function TypeHeading(props: TypeHeadingProps) {
  const { types, type, memberPath, pins, ...rest } = props;
  const baseName = useBaseName(types, type);
  return (
    <DetailHeading
      {...rest}
      title={typeTitle(types, type)}
      badge={<KindBadge kind={kindOf(types, type)} decorative />}
      back="Back to types"
      hasCards={false}
      facts={factsOf(types, type, baseName)}
      actions={
        <>
          {pins.map((pin) => (
            <PinMark key={pin.number} {...pin} />
          ))}
          {recordSpan(types, type) === null ? null : (
            <SelectButton selection={typeSelection(type, memberPath)} view="bytes" icon={Binary}>
              Show bytes
            </SelectButton>
          )}
          {hasType(types, type) ? (
            <SelectButton selection={typeSelection(type)} view="graph" icon={Workflow}>
              Show graph
            </SelectButton>
          ) : null}
        </>
      }
    />
  );
}

function factsOf(types: TypeTable, type: TypeId, baseName: string | null): HeadingFact[] {
  const facts: HeadingFact[] = [
    { term: 'Kind', value: kindStyle(kindOf(types, type)).name },
    { term: 'Id', value: `[${type}]` },
  ];
  const size = longSize(sizeOf(types, type));
  if (size !== null) facts.push({ term: 'Size', value: size });
  const alignment = alignOf(types, type);
  if (alignment > 0) facts.push({ term: 'Alignment', value: `${alignment}` });
  if (baseName !== null) facts.push({ term: 'From', value: baseName });
  return facts;
}
