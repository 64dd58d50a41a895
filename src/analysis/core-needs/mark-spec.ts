/** What one relocation needs, as marks: the rules of `bpftool gen min_core_btf`. */
import { coreKind } from '#analysis/core/core-kinds.ts';
import { stripped } from '#analysis/types/strip.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { isComposite, memberAt } from '#model/type-items.ts';
import { arrayData, kindOf, type TypeTable } from '#model/type-table.ts';
import type { TypeMarks } from './type-marks.ts';

/** Where a relocation leads in a table. */
export type MatchedSpec = {
  /** `enum bpf_core_relo_kind`. */
  readonly kind: number;
  /** Id of the type it starts from, typedefs and modifiers kept. */
  readonly root: TypeId;
  /** All indices of the way, those of anonymous members among them; for a field the first counts elements. */
  readonly raw: readonly number[];
};

const LOCAL_TYPE_ID = 6;
const TYPE_MATCHES = 12;

/** Marks what `spec` needs of `t`: types, and members on the way. A way that leads nowhere is marked as far as it goes. */
export function markSpec(t: TypeTable, marks: TypeMarks, spec: MatchedSpec): void {
  if (spec.kind === LOCAL_TYPE_ID) return;
  switch (coreKind(spec.kind)?.group) {
    case 'field':
      markField(t, marks, spec);
      return;
    case 'enum':
      marks.mark(spec.root, 'near');
      return;
    case 'type':
      marks.mark(spec.root, spec.kind === TYPE_MATCHES ? 'match' : 'far');
      return;
    default:
  }
}

function markField(t: TypeTable, marks: TypeMarks, { root, raw }: MatchedSpec): void {
  marks.mark(root, 'near');
  let at = stripped(t, root);
  for (const index of raw.slice(1)) {
    const kind = kindOf(t, at);
    if (kind === BtfKind.ARRAY) {
      at = stripped(t, arrayData(t, at).elemType);
    } else if (isComposite(kind)) {
      const member = memberAt(t, at, index);
      if (member === null) return;
      marks.markMember(at, index);
      marks.mark(member.type, 'near');
      at = stripped(t, member.type);
    } else {
      return;
    }
  }
}
