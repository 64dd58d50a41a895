// Compiles the C programs of scripts/ that load BPF objects through libbpf.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from './testdata/tools.mjs';

/**
 * Compiles a loader with libbpf: of `prefix`, a folder with include/bpf and libbpf.a in one of its
 * folders, or the system's where `prefix` is undefined. Returns why that fails, or null.
 */
export function compileLoader(source, output, prefix) {
  const archive = prefix === undefined ? undefined : archiveIn(prefix);
  if (prefix !== undefined && archive === undefined) return `there is no libbpf.a in ${prefix}`;
  const headers = prefix === undefined ? [] : [`-I${includeOf(prefix)}`];
  const libraries = archive === undefined ? ['-lbpf'] : [archive, '-lelf', '-lz'];
  const words = ['cc', '-O1', '-Wall', ...headers, '-o', output, source, ...libraries];
  try {
    const { status, stderr } = attempt(words);
    return status === 0 ? null : `the loader does not compile:\n${stderr}`;
  } catch {
    return 'there is no C compiler (cc)';
  }
}

const includeOf = (prefix) =>
  [join(prefix, 'include'), join(prefix, 'usr/include')].find((path) => existsSync(path)) ?? prefix;

function archiveIn(prefix) {
  const folders = ['', 'lib', 'lib64', 'usr/lib', 'usr/lib64'];
  return folders.map((name) => join(prefix, name, 'libbpf.a')).find((path) => existsSync(path));
}
