import { type Answer, useAnswer } from '#store/hooks.ts';
import { linkedType, linkWithType } from '#store/make-link.ts';
import type { OpenFile } from '#store/session.ts';
import {
  fileOffer,
  type LinkOffer,
  referenceOffer,
  standsAlone,
  typesOffer,
} from './link-offers.ts';

/** The sorts of links to what is shown of `file`; `maxLength` characters for the one that carries types, where that can be. */
export function useLinkOffers(file: OpenFile, maxLength: number): readonly LinkOffer[] {
  const types = file.status.step === 'ready' ? file.status.model.types : null;
  const type = types !== null && standsAlone(types) ? linkedType(file) : null;
  const { protocol, host, pathname } = window.location;
  const page = `${protocol}//${host}${pathname}`;
  const besideLength = type === null ? 0 : page.length + linkWithType(file, type, '').length;
  const ofType = useAnswer(file.id, 'typesLink', {
    type: type ?? 0,
    maxLength: maxLength - besideLength,
  });
  const ofFile = useAnswer(file.id, 'fileLink', null);
  return [
    typesOffer(file, types, type, settled(ofType), page),
    referenceOffer(file, page),
    fileOffer(file, settled(ofFile), page),
  ];
}

function settled<T>({ step, value }: Answer<T>): { readonly value: T | null } | null {
  return step === 'waiting' ? null : { value };
}
