/** Reads the map files of linkers: `ld -Map` and `ld.lld -Map`. */

/** An input section in the output of a linker. */
export type MappedSection = {
  /** Name of the section in the object. */
  readonly name: string;
  /** Name of the section in the output. */
  readonly output: string;
  readonly address: bigint;
  /** Size in the output, in bytes. */
  readonly size: bigint;
  /** Object file, or `archive(member)`; `<internal>` for sections that lld joined. */
  readonly file: string;
};

/** Returns the input sections of a map in the order of the output; empty for other texts. */
export function parseLinkMap(text: string): readonly MappedSection[] {
  return /^\s*VMA\s+LMA\s+Size\s+Align\s/.test(text) ? lldSections(text) : bfdSections(text);
}

const LLD_LINE = /^ *([0-9a-f]+) +[0-9a-f]+ +([0-9a-f]+) +\d+ ( *)(\S.*)$/;
const LLD_INPUT = /^(.*):\((.*)\)$/;

function lldSections(text: string): readonly MappedSection[] {
  const found: MappedSection[] = [];
  let output = '';
  for (const line of text.split('\n')) {
    const [, address = '', size = '', indent = '', rest = ''] = LLD_LINE.exec(line) ?? [];
    if (rest === '') continue;
    if (indent === '') {
      output = rest;
      continue;
    }
    const [, file, name] = LLD_INPUT.exec(rest) ?? [];
    if (indent.length > 8 || file === undefined || name === undefined) continue;
    found.push({ name, output, address: BigInt(`0x${address}`), size: BigInt(`0x${size}`), file });
  }
  return found;
}

const BFD_START = 'Linker script and memory map';
const BFD_PLACE = /^\s+0x([0-9a-f]+)\s+0x([0-9a-f]+)\s+(\S.*)$/;
/** Words at the end of a line that describes no input section. */
const NO_FILE = /^(?:load address|linker stubs$)|\(size before relaxing\)$/;

function bfdSections(text: string): readonly MappedSection[] {
  const found: MappedSection[] = [];
  const start = text.indexOf(BFD_START);
  if (start < 0) return found;
  let output = '';
  let name = '';
  for (const line of text.slice(start).split('\n')) {
    const [, indent = '', word = '', rest = ''] = /^( ?)([^\s*]\S*)(.*)$/.exec(line) ?? [];
    if (word !== '' && indent === '') {
      output = word;
      name = '';
      continue;
    }
    if (word !== '') name = word;
    // A long name is on a line of its own, and the numbers on the next.
    const [, address, size, file] = BFD_PLACE.exec(word === '' ? line : rest) ?? [];
    if (address === undefined || size === undefined || file === undefined || name === '') continue;
    if (!NO_FILE.test(file)) {
      found.push({
        name,
        output,
        address: BigInt(`0x${address}`),
        size: BigInt(`0x${size}`),
        file,
      });
    }
    name = '';
  }
  return found;
}
