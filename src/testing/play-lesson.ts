/** A small lesson about an example, for tests. */

const HEAD = `---
title: The header of BTF
about: A lesson for tests.
object: sample:kinds.btf
---
`;

/**
 * Lesson for tests: steps with each kind of question, a step without `show`, and a step about a
 * second file.
 */
export const LESSON = `${HEAD}
## The magic

\`\`\`show
#/bytes?bytes=@0x0-0x2
\`\`\`

\`\`\`callout bytes=@0x2-0x3
\`version\` stands here.
\`\`\`

\`\`\`ask click bytes=@0x2-0x3
Click \`version\`.
\`\`\`

## A struct

\`\`\`show
types?type=struct:node
\`\`\`

\`\`\`ask access struct:node n->matrix
Which access string leads to \`matrix\`?
\`\`\`

## A number

\`\`\`ask number 24
How long is the header?
\`\`\`

## A choice

\`\`\`ask choice
Which?
- [ ] One :: Not this one of them.
- [x] Two :: This one it is.
\`\`\`

## Words only

Nothing to answer.

## Challenge: another file

\`\`\`show
#/core?file=sample:exec_trace.bpf.o&target=sample:kernel.btf&core=tp_btf%2Fsched_process_exec@0x20
\`\`\`

\`\`\`ask value core=tp_btf%2Fsched_process_exec@0x20 sample:kernel.btf
Where does that kernel have \`tgid\`?
\`\`\`
`;
