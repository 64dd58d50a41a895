import { useEffect, useEffectEvent, useState } from 'react';
import type { ObjectModel } from '#model/object-model.ts';
import { resolveCore, useCoreOutcome } from '#store/core-results.ts';
import { useCoreView } from '#store/core-view.ts';
import type { FileId } from '#store/session.ts';
import { Button } from '#ui/Button.tsx';
import { INODE_LOG, logOfResults } from './example-log.ts';

type ExampleProps = {
  readonly id: FileId;
  readonly model: ObjectModel;
  readonly onText: (text: string) => void;
};

/** Fills in a log to try the reader with: of this object, or for a kernel of a field that it may not have. */
export function ExampleButton({ id, model, onText }: ExampleProps) {
  const target = useCoreView(({ targets }) => targets.get(id) ?? id);
  const pair = { object: id, target, fresh: false };
  const outcome = useCoreOutcome(pair);
  const [isWanted, setWanted] = useState(false);
  const results = outcome?.step === 'ready' ? outcome.value : null;
  const fill = useEffectEvent(onText);

  useEffect(() => {
    if (!isWanted || results === null) return;
    setWanted(false);
    fill(logOfResults(results));
  }, [isWanted, results]);

  const ask = () => {
    if (model.ext.core.count === 0) {
      onText(INODE_LOG);
      return;
    }
    setWanted(true);
    void resolveCore(pair);
  };
  return (
    <Button size="small" disabled={isWanted && outcome?.step === 'running'} onClick={ask}>
      Try an example
    </Button>
  );
}
