/** What the bar says about a file that a link led to. Sentences for reading: nothing raw is left in them. */
import { drawnName } from '#bytes/text.ts';
import type { LinkNotice, LinkOrigin } from '#store/link-state.ts';
import { grouped } from '#ui/grouped.ts';
import { countOf } from '#views/parts/number-text.ts';

/** Where the file came from. */
export function originText({ name, carries }: LinkOrigin): string {
  const of = name === '' ? '' : ` of ${drawnName(name)}`;
  if (carries.kind === 'file') {
    return `From a link that carries the whole file${name === '' ? '' : `, ${drawnName(name)}`}.`;
  }
  const { typeCount, declaredCount } = carries;
  const declared =
    declaredCount === 0
      ? ''
      : ` ${declaredCount === 1 ? 'One of them is a declaration' : `${grouped(declaredCount)} of them are declarations`}: what is behind those pointers was left out.`;
  return `From a link that carries ${countOf(typeCount, 'type')}${of}.${declared}`;
}

/** What to know about the arrival; `sha256` is that of the file that is shown, null while it is not known. */
export function noticeTexts(notice: LinkNotice, sha256: string | null): readonly string[] {
  const { expected, sentences } = notice;
  const isOther = expected !== null && sha256 !== null && sha256 !== expected;
  return [
    ...(isOther
      ? [
          `This is not the file that the link was made from (SHA-256 ${expected.slice(0, 12)}…): what has the same name is shown.`,
        ]
      : []),
    ...sentences.map((sentence) => `${drawnName(sentence)}.`),
  ];
}
