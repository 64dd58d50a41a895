import { expect, it } from 'vitest';
import { readLesson } from '#lessons/read-lesson.ts';
import { NOTHING } from '#model/selection.ts';
import type { Session } from '#store/session.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { int, struct } from '#testing/btf-types.ts';
import { openModel } from '#testing/open-model.ts';
import { sampleModel } from '#testing/samples.ts';
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
    selection: NOTHING,
  } as const;
  const state: Session = {
    files: [file],
    activeId: 1,
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

it('finds questions that cannot be answered', async () => {
  await prepareProblems();
  const model = await sampleModel('kinds.btf');
  const asked = (block: string) => {
    const text = `---\ntitle: T\nabout: A\nobject: sample:kinds.btf\n---\n## S\n\n\`\`\`ask ${block}\n\`\`\`\n`;
    const { lesson, problems } = readLesson(text);
    expect(problems).toEqual([]);
    const [step] = lesson?.steps ?? [];
    if (step === undefined) throw new Error('no step');
    return questionProblem(step, '#/bytes?bytes=@0x0-0x2', model);
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
