import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { typeTitle } from '#analysis/types/type-name.ts';
import { visible } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import { kindOf, nameOf } from '#model/type-table.ts';
import { Button } from '#ui/Button.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { Name } from '#views/parts/Name.tsx';
import { TypeSearch } from '#views/parts/TypePicker.tsx';
import styles from './ComparedTypeButton.module.css';
import type { CompareSide } from './compare-sides.ts';

/** The type of one side, as a button that opens a dialog to choose another. */
export function ComparedTypeButton({
  term,
  side,
  type,
  onChoose,
}: {
  /** `Type before` or `Type after`. */
  readonly term: string;
  readonly side: CompareSide;
  readonly type: TypeId | null;
  readonly onChoose: (type: TypeId) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button className={styles.button} onClick={() => setOpen(true)}>
        <span className={styles.term}>{term}</span>
        {type === null ? (
          <span>Choose a type</span>
        ) : (
          <>
            <KindBadge kind={kindOf(side.types, type)} decorative />
            <span className={styles.name}>
              <Name text={typeTitle(side.types, type)} />
            </span>
          </>
        )}
        <ChevronDown size={14} aria-hidden />
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={`Choose a type of ${visible(side.name)}`}
      >
        <Choice
          side={side}
          type={type}
          onChoose={(id) => {
            setOpen(false);
            onChoose(id);
          }}
        />
      </Dialog>
    </>
  );
}

function Choice(props: {
  readonly side: CompareSide;
  readonly type: TypeId | null;
  readonly onChoose: (type: TypeId) => void;
}) {
  const { side, type, onChoose } = props;
  const [chosen, setChosen] = useState<TypeId | null>(null);
  return (
    <div className={styles.choice}>
      <div className={styles.list}>
        <TypeSearch
          id={side.id}
          types={side.types}
          kinds={0}
          listLabel="Types to compare"
          emptyText="No matching type"
          initialText={type === null ? '' : nameOf(side.types, type)}
          chosen={chosen}
          onSelect={setChosen}
          onChoose={onChoose}
        />
      </div>
      <div className={styles.foot}>
        <Button
          variant="primary"
          disabled={chosen === null}
          onClick={() => (chosen === null ? undefined : onChoose(chosen))}
        >
          Compare
        </Button>
      </div>
    </div>
  );
}
