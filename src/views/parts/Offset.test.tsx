// @vitest-environment happy-dom
import { act } from 'react';
import { expect, it } from 'vitest';
import { changeSettings } from '#store/kept/settings.ts';
import { mount } from '#testing/mount.tsx';
import { cellText } from '#ui/table-columns.ts';
import { Offset, offsetCell, useWriteOffset } from './Offset.tsx';

it('is in the base that the settings say, and sorts as a number in either', async () => {
  const host = await mount(
    <p>
      {offsetCell(4096n)} <Offset text="-0x18" />
    </p>,
  );
  expect(host.textContent).toBe('0x1000 -0x18');
  await act(async () => changeSettings({ numbers: 'decimal' }));
  expect(host.textContent).toBe('4096 -24');
  await act(async () => changeSettings({ numbers: 'hex' }));
  expect(cellText(offsetCell(24))).toBe('0x18');
});

function Place() {
  const write = useWriteOffset();
  return `.text + ${write(0x34)}, ${write(-8n)}`;
}

it('is so in texts that have more than a number', async () => {
  const host = await mount(
    <p>
      <Offset text="(0x10 - 0x8) / 8 = 1" />; <Place />
    </p>,
  );
  expect(host.textContent).toBe('(0x10 - 0x8) / 8 = 1; .text + 0x34, -0x8');
  await act(async () => changeSettings({ numbers: 'decimal' }));
  expect(host.textContent).toBe('(16 - 8) / 8 = 1; .text + 52, -8');
  await act(async () => changeSettings({ numbers: 'hex' }));
});
