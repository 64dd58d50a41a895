import { GitCompareArrows } from 'lucide-react';
import { useEffect, useState } from 'react';
import { chooseOther, openWantedOther } from '#store/compare.ts';
import { activeFile, session } from '#store/session.ts';
import { setViewParam } from '#store/view-state.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';

/** There is nothing to compare with: how to change that. */
export function NoOther({ wanted }: { readonly wanted: string | null }) {
  const isMissing = useWanted(wanted);
  if (wanted !== null && !isMissing) {
    return <EmptyState title="Opening the other file" />;
  }
  const itself = () => {
    const file = activeFile(session.getState());
    if (file !== null) chooseOther(file);
  };
  return (
    <EmptyState
      icon={<GitCompareArrows size={28} aria-hidden />}
      title={wanted === null ? 'Nothing to compare with' : 'The other file is not open'}
      text={
        wanted === null
          ? 'Open a second kernel, module or object: its types are set beside those of this file. Two types of this file can be compared too.'
          : 'The link compares with a file that this page does not have. Open it, or choose another.'
      }
      actions={
        <>
          <Button onClick={itself}>Compare two types of this file</Button>
          <Button onClick={() => setViewParam('compare', 'show', 'duplicates')}>
            Show duplicates
          </Button>
        </>
      }
    />
  );
}

/** Opens what the address asks for, once; true when it cannot be had. */
function useWanted(wanted: string | null): boolean {
  const [missing, setMissing] = useState<string | null>(null);
  useEffect(() => {
    if (wanted === null) return;
    void openWantedOther(wanted).then((isOpen) => {
      if (!isOpen) setMissing(wanted);
    });
  }, [wanted]);
  return missing === wanted;
}
