import { useEffect, useState } from 'react';
import { drawnName, visible } from '#bytes/text.ts';
import { type OpenFile, VIEW_TITLES } from '#store/session.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { Disclosure } from '#ui/Disclosure.tsx';
import { Segmented } from '#ui/Segmented.tsx';
import styles from './CopyLinkDialog.module.css';
import { embedSnippet } from './embed-snippet.ts';
import { LinkChoice } from './LinkChoice.tsx';
import { LinkOut } from './LinkOut.tsx';
import type { LinkOffer, LinkSort } from './link-offers.ts';
import { QrCode } from './QrCode.tsx';
import { useLinkOffers } from './use-link-offers.ts';

type Size = keyof typeof SIZES;

/** Characters that a link with types may have; `least` carries no pointee whole. */
const SIZES = { least: 0, '2000': 2000, '8000': 8000, '32000': 32_000 } as const;

const SIZE_OPTIONS: readonly { readonly value: Size; readonly label: string }[] = [
  { value: 'least', label: 'Minimal' },
  { value: '2000', label: '2\u202f000' },
  { value: '8000', label: '8\u202f000' },
  { value: '32000', label: '32\u202f000' },
];

const ROOM = 'Include pointed-to types, in characters';

type CopyLinkDialogProps = {
  readonly file: OpenFile;
  readonly isOpen: boolean;
  readonly onClose: () => void;
};

/** Links to what is shown, each with what it carries; as text, as QR code, as a frame for another page. */
export function CopyLinkDialog({ file, isOpen, onClose }: CopyLinkDialogProps) {
  // Closed when it is first drawn: only what opens knows where the focus was, and gives it back.
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => setDrawn(true), []);
  return (
    <Dialog
      isOpen={isOpen && isDrawn}
      onClose={onClose}
      size="wide"
      title="Copy link"
      description={`To ${VIEW_TITLES[file.view]} of ${drawnName(file.name)}, with what is selected there.`}
    >
      <Offers file={file} />
    </Dialog>
  );
}

/** In the page only while the dialog is: nothing is worked out before. */
function Offers({ file }: { readonly file: OpenFile }) {
  const [size, setSize] = useState<Size>('least');
  const [wanted, setWanted] = useState<LinkSort | null>(null);
  const offers = useLinkOffers(file, SIZES[size]);
  const isNamedForAll = file.sample !== null || file.declarationsKey !== undefined;
  const chosen = chosenOffer(offers, wanted ?? (isNamedForAll ? 'reference' : 'types'));
  return (
    <>
      <div className={styles.columns}>
        <fieldset className="grid gap-2">
          <legend className="visually-hidden">What the link carries</legend>
          {offers.map((offer) => (
            <div key={offer.sort} className="grid gap-2">
              <LinkChoice
                offer={offer}
                isChosen={offer.sort === chosen?.sort}
                onChoose={setWanted}
              />
              {offer.sort === 'types' && chosen?.sort === 'types' ? (
                <div className={styles.size}>
                  <span aria-hidden>{ROOM}</span>
                  <Segmented label={ROOM} options={SIZE_OPTIONS} value={size} onChange={setSize} />
                </div>
              ) : null}
            </div>
          ))}
        </fieldset>
        <div className="grid gap-3 shrink">
          <LinkOut address={chosen?.addresses?.page ?? null} />
          {chosen?.addresses ? <QrCode text={chosen.addresses.page} /> : null}
        </div>
      </div>
      {chosen?.addresses ? <Embed address={chosen.addresses.embed} name={file.name} /> : null}
    </>
  );
}

/** The wanted one where there is one, else the first that there is. */
function chosenOffer(offers: readonly LinkOffer[], wanted: LinkSort): LinkOffer | null {
  const isThere = ({ addresses }: LinkOffer) => addresses !== null;
  const offer = offers.find(({ sort }) => sort === wanted);
  // What is on its way is waited for: the choice would jump under the hand.
  if (offer !== undefined && (isThere(offer) || offer.isWaiting)) return offer;
  return offers.find(isThere) ?? null;
}

function Embed({ address, name }: { readonly address: string; readonly name: string }) {
  const snippet = embedSnippet(address, `${visible(name)} in btfscope`);
  return (
    <Disclosure title="Embed">
      <div className={styles.embed}>
        <textarea
          className={styles.snippet}
          aria-label="HTML of the frame"
          readOnly
          rows={4}
          spellCheck={false}
          value={snippet}
          onFocus={(event) => event.target.select()}
        />
        <CopyButton text={snippet} label="Copy the HTML" />
      </div>
    </Disclosure>
  );
}
