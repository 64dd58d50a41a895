// Writes src/analysis/workbench/system-headers.txt, what the headers of Linux and of the C library
// declare that BPF programs include: node scripts/build-workbench-headers.mjs [-I DIR]…
//
// Asks clang-19 for the declarations and constants of each header: which headers it includes, its
// types, enumerators and macros without parameters, and short macros with parameters. Comments,
// functions and variables are left out. A header is read from the first DIR that has it, then from
// /usr/include, as for an x86-64 host. The file in the repository has linux/*.h of libbpf 1.8's
// include/uapi, and the others of Linux 6.1 and glibc 2.36; docs/supply-chain.md has their licences.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const OUT = fileURLToPath(new URL('../src/analysis/workbench/system-headers.txt', import.meta.url));
const ROOTS = `linux/types.h linux/stddef.h linux/const.h linux/bpf.h linux/bpf_common.h
linux/bpf_perf_event.h linux/btf.h linux/perf_event.h linux/ptrace.h linux/in.h linux/in6.h linux/if.h
linux/if_arp.h linux/if_ether.h linux/if_packet.h linux/if_vlan.h linux/ip.h
linux/ipv6.h linux/icmp.h linux/icmpv6.h linux/tcp.h linux/udp.h linux/mpls.h
linux/pkt_cls.h linux/socket.h linux/un.h linux/errno.h linux/limits.h linux/fcntl.h linux/stat.h
linux/sched.h linux/filter.h linux/time.h linux/netfilter.h linux/netfilter_ipv4.h
linux/netfilter_ipv6.h linux/version.h linux/swab.h linux/uio.h linux/param.h linux/ioctl.h
linux/kernel.h linux/string.h linux/udp.h linux/mman.h linux/capability.h linux/seg6_local.h
asm/types.h asm/byteorder.h asm/errno.h asm/param.h asm/socket.h
asm/bpf_perf_event.h asm/unistd.h asm/bitsperlong.h asm-generic/types.h asm-generic/errno.h
asm-generic/errno-base.h asm-generic/int-ll64.h asm-generic/socket.h
errno.h stdint.h inttypes.h stddef.h stdbool.h stdarg.h limits.h string.h stdlib.h stdio.h time.h
unistd.h fcntl.h endian.h byteswap.h sys/types.h sys/socket.h sys/time.h sys/stat.h sys/cdefs.h
sys/param.h sys/un.h sys/syscall.h netinet/in.h arpa/inet.h net/if.h net/ethernet.h netinet/if_ether.h
netinet/ip.h netinet/ip6.h netinet/tcp.h netinet/udp.h assert.h strings.h`.split(/\s+/);
const CLANG = 'clang-19';
const CLANG_HEADERS = '/usr/lib/llvm-19/lib/clang/19/include';
/** Headers without declarations that BPF programs use. Nothing of them is written. */
const LEFT_OUT = new Set(
  'linux/if_link.h linux/netlink.h bits/confname.h bits/syscall.h sys/ucontext.h ctype.h'.split(
    ' ',
  ),
);
/** Longest body of a macro with parameters that is kept, in characters. */
const LONGEST_MACRO = 160;

const { values } = parseArgs({
  options: { include: { type: 'string', short: 'I', multiple: true, default: [] } },
});
const FOLDERS = [...values.include, '/usr/include/x86_64-linux-gnu', '/usr/include'];
const WORDS = ['-E', '-dD', '-w', '--target=bpf', '-D__x86_64__', '-x', 'c'];

/** Text of each header by its path in `#include`. */
const headers = new Map();
for (const root of ROOTS) await readHeader(root);
const blocks = [...headers].toSorted(([a], [b]) => (a < b ? -1 : 1));
writeFileSync(OUT, `${blocks.map(([path, text]) => `=== ${path}\n${text}`).join('')}`);
console.log(`${blocks.length} headers`);

