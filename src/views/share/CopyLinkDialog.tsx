import { Check, Copy, TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { drawnName } from '#bytes/text.ts';
import { useNotes } from '#store/address/notes.ts';
import { isLinkLocal, LOCAL_LINK } from '#store/page/page-address.ts';
import type { OpenFile } from '#store/session/session.ts';
import { viewTitle } from '#store/session/views.ts';
import { Button } from '#ui/Button.tsx';
import { CopyButton, CopyField, writeClipboard } from '#ui/CopyButton.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { grouped } from '#ui/grouped.ts';
import { Checkbox, Segmented } from '#ui/inputs.tsx';
import { Disclosure } from '#ui/Panel.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { QrCode } from '#views/parts/QrCode.tsx';
import styles from './CopyLinkDialog.module.css';
import { type LinkOffer, type LinkSort, useLinkOffers } from './link-offers.ts';

type Size = keyof typeof SIZES;

/** Maximum characters of a link with types. `least` leaves out all types that pointers lead to. */
const SIZES = { least: 0, small: 2000, medium: 8000, large: 32_000 } as const;

const SIZE_OPTIONS = {
  least: 'Minimal',
  small: grouped(SIZES.small),
  medium: grouped(SIZES.medium),
  large: grouped(SIZES.large),
} as const;

const ROOM = 'Include pointed-to types, in characters';

type CopyLinkDialogProps = {
  readonly file: OpenFile;
  readonly isOpen: boolean;
  readonly onClose: () => void;
};

/** Shows the links to the current place: as text, as QR code, as HTML of a frame. */
export function CopyLinkDialog({ file, isOpen, onClose }: CopyLinkDialogProps) {
  // Closed at the first render, because the focus to return to is recorded when the dialog opens.
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => setDrawn(true), []);
  return (
    <Dialog
      isOpen={isOpen && isDrawn}
      onClose={onClose}
      size="wide"
      title="Copy link"
      description={`Link to ${viewTitle(file.view)} of ${drawnName(file.name)} with its selection.`}
    >
      <Offers file={file} />
    </Dialog>
  );
}

/** Mounted only while the dialog is open, because it computes links. */
function Offers({ file }: { readonly file: OpenFile }) {
  const [size, setSize] = useState<Size>('least');
  const [wanted, setWanted] = useState<LinkSort | null>(null);
  const [withNotes, setWithNotes] = useState(true);
  const notes = useNotes(file.id);
  const offers = useLinkOffers(file, SIZES[size], withNotes);
  const isNamedForAll =
    file.sample !== null || file.declarationsKey !== undefined || file.carriedKey !== undefined;
  const chosen = chosenOffer(offers, wanted ?? (isNamedForAll ? 'reference' : 'types'));
  return (
    <>
      <div className={styles.columns}>
        <fieldset className="grid gap-2">
          <legend className="visually-hidden">Contents of the link</legend>
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
          {notes.length === 0 ? null : (
            <Checkbox isChecked={withNotes} onChange={setWithNotes}>
              Include {countOf(notes.length, 'note')} on this file
            </Checkbox>
          )}
        </fieldset>
        <div className="grid gap-3 shrink">
          <LinkOut address={chosen?.addresses?.page ?? null} />
          {isLinkLocal() ? <p className="small soft">{LOCAL_LINK}</p> : null}
          {chosen?.addresses ? (
            <QrCode text={chosen.addresses.page} label="QR code of the link" />
          ) : null}
        </div>
      </div>
      {chosen === null ? null : <Embed offer={chosen} />}
    </>
  );
}

/** Returns the wanted offer if it has a link, else the first offer that has a link. */
function chosenOffer(offers: readonly LinkOffer[], wanted: LinkSort): LinkOffer | null {
  const isThere = ({ addresses }: LinkOffer) => addresses !== null;
  const offer = offers.find(({ sort }) => sort === wanted);
  // Keep the choice while its link is being computed, so that it does not jump.
  if (offer !== undefined && (isThere(offer) || offer.isWaiting)) return offer;
  return offers.find(isThere) ?? null;
}

const EMBEDS = { frame: 'Frame', element: 'Element' } as const;

const EMBED_SAYS = {
  frame: 'A frame of fixed height. Needs no script.',
  element: 'As tall as the type, in the theme of the reader. Without the script it is a link.',
} as const;

