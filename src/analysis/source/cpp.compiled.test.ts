/** Tests of classes of C++ with methods and static members, compiled by clang and GCC. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BtfKind } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import { kindOf, lastId, nameOf } from '#model/type-table.ts';
import { openModel } from '#testing/open-model.ts';
import { sourceDeclaration } from './source-declaration.ts';
import { sourcedTypes } from './source-types.ts';

const COMPILERS = ['clang++-19', 'g++'].filter(
  (compiler) => spawnSync(compiler, ['--version']).status === 0,
);

/** Compiles C++. Returns a function that finds the declaration of a class. */
async function compile(compiler: string, source: string, ...options: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'btfscope-'));
  try {
    writeFileSync(join(folder, 'a.cpp'), source);
    const standard = '-std=c++20 -g -c a.cpp -o a.o'.split(' ');
    const { status, stderr } = spawnSync(compiler, [...standard, ...options], { cwd: folder });
    if (status !== 0) throw new Error(stderr.toString());
    const s = sourcedTypes(
      await openModel('a.o', new Uint8Array(readFileSync(join(folder, 'a.o')))),
    );
    if (s === null) throw new Error('no types');
    const { types: t } = s;
    return (name: string): readonly string[] => {
      const texts: string[] = [];
      for (let id = typeId(t.firstId); id <= lastId(t); id = typeId(id + 1)) {
        if (nameOf(t, id) !== name || kindOf(t, id) === BtfKind.FUNC) continue;
        texts.push(sourceDeclaration(s, id)?.text ?? '');
      }
      return texts;
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const METHODS = `
namespace ns {
template <typename T> struct box {
  using size_type = unsigned long;
  T value;
  box(const box &);
  ~box() {}
  size_type size(const box &other, size_type) const { return sizeof value; }
};
struct part {
  part() = default;
  part(const part &) = delete;
  explicit part(int);
  virtual ~part();
  virtual int pure(box<part *> &b, int n) const = 0;
  virtual void watched() volatile;
  static int make(const char *, ...);
  explicit operator bool() const;
  operator const char *();
  part &operator=(part &&) &&;
  int left() &;
  int (*callback() const)(int);
  void none(decltype(nullptr));
  static const int limit = -5;
  static const bool yes = true;
  static const unsigned long big = ~0ul;
protected:
  alignas(16) int aligned;
  int bits : 3;
private:
  void hidden();
};
part::~part() {}
struct alignas(64) line { int x; };
}
ns::line l;
int use(ns::part *p, ns::box<ns::part *> &b) { return p->pure(b, 1) + b.size(b, 2); }
`;

describe.each(COMPILERS)('C++ by %s', (compiler) => {
  it('has methods as DWARF states them', async () => {
    const of = await compile(compiler, METHODS);
    const [text = ''] = of('ns::part');
    // GCC states neither pure methods nor names as clang does.
    const isGcc = compiler === 'g++';
    for (const line of [
      'part(const part &) = delete;',
      'explicit part(int);',
      'virtual ~part();',
      `virtual int pure(ns::box<ns::part*> &, int) const${isGcc ? '' : ' = 0'};`,
      'virtual void watched() volatile;',
      'static int make(const char *, ...);',
      'explicit operator bool() const;',
      `operator ${isGcc ? 'char const*' : 'const char *'}();`,
      'part &operator=(part &&) &&;',
      'int left() &;',
      'int (*callback() const)(int);',
      'void none(decltype(nullptr));',
    ]) {
      expect(text.replaceAll('part *>', 'part*>')).toContain(`\t${line}\n`);
    }
    expect(text).toMatch(/protected:\n\talignas\(16\) int aligned;\n\tint bits : 3;\n/);
    expect(text).toMatch(/private:\n\tvoid hidden\(\);\n/);
    expect(of('ns::line')).toEqual(['struct alignas(64) ns::line {\n\tint x;\n};']);
  });

  it('has static members with their values', async () => {
    const [text = ''] = (await compile(compiler, METHODS))('ns::part');
    expect(text).toContain('\tstatic const int limit = -5;\n\tstatic const bool yes = true;\n');
    expect(text).toMatch(
      /\tstatic const (unsigned long|long unsigned int) big = 18446744073709551615;/,
    );
  });

  it('writes names of its scope as the class does', async () => {
    const of = await compile(compiler, METHODS);
    const [text = ''] = [...of('ns::box<ns::part *>'), ...of('ns::box<ns::part*>')];
    expect(text).toContain(
      '\tbox(const box &);\n\t~box();\n\tsize_type size(const box &, size_type) const;\n',
    );
  });
});

const TEMPLATES = `
enum class color : unsigned char { red, blue };
template <typename... T> struct pack { int n; };
template <int N, bool B, typename T, color C> struct value {
  T t[N];
  value *next;
  struct inner { T one; } in;
};
template <unsigned long N> struct sized { char c[N]; };
pack<int, char *const &, const value<2, true, int, color::blue> *> p;
value<3, false, long, color::red> v;
sized<7> s;
`;

it.runIf(COMPILERS.includes('clang++-19'))(
  'has arguments of templates that names lack',
  async () => {
    const names = [
      'pack<int, char *const &, const value<2, true, int, (color)1> *>',
      'value<3, false, long, (color)0>',
      'value<3, false, long, (color)0>::inner',
      'sized<7UL>',
    ];
    const [simple, usual] = await Promise.all([
      compile('clang++-19', TEMPLATES, '-gsimple-template-names'),
      compile('clang++-19', TEMPLATES),
    ]);
    for (const name of names) expect([name, simple(name)]).toEqual([name, usual(name)]);
    expect(simple('sized<7UL>')).toEqual(['struct sized<7UL> {\n\tchar c[7];\n};']);
  },
);

it.runIf(COMPILERS.includes('clang++-19'))('has values of real numbers', async () => {
  const of = await compile(
    'clang++-19',
    'struct real { static constexpr double pi = 3.14; static constexpr float half = .5f; int x; } r;',
  );
  expect(of('real')[0]).toMatch(
    /static const double pi = 3.14;\n\tstatic const float half = 0.5f;/,
  );
});
