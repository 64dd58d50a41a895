import { isFramed } from '#store/page/framed.ts';
import type { OpenFile, Session } from './session.ts';

/** Returns whether a type fills the page without the list of types: in a frame, if the link carries that type. */
export function isTypeAlone({ embed }: Session, file: OpenFile | null): boolean {
  return (embed !== false || isFramed()) && file?.origin?.carries.kind === 'types';
}
