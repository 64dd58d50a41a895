/** Makes each kind of link, and describes what it contains and how long it is. */
import type { TypesLink } from '#analysis/links/carried-link.ts';
import { typeTitle } from '#analysis/types/type-name.ts';
import { drawnName } from '#bytes/text.ts';
import { isKnownKind, kindName } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { isComposite } from '#model/type-items.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { linkedType, linkWithFile, linkWithType, referenceLink } from '#store/address/make-link.ts';
import { pageAddress } from '#store/page/page-address.ts';
import { type Answer, useAnswer } from '#store/session/hooks.ts';
import type { OpenFile } from '#store/session/session.ts';
import { grouped } from '#ui/grouped.ts';
import { countOf, sizeText } from '#views/parts/number-text.ts';

export type LinkSort = 'reference' | 'types' | 'file';

export type LinkOffer = {
  readonly sort: LinkSort;
  readonly title: string;
  /** What the link contains and what the recipient needs, in one or two sentences. */
  readonly says: string;
  /** Title of a frame with the link. Escaped. */
  readonly leadsTo: string;
  /** Full addresses of the page and of a frame; null if there is no link, or not yet. */
  readonly addresses: { readonly page: string; readonly embed: string } | null;
  readonly isWaiting: boolean;
};

/** Answer of the worker; null until it arrives. */
type Answered<T> = { readonly value: T | null } | null;

/** Returns the link that only names the file. `page` is the page's address without `#`. */
export function referenceOffer(file: OpenFile, page: string, withNotes = true): LinkOffer {
  const addresses = addressesOf(page, (embed) => referenceLink(file, { withNotes, embed }));
  return {
    sort: 'reference',
    title: 'Reference',
    says: referenceWords(file),
    leadsTo: drawnName(file.name),
    addresses,
    isWaiting: addresses === null,
  };
}

function addressesOf(
  page: string,
  linkOf: (embed: boolean) => string | null,
): LinkOffer['addresses'] {
  const [plain, embed] = [linkOf(false), linkOf(true)];
  return plain === null || embed === null ? null : { page: page + plain, embed: page + embed };
}

function referenceWords(file: OpenFile): string {
  if (file.sample !== null) return 'Opens the example, which comes with this page.';
  if (file.declarationsKey !== undefined) {
    return 'Contains the declarations: the recipient can edit them. Needs no file.';
  }
  if (file.carriedKey !== undefined) return 'Contains the log. Needs no file.';
  if (file.origin !== undefined) return 'Contains the same data as the opened link.';
  return file.sha256 === null
    ? 'Computing the hash of the file.'
    : 'No data, only the SHA-256 of the file: the recipient needs the file.';
}

/** Returns the link that contains a type and the types it needs. */
export function typesOffer(
  file: OpenFile,
  types: TypeTable | null,
  type: TypeId | null,
  answer: Answered<TypesLink>,
  page: string,
  withNotes = true,
): LinkOffer {
  const link = answer?.value ?? null;
  const isAsked = types !== null && type !== null;
  return {
    sort: 'types',
    title: 'Self-contained',
    says: isAsked ? typesWords(types, type, answer) : noTypeWords(types),
    leadsTo: isAsked ? typeWords(types, type) : '',
    addresses:
      link === null || type === null
        ? null
        : addressesOf(page, (embed) => linkWithType(file, type, link.key, { withNotes, embed })),
    isWaiting: isAsked && answer === null,
  };
}

/** Returns true if no type refers to a missing type, as in split BTF without its base. */
export function standsAlone(types: TypeTable): boolean {
  return !types.split || types.base !== null;
}

function noTypeWords(types: TypeTable | null): string {
  return types === null || standsAlone(types)
    ? 'Select a type to share it without its file.'
    : 'Choose the base of these types first: the link needs it.';
}

function typesWords(types: TypeTable, type: TypeId, answer: Answered<TypesLink>): string {
  const name = typeWords(types, type);
  if (answer === null) return `Contains ${name}.`;
  const link = answer.value;
  if (link === null) {
    return isKnownKind(kindOf(types, type))
      ? `${name} is too large for a link.`
      : `${name} is of an unknown kind, which a link cannot carry.`;
  }
  const { typeCount, declaredCount, pointeeCount } = link;
  const others =
    typeCount === 1 ? 'alone' : `with all types that it contains: ${countOf(typeCount, 'type')}`;
  const declared =
    declaredCount === 0 ? '' : `, ${grouped(declaredCount)} of them declared only, behind pointers`;
  const pointees =
    pointeeCount === 0 ? '' : ` ${countOf(pointeeCount, 'type')} behind pointers are included.`;
  return `Contains ${name} ${others}${declared}.${pointees} Needs no file.`;
}

/** Returns a type's keyword and name: `struct sk_buff`. Escaped. */
function typeWords(types: TypeTable, type: TypeId): string {
  const kind = kindOf(types, type);
  const title = drawnName(typeTitle(types, type));
  return isComposite(kind) || /^ENUM/.test(kindName(kind))
    ? `${kindName(kind).toLowerCase().replace('64', '')} ${title}`
    : title;
}

/** Returns the link that contains the whole file. */
export function fileOffer(
  file: OpenFile,
  answer: Answered<string>,
  page: string,
  withNotes = true,
): LinkOffer {
  const key = answer?.value ?? null;
  const size = sizeText(file.size);
  return {
    sort: 'file',
    title: 'Whole file',
    says:
      answer !== null && key === null
        ? `At ${size} the file is too large for a link.`
        : `Contains all of ${drawnName(file.name)}, ${size}. Needs no file.`,
    leadsTo: drawnName(file.name),
    addresses:
      key === null
        ? null
        : addressesOf(page, (embed) => linkWithFile(file, key, { withNotes, embed })),
    isWaiting: answer === null,
  };
}

/** Returns all links to the current place. `maxLength` limits the link with types, if possible. */
export function useLinkOffers(
  file: OpenFile,
  maxLength: number,
  withNotes: boolean,
): readonly LinkOffer[] {
  const types = file.status.step === 'ready' ? file.status.model.types : null;
  const type = types !== null && standsAlone(types) ? linkedType(file) : null;
  const page = pageAddress();
  const besideLength =
    type === null ? 0 : page.length + linkWithType(file, type, '', { withNotes }).length;
  const ofType = useAnswer(file.id, 'typesLink', {
    type: type ?? 0,
    maxLength: maxLength - besideLength,
  });
  const ofFile = useAnswer(file.id, 'fileLink', null);
  return [
    ...(file.status.step === 'log'
      ? []
      : [typesOffer(file, types, type, settled(ofType), page, withNotes)]),
    referenceOffer(file, page, withNotes),
    fileOffer(file, settled(ofFile), page, withNotes),
  ];
}

function settled<T>({ step, value }: Answer<T>): Answered<T> {
  return step === 'waiting' ? null : { value };
}
