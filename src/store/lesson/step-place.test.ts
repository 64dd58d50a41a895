import { expect, it } from 'vitest';
import { sampleModel } from '#testing/samples.ts';
import { calloutPins } from './step-place.ts';

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
