// @vitest-environment happy-dom
/** Tests the exported texts of a graph: they are well-formed for any names. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layoutGraph, type Scene, sceneOf } from '#analysis/graph/scene.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { int, ptr, struct } from '#testing/btf-types.ts';
import { tableOf } from '#testing/type-table.ts';
import { graphDot, graphMermaid } from './graph-dot.ts';
import { type GraphColours, graphSvg } from './graph-svg.ts';

function sceneWith(name: string): Scene {
  const t = tableOf(
    btfBlob({
      types: [
        int('int', 4),
        struct(name, 16, [
          { name: 'n', type: 1, bitOffset: 0, bitfieldSize: 3 },
          { name, type: 3, bitOffset: 64 },
          { name: 'leaf', type: 4, bitOffset: 64 },
        ]),
        ptr(2),
        struct('leaf', 4, []),
      ],
    }).bytes,
  );
  const request = { selected: 2, depth: 1, open: '', hide: null, path: [], forced: [] };
  return sceneOf(t, layoutGraph(t, request));
}

const COLOURS: GraphColours = {
  ground: 'white',
  box: 'white',
  border: 'grey',
  text: 'black',
  dim: 'grey',
  chip: 'silver',
  edge: 'grey',
  back: 'purple',
  lit: 'blue',
  tone: () => ({ text: 'green', ground: 'white' }),
};

const svgOf = (scene: Scene) =>
  graphSvg(
    scene,
    ({ linkedRows }) => ({ letter: 'S', size: '16', button: '', linkedRows }),
    COLOURS,
    'Types around s',
  );

const anyName = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .filter((name) => !name.includes('\0'));

describe('graphDot', () => {
  it('writes boxes as records, edges from the port of their member', () => {
    expect(graphDot(sceneWith('s'))).toBe(
      [
        'digraph types {',
        '  rankdir=LR;',
        '  node [shape=record, fontname="monospace", fontsize=10];',
        '  edge [fontname="monospace", fontsize=9];',
        '  n0 [label="{<h> s (16)|<r0> n:3\\ :\\ int|<r1> s|<r2> leaf}"];',
        '  n1 [label="{<h> leaf (4)}"];',
        '  n0:r1 -> n0:h [label="*", style=dashed];',
        '  n0:r2 -> n1:h [label=""];',
        '}',
        '',
      ].join('\n'),
    );
  });

  it('escapes names that would end a string or split a field', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const line = graphDot(sceneWith(name)).split('\n')[4] ?? '';
        const label = /^ {2}n0 \[label="((?:[^"\\]|\\.)*)"\];$/u.exec(line)?.[1];
        expect(label, line).toBeDefined();
        expect((label ?? '').replace(/\\./gu, '').split('|')).toHaveLength(4);
      }),
    );
  });
});

describe('graphMermaid', () => {
  it('writes a class for each box', () => {
    expect(graphMermaid(sceneWith('s')).split('\n')).toEqual([
      'classDiagram',
      '  direction LR',
      '  class n0["s #40;16#41;"]',
      '  n0 : n#58;3 int',
      '  n0 : s',
      '  n0 : leaf',
      '  class n1["leaf #40;4#41;"]',
      '  n0 ..> n0 : s #42;',
      '  n0 --> n1 : leaf',
      '',
    ]);
  });

  it('has the same lines for any names', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        for (const line of graphMermaid(sceneWith(name)).trimEnd().split('\n').slice(2)) {
          expect(line).toMatch(
            /^ {2}(class n\d+\["[^"<>[\]]*"\]|n\d+ (\.\.>|-->) n\d+( : .*)?|n\d+ : .*)$/u,
          );
        }
      }),
    );
  });
});

describe('graphSvg', () => {
  it('has the texts of the boxes and a path per edge', () => {
    const parsed = new DOMParser().parseFromString(svgOf(sceneWith('s')), 'image/svg+xml');
    const texts = [...parsed.querySelectorAll('text')].map((text) => text.textContent);
    expect(texts).toEqual(expect.arrayContaining(['s', '16', 'n', ':3', 'int', 'leaf', '*']));
    expect(parsed.querySelectorAll('path[d^="M"]')).toHaveLength(4);
  });

  it('escapes names that look like markup', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const text = svgOf(sceneWith(`<${name}">&`));
        const elements = [...text.matchAll(/<([a-z]+)/g)].map(([, tag]) => tag);
        expect(new Set(elements)).toEqual(new Set(['svg', 'title', 'rect', 'path', 'text', 'g']));
        expect(text.replaceAll(/&(?:amp|lt|gt|quot|apos);/g, '')).not.toContain('&');
      }),
    );
  });
});
