import { BitRuler } from '#views/parts/BitRuler.tsx';
import { Name } from '#views/parts/Name.tsx';
import type { InfoBits } from './info-bits.ts';

type InfoRulerProps = {
  readonly bits: InfoBits;
  readonly typeName: string;
  /** Raw text. */
  readonly symbol: string;
};

/** `r_info` split into the symbol and the type that its bits say. */
export function InfoRuler({ bits, typeName, symbol }: InfoRulerProps) {
  const { width, splitBit } = bits;
  return (
    <BitRuler
      label="Bits of r_info"
      parts={[
        {
          field: 'symbol',
          length: width - splitBit,
          value: BigInt(bits.symbol),
          name: <Name text={symbol} otherwise="(no symbol)" />,
          about: `number ${bits.symbol}`,
        },
        {
          field: 'type',
          length: splitBit,
          value: BigInt(bits.type),
          name: typeName,
          about: `number ${bits.type}`,
        },
      ]}
    />
  );
}
