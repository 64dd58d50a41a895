import { Check, Copy, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#ui/Button.tsx';
import styles from './LinkOut.module.css';

type Outcome = { readonly of: string; readonly isCopied: boolean };

/** The link itself, to be copied by the button or by hand. */
export function LinkOut({ address }: { readonly address: string | null }) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome({ of: text, isCopied: true });
    } catch {
      // A page that is not served securely has no clipboard: the text can still be copied by hand.
      setOutcome({ of: text, isCopied: false });
    }
  };
  const said = outcome !== null && outcome.of === address ? outcome : null;
  return (
    <div className="grid gap-2">
      <textarea
        className={styles.address}
        aria-label="Link"
        readOnly
        rows={3}
        spellCheck={false}
        value={address ?? ''}
        onFocus={(event) => event.target.select()}
      />
      <div className="row gap-2">
        <Button
          variant="primary"
          disabled={address === null}
          onClick={() => (address === null ? undefined : void copy(address))}
        >
          {said === null ? <Copy size={14} aria-hidden /> : null}
          {said?.isCopied === true ? <Check size={14} aria-hidden /> : null}
          {said?.isCopied === false ? <TriangleAlert size={14} aria-hidden /> : null}
          Copy
        </Button>
        <span aria-live="polite" className="small soft">
          {said === null ? '' : said.isCopied ? 'Copied.' : 'The browser refused. Copy it by hand.'}
        </span>
      </div>
    </div>
  );
}
