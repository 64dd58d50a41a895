import { expect, it } from 'vitest';
import { relocIndex } from '#model/ids.ts';
import { sampleModel } from '#testing/samples.ts';
import { infoBits } from './RelocationCard.tsx';

async function open() {
  return sampleModel('doc_call.bpf.o');
}

it('splits r_info of ELF64 at bit 32', async () => {
  const bits = infoBits(await open(), relocIndex(1));
  expect(bits).toEqual({ info: 0x20000000an, width: 64, splitBit: 32, symbol: 2, type: 10 });
});

it('splits r_info of ELF32 at bit 8', async () => {
  const model = await open();
  const relocations = {
    ...model.relocations,
    info: BigUint64Array.of(0x1502n),
    symbolNumber: Uint32Array.of(0x15),
    type: Uint32Array.of(2),
  };
  expect(infoBits({ ...model, addressBits: 32, relocations }, relocIndex(0))).toMatchObject({
    width: 32,
    splitBit: 8,
    symbol: 0x15,
    type: 2,
  });
});

it('is empty if the machine splits the type in another way', async () => {
  const model = await open();
  const relocations = { ...model.relocations, symbolNumber: Uint32Array.of(7) };
  expect(infoBits({ ...model, relocations }, relocIndex(0))).toBeNull();
});
