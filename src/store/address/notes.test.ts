import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LogOverview } from '#analysis/verifier/log-overview.ts';
import { typeId } from '#model/ids.ts';
import { NO_SELECTION, typeSelection } from '#model/selection.ts';
import {
  annotatedFiles,
  forgetNotes,
  keptNotes,
  MAX_NOTES,
  NOTE_LENGTH,
  noteText,
} from '#store/kept/kept-notes.ts';
import { activeFileNow, patchFile } from '#store/session/session.ts';
import { sampleModel } from '#testing/samples.ts';
import { openInSession } from '#testing/session.ts';
import { formatNotes, NOTES_IN_LINK, parseAddress } from './address.ts';
import { addNote, editNote, removeNotes, takeNotes } from './edit-notes.ts';
import { referenceLink } from './make-link.ts';
import { loadNotes, notesOf } from './notes.ts';

const model = await sampleModel('kinds.bpf.o');
const SHA = 'ab'.repeat(32);
const storage = new Map<string, string>();
const fake = {
  getItem: (key: string) => storage.get(key) ?? null,
  setItem: (key: string, text: string) => void storage.set(key, text),
  removeItem: (key: string) => void storage.delete(key),
};

beforeEach(() => {
  storage.clear();
  Object.defineProperty(globalThis, 'localStorage', { value: fake, configurable: true });
  openInSession(model, 'types');
  patchFile(1, { sha256: SHA });
  forgetNotes(null);
});

// Test files of one process share the session.
afterEach(() => forgetNotes(null));

const texts = () => notesOf(1).map(({ text }) => text);

describe('notes on a file', () => {
  it('stand on types and bytes, are changed and removed, and are kept by the hash', () => {
    expect(addNote(1, typeSelection(typeId(1)), ' read\n twice ')).toBe(true);
    expect(addNote(1, { kind: 'bytes', start: 0, end: 4 }, 'magic')).toBe(true);
    expect(texts()).toEqual(['read twice', 'magic']);
    expect([...keptNotes.parse(storage.get('btfscope-notes') ?? null)]).toEqual([
      [SHA, notesOf(1).map(({ place, text }) => ({ place, text }))],
    ]);
    editNote(1, 0, 'once');
    editNote(1, 1, '');
    expect(texts()).toEqual(['once']);
    removeNotes(1);
    expect([texts(), annotatedFiles()]).toEqual([[], 0]);
  });

  it('are not made of nothing', () => {
    expect(addNote(1, NO_SELECTION, 'x')).toBe(false);
    expect(addNote(1, typeSelection(typeId(1)), ' \n ')).toBe(false);
    expect(addNote(9, typeSelection(typeId(1)), 'x')).toBe(false);
    for (let i = 0; i < MAX_NOTES + 3; i++) addNote(1, typeSelection(typeId(1)), `${i}`);
    expect(notesOf(1)).toHaveLength(MAX_NOTES);
  });

  it('come back with the file, also on another reading of it, and are forgotten with it', async () => {
    addNote(1, typeSelection(typeId(1)), 'kept');
    const other = { ...model };
    patchFile(1, { status: { step: 'ready', model: other } });
    await loadNotes(1);
    expect(notesOf(1).map(({ selection }) => selection?.kind)).toEqual(['type']);
    forgetNotes(SHA);
    expect([texts(), annotatedFiles()]).toEqual([[], 0]);
  });
});

describe('a link', () => {
  it('carries the notes, which are added once to those on the file', async () => {
    addNote(1, typeSelection(typeId(1)), 'a, b ~ c & <b>%41</b> 😀');
    const file = activeFileNow();
    const link = file === null ? null : referenceLink(file);
    const { notes } = parseAddress(link ?? '');
    expect(notes).toEqual(notesOf(1).map(({ place, text }) => ({ place, text })));
    expect(file && referenceLink(file, { withNotes: false })).not.toContain('notes=');
    expect(await takeNotes(1, notes)).toBe(0);
    removeNotes(1);
    expect(await takeNotes(1, notes)).toBe(1);
    expect(notesOf(1)[0]?.selection).toMatchObject({ kind: 'type', type: 1 });
  });

  it('with places that the file does not have brings them as text', async () => {
    expect(await takeNotes(1, [{ place: 'type=struct:nowhere', text: 'x' }])).toBe(1);
    expect(notesOf(1)[0]?.selection).toBeNull();
  });

  it('is bounded: in its notes, in each, and in all of them together', async () => {
    const many = Array.from({ length: 400 }, (_, i) => `section=.text~x${i}`).join(',');
    expect(parseAddress(`#/types?file=x&notes=${many}`).notes).toHaveLength(MAX_NOTES);
    expect(parseAddress(`#/types?notes=a~${'x'.repeat(NOTES_IN_LINK)}`).notes).toEqual([]);
    const [note] = parseAddress(`#/types?notes=a~${'x'.repeat(1000)}`).notes;
    expect(note?.text).toHaveLength(NOTE_LENGTH);
    expect(noteText('é'.repeat(9999))).toHaveLength(NOTE_LENGTH);
    const long = { place: 'type=struct:s', text: '\u{1f600}'.repeat(NOTE_LENGTH) };
    const written = formatNotes(Array.from({ length: MAX_NOTES }, () => long));
    expect(written.length).toBeLessThanOrEqual(NOTES_IN_LINK);
    expect(parseAddress(`#/types?notes=${written}`).notes[0]).toEqual(long);
    await takeNotes(
      1,
      Array.from({ length: 500 }, (_, i) => ({ place: `type=int:i${i}`, text: 'x' })),
    );
    expect(notesOf(1)).toHaveLength(MAX_NOTES);
  });
});

it.each([null, '', '[]', '{"a":1}', '{"a":[1,["p"],["p",3],["",""],[" ",""]]}', 'null'])(
  'takes what is kept as %s for no note',
  (text) => {
    expect([...keptNotes.parse(text).values()].flat()).toEqual([]);
  },
);

describe('notes on a log', () => {
  const log = { lineCount: 3 } as LogOverview;

  beforeEach(() => patchFile(1, { status: { step: 'log', log, issues: [] } }));

  it('are on lines, kept, and in links', async () => {
    expect(addNote(1, 1, 'here it fails')).toBe(true);
    expect(addNote(1, 3, 'no such line')).toBe(false);
    expect(addNote(1, typeSelection(typeId(1)), 'no type')).toBe(false);
    expect(notesOf(1)).toEqual([
      { place: 'line=2', text: 'here it fails', selection: null, line: 1 },
    ]);
    const file = activeFileNow();
    if (file === null) throw new Error('no file');
    const { notes } = parseAddress(referenceLink(file) ?? '');
    expect(notes).toEqual([{ place: 'line=2', text: 'here it fails' }]);
    removeNotes(1);
    expect(await takeNotes(1, [...notes, { place: 'line=9', text: 'gone' }])).toBe(2);
    expect(notesOf(1).map(({ line }) => line)).toEqual([1, null]);
  });
});
