import { describe, expect, it } from 'vitest';
import {
  assignedVariable,
  declaredStruct,
  definedFunction,
  followedMember,
  isFollowed,
  isMentioned,
  variableOfCall,
} from './source-names.ts';

describe('names in source lines', () => {
  it('are those that hold the result of a call', () => {
    const of = (text: string) => variableOfCall(text, 'bpf_map_lookup_elem');
    expect(of('struct val *v = bpf_map_lookup_elem(&m, &k);')).toBe('v');
    expect(of('v = (struct val *)bpf_map_lookup_elem(&m, &k);')).toBe('v');
    expect(of('if (!(v = bpf_map_lookup_elem(&m, &k)))')).toBe('v');
    expect(of('return bpf_map_lookup_elem(&m, &k) != 0;')).toBeNull();
    expect(of('s.v = bpf_map_lookup_elem(&m, &k);')).toBeNull();
    expect(of('s->v = bpf_map_lookup_elem(&m, &k);')).toBeNull();
    expect(of('a = bpf_map_lookup_elem(&m, bpf_map_lookup_elem(&n, &k));')).toBeNull();
  });

  it('are assigned once in their line', () => {
    expect(assignedVariable('struct task_struct *t = v->t; /*B*/')).toBe('t');
    expect(assignedVariable('a = b = c;')).toBeNull();
    expect(assignedVariable('if (a == b)')).toBeNull();
  });

  it('are followed as pointers', () => {
    expect(isFollowed('int x = t->tgid + next->pid;', 't')).toBe(true);
    expect(isFollowed('return *v;', 'v')).toBe(true);
    expect(isFollowed('return v[3];', 'v')).toBe(true);
    expect(isFollowed('return s.v->a;', 'v')).toBe(false);
    expect(isFollowed('return av->a;', 'v')).toBe(false);
    expect(isMentioned('use(v);', 'v')).toBe(true);
    expect(isMentioned('use(s->v);', 'v')).toBe(false);
  });

  it('have the struct that a line declares', () => {
    const lines = ['struct iphdr *ip = data + sizeof(*eth);', 'int p(struct __sk_buff *skb)'];
    expect(declaredStruct(lines, 'ip')).toBe('struct iphdr');
    expect(declaredStruct(lines, 'skb')).toBe('struct __sk_buff');
    expect(declaredStruct([...lines, 'struct ipv6hdr *ip = data;'], 'ip')).toBeNull();
    expect(followedMember('return ip->protocol == 6;')).toEqual({
      variable: 'ip',
      member: 'protocol',
    });
    expect(followedMember('return a->b->c;')).toBeNull();
    expect(followedMember('return a->b + c->d;')).toBeNull();
  });

  it('are those of functions', () => {
    expect(definedFunction('int p(struct __sk_buff *skb)')).toBe('p');
    expect(definedFunction('static __noinline int sub(int x)')).toBe('sub');
    expect(definedFunction('int BPF_PROG(p, bool preempt, struct task_struct *prev)')).toBe('p');
    expect(definedFunction('return f(x);')).toBeNull();
    expect(definedFunction('if (f(x))')).toBeNull();
  });
});
