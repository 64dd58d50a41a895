import { drawnName, visible } from '#bytes/text.ts';
import { type ConsentRequest, useConsent } from '#store/address/source-link.ts';
import { Button } from '#ui/Button.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { KeyValue } from '#ui/KeyValue.tsx';
import { sizeText } from '#views/parts/number-text.ts';
import styles from './ConsentDialog.module.css';

/** Asks the user before a file that a link or another page offers is opened. */
export function ConsentDialog() {
  const { request, answer } = useConsent();
  if (request === null) return null;
  const { title, says, facts } = wordsOf(request);
  return (
    <Dialog
      isOpen
      onClose={() => answer(false)}
      title={title}
      actions={
        <>
          <Button onClick={() => answer(false)}>Do not open</Button>
          <Button variant="primary" onClick={() => answer(true)}>
            Open it
          </Button>
        </>
      }
    >
      <p className={styles.says}>{says}</p>
      {/* Elements get no copy button: the first button of the dialog must be "Do not open". */}
      <KeyValue
        items={facts.map(([term, value]) => ({ term, value: <span>{value}</span>, isMono: true }))}
      />
    </Dialog>
  );
}

type Words = {
  readonly title: string;
  readonly says: string;
  readonly facts: readonly (readonly [term: string, value: string])[];
};

function wordsOf(request: ConsentRequest): Words {
  if (request.kind === 'source') {
    return {
      title: 'Fetch this file?',
      says: 'The link that you followed names a file on the server that this page came from. It is fetched without your cookies, and read in this tab.',
      facts: [
        ['Server', visible(request.origin)],
        // The address is shown in full, because the user agrees to it.
        ['Address', visible(request.address)],
      ],
    };
  }
  const { origin, name, size } = request;
  return {
    title: 'Open a file from another page?',
    says: 'Another page sends a file. Open it if you came from that page and expect this. The file is read in this tab; the other page learns only whether it was opened.',
    facts: [
      ['From', origin === '' ? 'a page without its own address' : visible(origin)],
      ['File', drawnName(name)],
      ['Size', sizeText(size)],
    ],
  };
}
