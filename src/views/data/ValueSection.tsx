import { useMemo } from 'react';
import { relocationsInRange } from '#analysis/relocations/by-place.ts';
import type { PointerTarget, Value } from '#analysis/values/decode.ts';
import type { Variable } from '#analysis/values/variables.ts';
import type { Span } from '#bytes/span.ts';
import type { Active } from '#store/hooks.ts';
import { select } from '#store/navigation.ts';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { countOf } from '#views/parts/number-text.ts';
import type { DataGroup } from './data-entries.ts';
import { fileSpan } from './found-data.ts';
import { placeOfPointer } from './pointer-place.ts';
import { type ValuePlaces, ValueTree } from './ValueTree.tsx';
import { bytesOfValue } from './value-tree.ts';

type ValueSectionProps = {
  readonly active: Active;
  readonly groups: readonly DataGroup[];
  readonly variable: Variable;
  readonly value: Value;
  readonly bytes: Span | null;
};

/** The initial value as a tree whose rows are the bytes of the file. */
export function ValueSection({ active, groups, variable, value, bytes }: ValueSectionProps) {
  const { model, selection } = active;
  const { sectionIndex, byteOffset } = variable;
  const places = useMemo((): ValuePlaces => {
    const spanOf = (at: Value) => {
      const { start, end } = bytesOfValue(at);
      return fileSpan(model, sectionIndex, (byteOffset ?? 0) + start, end - start);
    };
    return {
      base: byteOffset ?? 0,
      spanOf,
      relocationOf: (at) =>
        sectionIndex === null
          ? null
          : (relocationsInRange(
              model,
              sectionIndex,
              (byteOffset ?? 0) + bytesOfValue(at).start,
              (byteOffset ?? 0) + bytesOfValue(at).start + 1,
            )[0] ?? null),
      placeOf: (target: PointerTarget) => placeOfPointer(model, groups, target),
    };
  }, [model, groups, sectionIndex, byteOffset]);
  const selectedBytes = useMemo(
    () =>
      bytes === null ? null : { start: bytes.start - places.base, end: bytes.end - places.base },
    [bytes, places.base],
  );
  return (
    <DetailSection title="Value" aside={aboutOf(value, places)}>
      <ValueTree
        model={model}
        value={value}
        places={places}
        selection={selection}
        selectedBytes={selectedBytes}
        onBytes={(span) => select({ kind: 'bytes', ...span })}
      />
    </DetailSection>
  );
}

function aboutOf(value: Value, places: ValuePlaces): string {
  const { kind } = value.content;
  const noun = kind === 'array' || kind === 'string' ? 'element' : 'member';
  const parts = value.partCount === 0 ? '' : countOf(value.partCount, noun);
  const none = places.spanOf(value) === null ? 'zeros that take no bytes in the file' : '';
  return [parts, none].filter((text) => text !== '').join(', ');
}
