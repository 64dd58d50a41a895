import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { readLesson } from '#lessons/read-lesson.ts';
import { NO_SELECTION } from '#model/selection.ts';
import { parseAddress } from '#store/address/address.ts';
import { fileOfKey, openByKey } from '#store/address/file-keys.ts';
import { closeFile } from '#store/session/files.ts';
import { type Session, session } from '#store/session/session.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { int, struct } from '#testing/btf-types.ts';
import { openFilesInPage } from '#testing/in-page-worker.ts';
import { openModel } from '#testing/open-model.ts';
import { sampleModel, samplePath } from '#testing/samples.ts';
import { placeProblems, prepareProblems, questionProblem } from './edit-lesson.ts';
import type { OpenLesson } from './lesson-state.ts';

const TEXT = `---
title: T
about: A.
object: sample:a.btf
---

## Right

\`\`\`show
types?type=struct:s&member=m
\`\`\`

\`\`\`callout bytes=@0x0-0x2
The magic.
\`\`\`

## Wrong

\`\`\`show
types?type=struct:t
\`\`\`

\`\`\`callout bytes=@0x4
No end.
\`\`\`

\`\`\`ask access struct:u u.a
Where?
\`\`\`

## Elsewhere

\`\`\`show
types?file=sample:b.btf&type=struct:nowhere
\`\`\`
`;

it('reports places that the open file does not have, at the line of their step', async () => {
  const model = await openModel(
    'a.btf',
    btfBlob({
      types: [int('int', 4), struct('s', 4, [{ name: 'm', type: 1, bitOffset: 0 }])],
    }).bytes,
  );
  const file = {
    id: 1,
    name: 'a.btf',
    size: 1,
    sample: 'a.btf',
    sha256: null,
    status: { step: 'ready', model },
    findings: null,
    view: 'types',
    selection: NO_SELECTION,
  } as const;
  const state: Session = {
    files: [file],
    panes: [{ fileId: 1, view: 'types' }],
    currentPane: 0,
    status: '',
    wanted: null,
    embed: false,
    bytesVersion: 0,
    lastViewState: {},
  };
  const open: OpenLesson = {
    key: 'draft:1',
    text: TEXT,
    ...readLesson(TEXT),
    original: null,
    linked: '',
    stepIndex: 0,
    answer: null,
    misses: 0,
    placeProblem: null,
  };
  expect(open.problems).toEqual([]);
  expect(placeProblems(open, state)).toEqual([
    { message: 'This file has no type struct:t', line: 17, column: 1 },
    { message: 'This file has no bytes @0x4', line: 17, column: 1 },
    { message: 'This file has no type struct:u', line: 17, column: 1 },
  ]);
  expect(placeProblems(open, { ...state, files: [] })).toEqual([]);
});

it('reports a place in the second slot of a ld_imm64, once the code is read', {
  timeout: 20_000,
}, async () => {
  openFilesInPage();
  vi.stubGlobal('document', { baseURI: 'https://tools.example/', getElementById: () => null });
  vi.stubGlobal('fetch', async (input: string | URL) => {
    return new Response(readFileSync(samplePath(`${input}`.replace(/^.*samples\//, ''))));
  });
  const key = 'sample:xdp_counter.bpf.o';
  expect((await openByKey(key, '')).problem).toBeNull();
  // The `ld_imm64` at offset 0x8 is 16 bytes long (slots 1 and 2).
  const text = `---\ntitle: T\nabout: A\nobject: ${key}\n---\n${['0x8', '0x10', '0x18']
    .map((at) => `## At ${at}\n\n\`\`\`show\ncode?insn=xdp@${at}\n\`\`\`\n`)
    .join('\n')}`;
  const open: OpenLesson = {
    key: 'draft:2',
    text,
    ...readLesson(text),
    original: null,
    linked: '',
    stepIndex: 0,
    answer: null,
    misses: 0,
    placeProblem: null,
  };
  await vi.waitFor(
    () =>
      expect(placeProblems(open, session.getState()).map(({ message }) => message)).toEqual([
        'insn=xdp@0x10 is inside an instruction',
      ]),
    { timeout: 15_000, interval: 50 },
  );
  closeFile(fileOfKey(key)?.id ?? 0);
  vi.unstubAllGlobals();
});

it('finds questions that cannot be answered', async () => {
  await prepareProblems();
  const model = await sampleModel('kinds.btf');
  const asked = (block: string) => {
    const text = `---\ntitle: T\nabout: A\nobject: sample:kinds.btf\n---\n## S\n\n\`\`\`ask ${block}\n\`\`\`\n`;
    const { lesson, problems } = readLesson(text);
    expect(problems).toEqual([]);
    const [step] = lesson?.steps ?? [];
    if (step === undefined) throw new Error('no step');
    return questionProblem(step, parseAddress('#/bytes?bytes=@0x0-0x2'), model);
  };
  expect(asked('click bytes=@0x0-0x2\nClick it.')).toContain('it is selected already');
  expect(asked('click bytes=@0x2-0x3\nClick it.')).toBeNull();
  expect(asked('access struct:node n->matrix\nWhich?')).toBeNull();
  expect(asked('access struct:node n->nothing\nWhich?')).toBe(
    'The question has no answer: n->nothing leads nowhere in struct:node',
  );
  const write = (right: string) =>
    asked(`write layout struct:s\nWrite it.\n:: start\nint a;\n:: right\n${right}`);
  expect(write('struct s { int a; };')).toBeNull();
  expect(write('struct t { int a; };')).toBe(
    'The answer of the step is not right: The answer of this step has no such type.',
  );
  expect(write('struct s {')).toContain('does not compile');
});
