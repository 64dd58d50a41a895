/** Tests the records of ELF tables. The expected bytes are written as in the gABI. */
import { describe, expect, it } from 'vitest';
import { ByteReader } from '#bytes/byte-reader.ts';
import { Malformed } from '#bytes/issue.ts';
import type { Endian } from '#bytes/span.ts';
import { assemble, hex, i32, i64, type Part, u8, u16, u32, u64 } from '#testing/assemble.ts';
import {
  compressionHeaderSize,
  readCompressionHeader,
  readRelocation,
  readSectionHeader,
  readSymbol,
  relocationFormat,
  relocationSize,
  sectionHeaderSize,
  sectionHeaderSpan,
  symbolSize,
  symbolSpan,
} from './records.ts';

const ENDIANS = ['little', 'big'] as const;

function reader(endian: Endian, ...parts: readonly Part[]): ByteReader {
  return new ByteReader(assemble(endian, ...parts).bytes, 'table', endian);
}

describe.each(ENDIANS)('records, %s-endian', (endian) => {
  it.each([
    [32, u32],
    [64, u64],
  ] as const)('reads a section header of ELF%i', (elfClass, word) => {
    const table = reader(
      endian,
      ...[u32(1), u32(0x6fff4c03), word(6), word(0x1000), word(0x40), word(0x98)],
      ...[u32(13), u32(3), word(8), word(16)],
    );
    expect(table.length).toBe(sectionHeaderSize(elfClass));
    expect(readSectionHeader(table, 0, elfClass)).toEqual({
      shName: 1,
      shType: 0x6fff4c03,
      shFlags: 6n,
      shAddr: 0x1000n,
      shOffset: 0x40n,
      shSize: 0x98n,
      shLink: 13,
      shInfo: 3,
      shAddralign: 8n,
      shEntsize: 16n,
    });
    expect(sectionHeaderSpan(elfClass, 'sh_entsize').end).toBe(table.length);
    expect(() => readSectionHeader(table, 1, elfClass)).toThrow(Malformed);
  });

  it('reads a symbol of either class', () => {
    const expected = {
      stName: 7,
      stInfo: 0x12,
      stOther: 2,
      stShndx: 0xfff1,
      stValue: 0x18n,
      stSize: 40n,
    };
    const long = reader(endian, u32(7), u8(0x12), u8(2), u16(0xfff1), u64(0x18), u64(40));
    const short = reader(endian, u32(7), u32(0x18), u32(40), u8(0x12), u8(2), u16(0xfff1));
    for (const [elfClass, table] of [
      [64, long],
      [32, short],
    ] as const) {
      expect(table.length).toBe(symbolSize(elfClass));
      expect(readSymbol(table, 0, elfClass)).toEqual(expected);
      expect(table.u16(symbolSpan(elfClass, 'st_shndx').start)).toBe(0xfff1);
      expect(() => readSymbol(table, 1, elfClass)).toThrow(Malformed);
    }
  });

  it('reads REL and RELA of ELF64', () => {
    const rInfo = 0x0000_0003_0000_000an;
    const table = reader(endian, u64(0x50), u64(rInfo), i64(-4));
    const rel = relocationFormat({ elfClass: 64, endian, eMachine: 247 }, false);
    const rela = relocationFormat({ elfClass: 64, endian, eMachine: 247 }, true);
    expect([relocationSize(rel), relocationSize(rela)]).toEqual([16, 24]);
    const common = { rOffset: 0x50n, rInfo, rSym: 3, rType: 10 };
    expect(readRelocation(table, 0, rel)).toEqual({ ...common, rAddend: null });
    expect(readRelocation(table, 0, rela)).toEqual({ ...common, rAddend: -4n });
    expect(() => readRelocation(table, 1, rela)).toThrow(Malformed);
  });

  it('reads REL and RELA of ELF32', () => {
    const table = reader(endian, u32(0x50), u32(0x30a), i32(-4));
    const rel = relocationFormat({ elfClass: 32, endian, eMachine: 3 }, false);
    const rela = relocationFormat({ elfClass: 32, endian, eMachine: 3 }, true);
    expect([relocationSize(rel), relocationSize(rela)]).toEqual([8, 12]);
    const common = { rOffset: 0x50n, rInfo: 0x30an, rSym: 3, rType: 10 };
    expect(readRelocation(table, 0, rel)).toEqual({ ...common, rAddend: null });
    expect(readRelocation(table, 0, rela)).toEqual({ ...common, rAddend: -4n });
  });

  it('reads a compression header of either class', () => {
    const long = reader(endian, u32(2), u32(0), u64(0x37d), u64(4));
    const short = reader(endian, u32(2), u32(0x37d), u32(4));
    const expected = { chType: 2, chSize: 0x37dn, chAddralign: 4n };
    expect(readCompressionHeader(long, 64)).toEqual(expected);
    expect(readCompressionHeader(short, 32)).toEqual(expected);
    expect([compressionHeaderSize(64), compressionHeaderSize(32)]).toEqual([24, 12]);
    expect(() => readCompressionHeader(short, 64)).toThrow(/compression header truncated/);
  });
});

describe('r_info of MIPS64', () => {
  // Expected: symbol 5, r_ssym 0, r_type3 0, r_type2 0x12, r_type 3.
  it('is four single bytes after the symbol in little-endian files', () => {
    const table = reader('little', u64(0x10), hex('05 00 00 00 00 00 12 03'));
    const format = relocationFormat({ elfClass: 64, endian: 'little', eMachine: 8 }, false);
    expect(readRelocation(table, 0, format)).toMatchObject({ rSym: 5, rType: 0x1203 });
  });

  it('is one number in big-endian files', () => {
    const table = reader('big', u64(0x10), hex('00 00 00 05 00 00 12 03'));
    const format = relocationFormat({ elfClass: 64, endian: 'big', eMachine: 8 }, false);
    expect(readRelocation(table, 0, format)).toMatchObject({ rSym: 5, rType: 0x1203 });
  });
});
