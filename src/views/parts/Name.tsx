import { drawnName } from '#bytes/text.ts';

type NameProps = {
  readonly text: string;
  readonly otherwise?: string;
};

/** A name out of the file. Invisible and direction-turning characters are written as escapes; an empty one says `otherwise`. */
export function Name({ text, otherwise = '(anon)' }: NameProps) {
  return text === '' ? (
    <span className="muted">{otherwise}</span>
  ) : (
    <bdi className="mono">{drawnName(text)}</bdi>
  );
}
