import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { FileId } from '#store/session.ts';
import { TypeSearch } from '#views/parts/TypePicker.tsx';
import styles from './TypeChooser.module.css';

/** Kinds that an access can start from. */
const KINDS = [BtfKind.STRUCT, BtfKind.UNION, BtfKind.ENUM, BtfKind.ENUM64, BtfKind.TYPEDEF].reduce(
  (mask, kind) => mask | (1 << kind),
  0,
);

type TypeChooserProps = {
  readonly id: FileId;
  readonly types: TypeTable;
  readonly chosen: TypeId | null;
  readonly onChoose: (type: TypeId) => void;
};

/** A search over the types that an access can start from. */
export function TypeChooser({ id, types, chosen, onChoose }: TypeChooserProps) {
  return (
    <section className={styles.chooser} aria-labelledby="chooser-title">
      <h2 id="chooser-title" className={styles.title}>
        Root type
      </h2>
      <TypeSearch
        id={id}
        types={types}
        kinds={KINDS}
        listLabel="Root types"
        emptyText="No matching struct, union, enum or typedef"
        hint="/"
        chosen={chosen}
        showsChosen
        onSelect={(type) => (type === null ? undefined : onChoose(type))}
        onChoose={onChoose}
      />
    </section>
  );
}