/** Shows HTML to put the view into another page: a frame, or for types the element `btf-type`. */
function Embed({ offer }: { readonly offer: LinkOffer }) {
  const { addresses, leadsTo, sort } = offer;
  const [wanted, setWanted] = useState<keyof typeof EMBEDS>('frame');
  if (addresses === null) return null;
  // A page saved as one file has no script for the element beside it.
  const hasElement = sort === 'types' && addresses.page.startsWith('http');
  const kind = hasElement ? wanted : 'frame';
  const title = `${leadsTo} in btfscope`;
  const snippet =
    kind === 'frame' ? embedSnippet(addresses.embed, title) : elementSnippet(addresses.page, title);
  return (
    <Disclosure title="Embed">
      <div className={styles.embed}>
        {hasElement ? (
          <div className="row gap-3 wrap">
            <Segmented label="Embed as" options={EMBEDS} value={kind} onChange={setWanted} />
            <p className="small soft">{EMBED_SAYS[kind]}</p>
          </div>
        ) : null}
        <CopyField
          className={styles.snippet}
          aria-label={`HTML of the ${kind}`}
          rows={4}
          value={snippet}
        />
        <CopyButton text={snippet} label="Copy the HTML" />
      </div>
    </Disclosure>
  );
}

type LinkChoiceProps = {
  readonly offer: LinkOffer;
  readonly isChosen: boolean;
  readonly onChoose: (sort: LinkSort) => void;
};

/** Shows one kind of link: what the link contains, and its length. */
function LinkChoice({ offer, isChosen, onChoose }: LinkChoiceProps) {
  const { sort, title, says, addresses, isWaiting } = offer;
  return (
    <label className={styles.choice} data-chosen={isChosen} data-off={addresses === null}>
      <input
        type="radio"
        name="link-sort"
        className={styles.radio}
        value={sort}
        checked={isChosen}
        disabled={addresses === null}
        onChange={() => onChoose(sort)}
      />
      <span className="bold">{title}</span>
      <span className="small soft nowrap">{lengthText(addresses?.page ?? null, isWaiting)}</span>
      <span className={styles.says}>{says}</span>
    </label>
  );
}

function lengthText(address: string | null, isWaiting: boolean): string {
  if (address !== null) return `${grouped(address.length)} characters`;
  return isWaiting ? 'working…' : '';
}

type Outcome = { readonly of: string; readonly isCopied: boolean };

/** Shows the link, which a button copies or the user selects. */
function LinkOut({ address }: { readonly address: string | null }) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const copy = async (text: string) =>
    setOutcome({ of: text, isCopied: await writeClipboard(text) });
  const copied = outcome?.of === address ? outcome : null;
  return (
    <div className="grid gap-2">
      <CopyField className={styles.address} aria-label="Link" rows={3} value={address ?? ''} />
      <div className="row gap-2">
        <Button
          variant="primary"
          icon={copied === null ? Copy : copied.isCopied ? Check : TriangleAlert}
          disabled={address === null}
          onClick={() => void copy(address ?? '')}
        >
          Copy
        </Button>
        <span aria-live="polite" className="small soft">
          {copied === null
            ? ''
            : copied.isCopied
              ? 'Copied.'
              : 'The browser blocked copying. Select the link and copy it.'}
        </span>
      </div>
    </div>
  );
}

/** Returns the HTML of a frame. Its attributes are escaped. */
export function embedSnippet(address: string, title: string): string {
  return [
    '<iframe',
    `src="${escaped(address)}"`,
    `title="${escaped(title)}"`,
    'width="100%" height="480" loading="lazy"',
    // The worker and the storage need the page's own origin; links and buttons need the rest.
    'sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-downloads"',
    'allow="clipboard-write" referrerpolicy="no-referrer"',
    'style="border: 1px solid #8884; border-radius: 8px"></iframe>',
  ].join(' ');
}

/** Returns the HTML of the element `btf-type` and its script. */
export function elementSnippet(address: string, title: string): string {
  const script = new URL('btfscope-embed.js', address.split('#')[0]);
  return [
    `<script async src="${escaped(script.href)}"></script>`,
    `<btf-type><a href="${escaped(address)}">${escaped(title)}</a></btf-type>`,
  ].join('\n');
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
