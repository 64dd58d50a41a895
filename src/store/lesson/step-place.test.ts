import { expect, it } from 'vitest';
import { readLesson } from '#lessons/read-lesson.ts';
import { sampleModel } from '#testing/samples.ts';
import { calloutPins, placeOfStep } from './step-place.ts';

it('pins what the file has, by the number of the callout', async () => {
  const model = await sampleModel('kinds.btf');
  const callouts = [
    { at: 'bytes=@0x0-0x2', text: 'The\nmagic' },
    { at: 'type=struct:nobody', text: 'Not there' },
    { at: 'type=struct:node&member=matrix', text: 'A member' },
  ];
  const pins = calloutPins(model, callouts, 3);
  expect(pins).toEqual([
    expect.objectContaining({
      number: 1,
      text: 'The magic',
      span: { start: 0, end: 2 },
      isLit: false,
    }),
    expect.objectContaining({ number: 3, isLit: true }),
  ]);
  const [, member] = pins;
  expect(member?.selection).toMatchObject({ kind: 'type', memberPath: [1] });
  expect((member?.span?.end ?? 0) - (member?.span?.start ?? 0)).toBe(12);
});

it('shows CO-RE without the target of an earlier step', () => {
  const shows = [
    'core?core=tc@0x0',
    'core?core=tc@0x10&target=sample:kernel.btf',
    'core?core=tc@0x10',
    'code?insn=tc@0x10',
  ];
  const steps = shows.map((show, i) => `## Step ${i}\n\nText.\n\n\`\`\`show\n${show}\n\`\`\`\n`);
  const head = '---\ntitle: T\nabout: A.\nobject: sample:layout.bpf.o\n---\n\n';
  const { lesson } = readLesson(head + steps.join('\n'));
  const targets = shows.map((_, i) => placeOfStep({ lesson, linked: '' }, i).address.target);
  expect(targets).toEqual(['', 'sample:kernel.btf', 'none', '']);
});
