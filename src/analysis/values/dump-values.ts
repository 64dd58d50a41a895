/**
 * Parses the text of `bpftool map dump` for a map with BTF. The text is nearly JSON: bit-fields and
 * 128-bit values are bare hex, pointers `(nil)`, anonymous members have the name `""` (Linux,
 * tools/bpf/bpftool/btf_dumper.c). Numbers keep all digits: they stay text.
 */
import { DumpError } from './dump-error.ts';

export type DumpNode =
  | { readonly kind: 'object'; readonly fields: [name: string, node: DumpNode][] }
  | { readonly kind: 'list'; readonly items: DumpNode[] }
  /** A text in quotes, without the quotes. */
  | { readonly kind: 'text'; readonly text: string }
  /** A number, `true`, `null`, `(nil)`, as it is written. */
  | { readonly kind: 'word'; readonly text: string };

/** An entry with decoded values; `key` is null for maps of variables, whose dump has no keys. */
export type ValueEntry = {
  readonly key: DumpNode | null;
  readonly values: readonly { readonly cpu: number | null; readonly node: DumpNode }[];
};

/** Limit of nested values, as no compiler nests types deeper. */
const MAX_DEPTH = 500;

const TOKEN = /\s*(?:([{}[\],:])|"((?:[^"\\]|\\.)*)"|([^\s{}[\],:"]+))/y;

/** Returns the entries of a dump. Throws `DumpError` with the place of the first fault. */
export function parseValueDump(text: string): ValueEntry[] {
  const root = parseNodes(text);
  if (root.kind !== 'list') throw new DumpError('the dump is not a list of entries');
  return root.items.map(entryOf);
}

function entryOf(item: DumpNode, index: number): ValueEntry {
  const value = fieldOf(item, 'value');
  const perCpu = fieldOf(item, 'values');
  if (perCpu?.kind === 'list') {
    const values = perCpu.items.map((one) => {
      const cpu = fieldOf(one, 'cpu');
      const node = fieldOf(one, 'value');
      if (cpu?.kind !== 'word' || !/^\d{1,6}$/.test(cpu.text) || node === null) {
        throw new DumpError(`a value of entry ${index} has no cpu`);
      }
      return { cpu: Number(cpu.text), node };
    });
    return { key: fieldOf(item, 'key'), values };
  }
  if (value === null) throw new DumpError(`entry ${index} has no value`);
  return { key: fieldOf(item, 'key'), values: [{ cpu: null, node: value }] };
}

function fieldOf(node: DumpNode, name: string): DumpNode | null {
  if (node.kind !== 'object') return null;
  return node.fields.find(([own]) => own === name)?.[1] ?? null;
}

type Open = {
  readonly node: Extract<DumpNode, { kind: 'object' | 'list' }>;
  readonly close: '}' | ']';
  /** Name of the member whose value comes next; null in a list, and before a name. */
  name: string | null;
};

/** Parses one value. Commas and colons only separate: bpftool omits none that changes a value. */
function parseNodes(text: string): DumpNode {
  const root: Open = { node: { kind: 'list', items: [] }, close: ']', name: null };
  const stack: Open[] = [root];
  for (let at = 0; at < text.length; ) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text);
    if (token === null) {
      if (/^\s*$/.test(text.slice(at, at + 1000)) && text.slice(at).trim() === '') break;
      throw new DumpError('the dump ends within a text', { start: at, length: 1 });
    }
    const start = TOKEN.lastIndex - token[0].trimStart().length;
    at = TOKEN.lastIndex;
    step(stack, token, { start, length: at - start });
  }
  const [whole] = root.node.kind === 'list' ? root.node.items : [];
  if (stack.length !== 1 || whole === undefined) {
    throw new DumpError('the dump is not complete', { start: text.length, length: 1 });
  }
  return whole;
}

function step(stack: Open[], token: RegExpExecArray, place: DumpError['at']): void {
  const [, mark, quoted, word] = token;
  const top = stack.at(-1);
  if (top === undefined) return;
  if (mark === ',' || mark === ':') return;
  if (mark === '}' || mark === ']') {
    if (stack.length === 1 || top.close !== mark) throw new DumpError(`unexpected ${mark}`, place);
    stack.pop();
    return;
  }
  const isName = top.node.kind === 'object' && top.name === null;
  if (isName) {
    if (quoted === undefined) throw new DumpError('expected the name of a member', place);
    top.name = unescaped(quoted);
    return;
  }
  const node = nodeOf(mark, quoted, word);
  if (top.node.kind === 'list') top.node.items.push(node);
  else top.node.fields.push([top.name ?? '', node]);
  top.name = null;
  if (node.kind !== 'object' && node.kind !== 'list') return;
  if (stack.length > MAX_DEPTH) throw new DumpError('the values are nested too deep', place);
  stack.push({ node, close: node.kind === 'object' ? '}' : ']', name: null });
}

function nodeOf(mark?: string, quoted?: string, word?: string): DumpNode {
  if (mark === '{') return { kind: 'object', fields: [] };
  if (mark === '[') return { kind: 'list', items: [] };
  return quoted === undefined
    ? { kind: 'word', text: word ?? '' }
    : { kind: 'text', text: unescaped(quoted) };
}

const ESCAPED: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['b', '\b'],
  ['f', '\f'],
]);

function unescaped(text: string): string {
  return text.replace(/\\(?:u([\da-f]{4})|(.))/gis, (_, code?: string, letter = '') =>
    code === undefined
      ? (ESCAPED.get(letter) ?? letter)
      : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