/** Adds a header and those that it includes to `headers`. */
async function readHeader(root) {
  if (headers.has(root) || LEFT_OUT.has(root)) return;
  let text;
  try {
    text = execFileSync(CLANG, [...WORDS, ...FOLDERS.flatMap((dir) => ['-isystem', dir]), '-'], {
      input: `#include <${root}>\n`,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
  } catch {
    console.error(`${root} is not read`);
    return;
  }
  /** Lines of each file of this run, and where it is. */
  const files = new Map([[root, []]]);
  const places = new Map();
  let path = null;
  let declaration = '';
  for (const line of text.split('\n')) {
    const marker = /^# \d+ "(.*?)"( 1)?/.exec(line);
    if (marker === null) {
      const lines = files.get(path);
      if (lines === undefined) continue;
      if (line.startsWith('#')) addDirective(lines, line);
      else declaration = takeDeclarations(lines, `${declaration}${line} `);
      continue;
    }
    const [, file, isEntered] = marker;
    const now = pathOf(file);
    const isRead = isEntered !== undefined && now !== null && !LEFT_OUT.has(now);
    if (isRead) files.get(path)?.push(include(now));
    if (now !== null && !files.has(now)) files.set(now, []);
    if (now !== null) places.set(now, file);
    path = now;
  }
  for (const [name, lines] of files) {
    const isOther = name !== root && (!isPrivate(name) || headers.has(name));
    if (isOther || LEFT_OUT.has(name)) continue;
    // clang does not enter a header again, so the text of the file tells which it includes, too.
    const place = places.get(name);
    const source = place === undefined ? '' : readFileSync(place, 'utf8');
    const again = [...source.matchAll(/^\s*#\s*include\s*[<"](.*?)[>"]/gm)]
      .map(([, path]) => path)
      .filter((path) => files.has(path) && !LEFT_OUT.has(path) && !lines.includes(include(path)));
    const all = [...new Set(again.map(include)), ...lines];
    headers.set(name, all.map((line) => `${line}\n`).join(''));
  }
  for (const name of files.keys()) if (!isPrivate(name)) await readHeader(name);
}

function include(path) {
  return `#include <${path}>`;
}

/** Returns true for a header that others include, which decide what it declares. */
function isPrivate(path) {
  return /^(bits|gnu)\/|posix_types|^linux\/hdlc/.test(path);
}

/** Returns the path of a file in `#include`, or null for the compiler's own text. */
function pathOf(file) {
  if (file.startsWith('<')) return null;
  const folder = [...FOLDERS, CLANG_HEADERS].find((dir) => file.startsWith(`${dir}/`));
  return folder === undefined ? null : file.slice(folder.length + 1);
}

function addDirective(lines, line) {
  const [, name, params, body] = /^#define (\w+)(\(.*?\))?(.*)$/.exec(line) ?? [];
  if (name === undefined) {
    if (line.startsWith('#undef ')) lines.push(line);
    return;
  }
  const isShort = body.length <= LONGEST_MACRO;
  // A macro of itself only tells that an enumerator is there; formats are for printf of libc.
  if (body.trim() === name || /^(PRI|SCN)/.test(name)) return;
  if (/\b(asm|__extension__|__asm__)\b/.test(body) || (params !== undefined && !isShort)) return;
  lines.push(`#define ${name}${params ?? ''}${body.replace(/\s+/g, ' ')}`);
}

/** Moves whole declarations of types from the text to the lines. Returns the rest of the text. */
function takeDeclarations(lines, text) {
  let rest = text;
  for (;;) {
    const end = endOfDeclaration(rest);
    if (end < 0) return rest;
    const one = rest
      .slice(0, end)
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/^__extension__ /, '');
    rest = rest.slice(end);
    const shape = one.replace(/__attribute__ ?\(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\)/g, '');
    const outside = shape.replace(
      /\{(?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*\})*\}/g,
      '',
    );
    const isType =
      /^typedef\b/.test(one) || (/^(struct|union|enum)\b/.test(one) && !outside.includes('('));
    if (isType) lines.push(one);
  }
}

function endOfDeclaration(text) {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if ('({['.includes(text[i])) depth++;
    else if (')}]'.includes(text[i])) {
      depth--;
      const isBody =
        text[i] === '}' && depth === 0 && /\)\s*$/.test(text.slice(0, openOf(text, i)));
      if (isBody) return i + 1;
    } else if (text[i] === ';' && depth === 0) return i + 1;
  }
  return -1;
}

/** Returns the index of the `{` of the `}` at `close`. */
function openOf(text, close) {
  let depth = 0;
  for (let i = close; i >= 0; i--) {
    if (text[i] === '}') depth++;
    if (text[i] === '{') depth--;
    if (depth === 0) return i;
  }
  return 0;
}
