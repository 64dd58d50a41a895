import { Boxes } from 'lucide-react';
import { useMemo } from 'react';
import { kindHistogram } from '#analysis/types/kind-counts.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { TypeTable } from '#model/type-table.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { TypeSuggestions } from '#views/parts/TypePicker.tsx';

const NOUNS: readonly (readonly [kind: number, singular: string, plural: string])[] = [
  [BtfKind.STRUCT, 'struct', 'structs'],
  [BtfKind.UNION, 'union', 'unions'],
  [BtfKind.FUNC, 'function', 'functions'],
];

/** What stands beside the list until a type is chosen. */
export function NoTypeSelected({
  model,
  types,
}: {
  readonly model: ObjectModel;
  readonly types: TypeTable;
}) {
  const text = useMemo(() => sentence(types), [types]);
  return (
    <EmptyState
      icon={<Boxes size={28} aria-hidden />}
      title="Choose a type from the list"
      text={text}
      actions={<TypeSuggestions model={model} view="types" />}
    />
  );
}

function sentence(types: TypeTable): string {
  const counts = new Map(kindHistogram(types).map(({ kind, count }) => [kind, count]));
  const parts = NOUNS.flatMap(([kind, singular, plural]) => {
    const count = counts.get(kind) ?? 0;
    return count === 0 ? [] : [countOf(count, singular, plural)];
  });
  const first = parts.slice(0, -1).join(', ');
  const all = parts.length > 1 ? `${first} and ${parts.at(-1)}` : (parts[0] ?? 'no structs');
  return `This file has ${all}. A type shows its declaration in C, where each member lies, what it refers to and what refers to it, and the bytes of its record.`;
}
