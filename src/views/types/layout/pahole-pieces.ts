/** A line of pahole cut into what is drawn alike. */

export type PaholePiece = {
  /** Place in the line. */
  readonly at: number;
  /** Raw text, without tabs. */
  readonly text: string;
  readonly role: 'code' | 'comment' | 'hole' | 'cacheline';
};

/** The pieces of `line`, its tabs as the columns that they stand for. */
export function paholePieces(line: string): PaholePiece[] {
  const wide = line.replace(/\t/g, '        ');
  const comment = wide.indexOf('/*');
  if (comment < 0) return [{ at: 0, text: wide, role: 'code' }];
  const rest = { at: comment, text: wide.slice(comment), role: roleOf(wide.slice(comment)) };
  return comment === 0 ? [rest] : [{ at: 0, text: wide.slice(0, comment), role: 'code' }, rest];
}

function roleOf(comment: string): PaholePiece['role'] {
  if (comment.startsWith('/* XXX')) return 'hole';
  return comment.startsWith('/* --- cacheline') ? 'cacheline' : 'comment';
}
